import type { Random } from "./random.js";

interface Language {
  words: string[];
  /** `$` stands for a word. */
  sentences: string[];
}

const split = (text: string) => text.trim().split(/\s+/);

const FRENCH: Language = {
  words:
    split(`mémoire été cœur rêve âme forêt île élève théâtre poésie lumière fenêtre leçon œuvre siècle hôte français
    garçon maître tempête abîme naïveté ambiguïté noël crème événement première pensée rosée cloître`),
  sentences: [
    "Il n'y a pas de $ sans $, ni de $ qui dure.",
    "Là où commence la $, déjà s'achève la $.",
    "On relit une $ comme on retrouve une $ : à pas lents, près de la $.",
    "Ce que la $ a donné, une $ peut le reprendre à la $.",
  ],
};
const GERMAN: Language = {
  words:
    split(`Gedächtnis Gewohnheit Größe Straße Bücher Lösung Übung Wörter Gefühl Frühling Wärme Mühe Schönheit Fuß Maß
    Öffnung Brücke Lücke Spaß Grüße Fläche Künstler Rätsel Zweifel Übersetzung`),
  sentences: [
    "Über die $ führt kein Weg zur $, höchstens zur $.",
    "Wer seine $ zählt, verliert leicht die $.",
    "Zwischen $ und $ liegt eine leise $, die niemand hört.",
  ],
};
const SPANISH: Language = {
  words: split(`corazón mañana niño año señal canción árbol lección razón montaña cigüeña público jardín médico íntimo
    océano página música pájaro búsqueda`),
  sentences: [
    "Quien busca la $ encuentra primero la $.",
    "¿Qué sería del $ sin la $? Apenas una $ más.",
    "También el $ aprende: después de la $ viene siempre otra $.",
  ],
};
const POLISH: Language = {
  words: split(
    "książka pamięć światło źródło ołówek ścieżka żółw łąka cień myśl wrażenie dźwięk gęś wół zwyczaj pytanie",
  ),
  sentences: ["Każda $ wraca jako $, a $ zostaje.", "Między $ a $ jest tylko $."],
};
const VIETNAMESE: Language = {
  words: split("sách đường sông nhớ hỏi ngày đêm trăng biển gió núi lời nghĩa bạn thầy mưa"),
  sentences: ["Ở đâu có $, ở đó có $ và $.", "Không có $ thì $ cũng như $."],
};
const TURKISH: Language = {
  words: split("ışık ağaç göl düşünce kitap gölge şehir yağmur çiçek öğretmen soru ırmak sığınak değer"),
  sentences: ["İyi bir $, $ kadar yavaş bir $ ister.", "Her $ bir $ taşır; hiçbir $ onu bilmez."],
};
const CHINESE: Language = {
  words:
    split(`记忆 读书 注意力 时间 问题 习惯 语言 历史 河流 山水 老师 朋友 思想 城市 机器 科学 诗歌 梦想 灯光 图书馆 学问 沉默 故事
    花园 星空 勇气 耐心 真理 翻译 笔记`),
  sentences: [
    "$之乐,在于$,而不在$。",
    "没有$,就没有$;有了$,才有$。",
    "$像一条河,$是它的岸。",
    "古人说:$始于$,终于$。",
    "我们常常忘记$,却总记得$里的$。",
  ],
};
const JAPANESE: Language = {
  words:
    split(`記憶 読書 時間 習慣 言葉 歴史 静けさ 問い 答え 先生 友達 街 機械 科学 詩 夢 灯り 図書館 学び 沈黙 物語 庭 星 勇気 忍耐
    ノート カメラ コーヒー`),
  sentences: [
    "$を読むことは、$を育てることだ。",
    "$は川のように流れ、$は石のように残る。",
    "ゆっくり$に向かう人は、$まで歩く。",
    "$がなければ、$もまた$にすぎない。",
  ],
};
const KOREAN: Language = {
  words: split(
    "기억 독서 시간 습관 언어 역사 침묵 질문 대답 선생님 친구 도시 기계 과학 시 꿈 등불 도서관 배움 이야기 정원 별 용기",
  ),
  sentences: ["$은 강처럼 흐르고 $은 돌처럼 남는다.", "$ 없이 $도 없고, $만 남는다.", "천천히 읽는 $ 속에 $이 있다."],
};
const RUSSIAN: Language = {
  words: split(
    "память внимание привычка река берег ёлка вопрос ответ учитель город тишина звезда терпение объём подъезд",
  ),
  sentences: ["$ похожа на $, а $ — на её тень.", "Где кончается $, там начинается $ и ещё одна $."],
};
const ARABIC: Language = {
  words: split("القراءة الذاكرة الوقت السؤال الصمت اللغة المدينة النهر الحكمة الكتاب الطريق الصبر"),
  sentences: ["$ طريق طويل إلى $ و$.", "لا $ بلا $."],
};
const HEBREW: Language = {
  words: split("קריאה זיכרון זמן שאלה שתיקה שפה עיר נהר חכמה ספר דרך סבלנות"),
  sentences: ["$ היא דרך ארוכה אל $.", "אין $ בלי $ ובלי $."],
};
const HINDI: Language = {
  words: split("पढ़ना स्मृति समय प्रश्न मौन भाषा नगर नदी ज्ञान पुस्तक मार्ग धैर्य"),
  sentences: ["$ और $ के बीच $ है।", "बिना $ के $ नहीं।"],
};
const GREEK_AND_SIGNS: Language = {
  words: split("λόγος μνήμη ψυχή ἀρχή τέλος σοφία 📚 ✍️ 👩‍🔬 🇫🇷 ½ ∑ → naïve ﬁnis"),
  sentences: ["Note to self: $ $ — and $ again.", "$ is half of $; the rest is $."],
};

const LANGUAGES = {
  accented: [FRENCH, GERMAN, SPANISH, POLISH, VIETNAMESE, TURKISH],
  cjk: [CHINESE, JAPANESE, KOREAN],
  other: [RUSSIAN, ARABIC, HEBREW, HINDI, GREEK_AND_SIGNS],
};

export type ForeignScript = keyof typeof LANGUAGES;

/** One sentence; `variety` keeps a work in one language. */
export function foreignSentence(random: Random, script: ForeignScript, variety: number): string {
  const languages = LANGUAGES[script];
  const { words, sentences } = languages[variety % languages.length]!;
  return random.pick(sentences).replaceAll("$", () => random.pick(words));
}

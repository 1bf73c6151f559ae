import { fold } from "./fold.js";
import { STOP_WORD_LANGUAGES } from "./stop-words.js";

/** Scripts that one language, or one language of those we can stem, is written in. */
const SCRIPTS: readonly [RegExp, string][] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, "ja"],
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Han}/u, "zh"],
  [/\p{Script=Cyrillic}/u, "cyrillic"],
  [/\p{Script=Arabic}/u, "arabic"],
  [/\p{Script=Greek}/u, "el"],
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Devanagari}/u, "hi"],
  [/\p{Script=Thai}/u, "th"],
  [/\p{Script=Armenian}/u, "hy"],
  [/\p{Script=Tamil}/u, "ta"],
  [/\p{Script=Georgian}/u, "ka"],
  [/\p{Script=Bengali}/u, "bn"],
];
const LETTERS = /\p{L}+/gu;
const SAMPLE_CHARS = 800;
/** Letters few languages use; each is worth about a function word. */
const TELLING_LETTERS: readonly [RegExp, readonly string[]][] = [
  [/[äöß]/g, ["de"]],
  [/[äö]/g, ["fi", "sv"]],
  [/ñ|¿|¡/g, ["es"]],
  [/[ãõ]/g, ["pt"]],
  [/ç|œ|è|ê/g, ["fr"]],
  [/å/g, ["sv", "no", "da"]],
  [/[æø]/g, ["no", "da"]],
  [/[őű]/g, ["hu"]],
  [/[ğıİş]/g, ["tr"]],
  [/[ăâîșțşţ]/g, ["ro"]],
  [/[ąęłśźż]/g, ["pl"]],
  [/[ěřůž]/g, ["cs"]],
  [/ŀ|l·l/g, ["ca"]],
  [/ò|ì/g, ["it"]],
];

/**
 * ISO 639-1 code of a text's language, or null if the text is too short to decide. Scripts decide first; an
 * ideograph counts as many letters as `ideographs` says.
 */
export function detectLanguage(text: string, { chars = SAMPLE_CHARS, ideographs = 2 } = {}): string | null {
  const sample = text.length > chars ? text.slice(0, chars) : text;
  const script = dominantScript(sample, ideographs);
  if (script === null) return null;
  if (script === "latin") return byFunctionWords(sample, latinHints(sample), LATIN);
  if (script === "cyrillic") {
    const ukrainian = sample.match(/[іїєґ]/gi)?.length ?? 0;
    const russian = sample.match(/[ыэъё]/gi)?.length ?? 0;
    if (ukrainian !== russian) return ukrainian > russian ? "uk" : "ru";
    return byFunctionWords(sample, new Map(), CYRILLIC) ?? "ru";
  }
  if (script === "arabic") return /[پچژگ]/.test(sample) ? "fa" : "ar";
  return script;
}

export function isLatin(language: string): boolean {
  return !NON_LATIN.has(language);
}

const CYRILLIC = new Set(["ru", "uk"]);
const NON_LATIN = new Set([
  "ru",
  "uk",
  "bg",
  "sr",
  "ar",
  "fa",
  "ur",
  "he",
  "el",
  "zh",
  "ja",
  "ko",
  "th",
  "hi",
  "hy",
  "ta",
  "ka",
  "bn",
]);
const LATIN = new Set([...new Set([...STOP_WORD_LANGUAGES.values()].flat())].filter(isLatin));

/** Whether `detectLanguage` can return this language. */
export function isRecognised(language: string): boolean {
  return LATIN.has(language) || CYRILLIC.has(language) || NON_LATIN.has(language);
}

function dominantScript(sample: string, ideographs: number): string | null {
  const counts = new Map<string, number>();
  for (const [run] of sample.matchAll(LETTERS)) {
    const first = run.charCodeAt(0);
    const script = first < 0x250 ? "latin" : (SCRIPTS.find(([pattern]) => pattern.test(run))?.[1] ?? "latin");
    // A Chinese or Thai run is a sentence, a Latin one a word: letters are the fair measure, ideographs count more.
    counts.set(
      script,
      (counts.get(script) ?? 0) +
        (script === "zh" || script === "ja" || script === "ko" ? run.length * ideographs : run.length),
    );
  }
  // Japanese mixes kanji runs in: any real share of kana settles it.
  const kana = counts.get("ja") ?? 0;
  if (kana > 0 && kana * 5 > (counts.get("zh") ?? 0)) counts.delete("zh");
  let best: string | null = null;
  for (const [script, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = script;
  return best;
}

function latinHints(sample: string): Map<string, number> {
  const scores = new Map<string, number>();
  const lower = sample.toLowerCase();
  for (const [letters, languages] of TELLING_LETTERS) {
    const hits = Math.min(4, lower.match(letters)?.length ?? 0);
    for (const language of languages)
      if (hits > 0) scores.set(language, (scores.get(language) ?? 0) + hits / languages.length);
  }
  return scores;
}

function byFunctionWords(sample: string, scores: Map<string, number>, among: ReadonlySet<string>): string | null {
  for (const [word] of fold(sample).matchAll(LETTERS)) {
    const languages = STOP_WORD_LANGUAGES.get(word);
    if (!languages) continue;
    // "de" is weak evidence, "the" is strong: a word counts more the fewer languages share it.
    for (const language of languages)
      if (among.has(language)) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length);
  }
  let best: string | null = null;
  let bestScore = 0;
  let second = 0;
  for (const [language, score] of scores) {
    if (score > bestScore) {
      second = bestScore;
      bestScore = score;
      best = language;
    } else if (score > second) second = score;
  }
  return bestScore >= 0.5 && bestScore > second * 1.1 ? best : null;
}

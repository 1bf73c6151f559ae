const split = (text: string) => text.trim().split(/\s+/);

const NOUNS = split(`
  time mind habit book attention memory reader question work page garden river light hour word city practice friend
  thought story letter map silence house language teacher craft winter system tool idea answer hand voice history
  machine child market science song mountain paper road island storm theory proof window kitchen bread salt water fire
  stone forest bird horse ship harbour tide coast sea star night morning season summer autumn field farm village street
  bridge tower wall door key lock room table chair lamp clock calendar notebook pencil ink margin chapter sentence
  paragraph argument evidence example metaphor proverb poem novel essay library archive catalogue index museum school
  lesson student master apprentice workshop hammer nail needle thread cloth colour shadow mirror glass lens telescope
  microscope planet moon comet gravity atom cell gene protein virus fever medicine doctor patient nurse wound bone
  heart blood brain nerve sleep dream fear hope anger grief joy love envy pride shame courage patience curiosity doubt
  certainty belief faith ritual prayer temple law court judge witness crime debt price wage profit trade coin bank tax
  factory engine wheel railway canal road port cargo merchant farmer soldier general army war peace treaty border empire
  republic election vote citizen party speech rumour newspaper editor printer press rival neighbour stranger guest host
  family mother father daughter son brother sister cousin ancestor name grave garden seed root branch leaf fruit harvest
  soil rain drought flood wind cloud ice snow desert valley cave cliff shore wave current depth distance measure number
  pattern symmetry rhythm melody chord drum violin painter canvas brush sculpture theatre actor stage audience mask
  algorithm network signal noise entropy feedback threshold variable function model estimate bias sample error method
`);
const VERBS = split(`
  keep find carry change follow teach learn read write build break mend hold leave return measure weigh count compare
  notice forget remember explain describe question answer doubt believe trust choose refuse accept offer borrow lend buy
  sell plant harvest gather scatter cross climb descend enter open close begin finish interrupt repeat practise perform
  invent discover copy translate print publish reject praise blame forgive punish protect threaten attack defend
  surrender govern obey resist serve feed starve heal wound wake dream imagine predict estimate prove test observe
  record sketch paint carve weave sew cook taste listen whisper shout argue persuade promise deceive reveal hide search
  wander travel arrive depart wait hurry linger rest labour compete cooperate divide share connect separate attract
`);
const ADJECTIVES = split(`
  slow quiet old new small deep plain honest common strange patient careful sudden bright dark heavy light narrow wide
  early late long short warm cold dry wet soft hard sharp blunt simple complex subtle obvious hidden public private
  ancient modern rural urban wealthy poor generous cruel gentle fierce stubborn curious idle busy useful useless
  beautiful ugly fragile durable temporary permanent local distant foreign familiar sacred ordinary rare frequent exact
  vague formal playful serious comic tragic bitter sweet hollow dense liquid solid random regular uneven parallel inner
`);
const ADVERBS = split(`
  slowly rarely often always never quietly plainly together alone again already almost nearly hardly gladly openly
  secretly suddenly gradually perhaps certainly twice backwards elsewhere everywhere somehow meanwhile afterwards
`);
const PREFIXES = split(
  "counter under over inter meta proto semi super trans anti fore hyper micro neo out post pre re sub",
);
const SUFFIXES = split("less like ward work maker keeper craft ship hood wise proof line bound side");

const SYLLABLES = split(`
  al an ar bel ben ca cor da del den dor el en er fa fen gal gor ha hel il in ja ka kel la lan le lin lo lu ma mar mel
  mi mo na nel ni no or os pa per ra ren ri ro sa sel sha so ta tel tho ti tor ul va vel vi wen wil ya yor za zel
`);

export const FIRST_NAMES = split(`
  Ada Amélie Anselm Beatriz Björn Chiara Clément Dagný Élodie Esther Félix Gwen Håkon Ines Işıl Jörg Katarzyna Léa Łukasz
  Maëlle Margaret Nadia Ngọc Octavia Oluwaseun Paweł Quentin Raúl Renée Şirin Sofía Søren Tadeusz Thérèse Ursula Vít
  Wilhelmina Xóchitl Yusuf Zoë Zsófia
`);
export const LAST_NAMES = split(`
  Abernathy Álvarez Bäcker Castellanos Černý Dubois Eriksdóttir Faulhaber Ferreira Gauthier Grüber Hollander Iñárritu
  Jäger Kowalczyk Lindqvist Lưu Marchetti Meyrink Młynarz Nørgaard Okonkwo Øverland Pelletier Quispe Rasmussen Rêgo
  Sandoval Schäfer Şahin Thornbury Tóth Underhill Vasconcelos Whitcombe Yıldız Zawadzki
`);

export const TAGS = split(`
  attention memory craft history science writing reading habits money music travel food medicine politics language
  teaching design machines nature cities family philosophy poetry to-review favourite-ideas quotes
`).concat(["Deep Work", "Slow Reading", "Für später", "À relire", "数学", "読書"]);

export const SITES = [
  ["The Quiet Quarterly", "quarterly.example"],
  ["Field & Margin", "fieldandmargin.example"],
  ["Tidal Review", "tidal.example"],
  ["Workshop Notes", "workshop.example"],
  ["Lantern Letters", "lantern.example"],
] as const;

const unique = (words: string[]) => [...new Set(words)];

function adverbOf(adjective: string): string {
  if (adjective.endsWith("ll")) return `${adjective}y`;
  if (adjective.endsWith("le")) return `${adjective.slice(0, -1)}y`;
  if (adjective.endsWith("y")) return `${adjective.slice(0, -1)}ily`;
  return adjective.endsWith("ic") ? `${adjective}ally` : `${adjective}ly`;
}

function inventNames(): string[] {
  const names: string[] = [];
  SYLLABLES.forEach((first, i) => {
    SYLLABLES.forEach((second, j) => {
      for (let k = 0; k < 3; k++) {
        const name = first + second + SYLLABLES[(i * 5 + j * 3 + k * 17) % SYLLABLES.length];
        names.push(name.charAt(0).toUpperCase() + name.slice(1));
      }
    });
  });
  return unique(names);
}

const plain = unique(NOUNS);

/** Each list has the plain words first and the made-up ones after: sampled by rank, the plain ones come up most. */
export const NOUN_RANKS = unique([
  ...plain,
  ...plain.map((noun, i) => `${PREFIXES[i % PREFIXES.length]}${noun}`),
  ...plain.map((noun, i) => `${noun}${SUFFIXES[i % SUFFIXES.length]}`),
  ...plain.map((noun, i) => `${noun}${SUFFIXES[(i * 7 + 3) % SUFFIXES.length]}`),
  ...plain.map((noun, i) => `${noun}-${plain[(i * 31 + 17) % plain.length]}`),
]);
export const VERB_RANKS = unique([...VERBS, ...VERBS.map((verb) => `re${verb}`), ...VERBS.map((verb) => `out${verb}`)]);
export const ADJECTIVE_RANKS = unique([
  ...ADJECTIVES,
  ...ADJECTIVES.map((each) => `un${each}`),
  ...plain.map((noun) => `${noun}like`),
  ...plain.map((noun) => `${noun}-shaped`),
]);
export const ADVERB_RANKS = unique([...ADVERBS, ...ADJECTIVES.map(adverbOf)]);
export const INVENTED_NAMES = inventNames();

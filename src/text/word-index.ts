import { grown } from "../kernel/collections.js";
import { type Scored, TopK } from "../kernel/top-k.js";
import { foldedWords, parseQuery } from "./analysis.js";
import { createDocumentScores } from "./document-scores.js";
import { AGAIN, createPostings, spotAt } from "./postings.js";
import { type Plan, planQuery } from "./query-plan.js";
import { stem } from "./stemmer.js";
import { createTokenLog, FIELD_END, MAX_PHRASE, type Phrase } from "./token-log.js";
import { isCharacterRun } from "./tokens.js";
import { createVocabulary } from "./vocabulary.js";

export interface Field {
  /** How much a word here counts, 1 being the body of the text. */
  weight: number;
  /** Words this field usually has; a word in a longer one counts less. */
  usual: number;
}

export interface Hit {
  document: number;
  /** In (0, 1]: over 0.8 the document has the query word for word, over 0.6 in other forms of its words, over 0.4 all its words. */
  score: number;
}

export interface SearchOptions {
  limit: number;
  filter?: ((document: number) => boolean) | undefined;
  /** Breaks ties, so that the order of results is stable. */
  order(a: number, b: number): number;
}

export interface Found {
  hits: Hit[];
  /** Documents that match at all. */
  total: number;
  /** The matched words as the texts have them, folded. */
  words: ReadonlySet<string>;
}

/** A word index of many short texts: documents are appended, and deleted ones are marked. */
export interface WordIndex {
  /** Texts in the order of the fields; documents are numbered from 0. One that counts for less keeps that share of its score. */
  add(texts: readonly string[], language: string | null, share?: number): number;
  remove(document: number): void;
  search(query: string, options: SearchOptions): Found;
  readonly size: number;
  readonly removed: number;
  byteSize(): number;
}

const SATURATION = 1;
const MAX_TERM_CHARS = 64;
const MAX_LANGUAGES = 31;
const MAX_ASKED = 1000;
/** A language detected in fewer documents is probably a mistake. */
const SPOKEN = 0.003;

export function createWordIndex(fields: readonly Field[]): WordIndex {
  const vocabulary = createVocabulary();
  const postings = createPostings();
  const tokens = createTokenLog();
  const languages: string[] = [];
  const written: number[] = [];
  let stemmedIn = new Uint32Array(1024);
  let size = 0;
  let removed = 0;
  let alive = new Uint8Array(1024);
  // One document's words while it is added: how much each distinct one counts, by term.
  let gathered = new Float32Array(1024);
  let spots = new Uint8Array(1024);
  let distinct: number[] = [];
  const scores = createDocumentScores(postings, tokens);
  // Stems of recent query words, until a document changes which languages count: stemming in a dozen of
  // them takes as long as the rest of a small search, and people search for one thing in several ways.
  const asked = new Map<string, readonly string[]>();
  // Scratch of one phrase, by term.
  let slots = new Uint32Array(0);

  function intern(word: string, language: number): number {
    const term = vocabulary.intern(word.length > MAX_TERM_CHARS ? word.slice(0, MAX_TERM_CHARS) : word);
    if (term >= stemmedIn.length) {
      const length = term * 2;
      [stemmedIn, gathered, spots] = [grown(stemmedIn, length), grown(gathered, length), grown(spots, length)];
    }
    if (stemmedIn[term] === 0) postings.addTerm();
    if ((stemmedIn[term]! & (1 << language)) === 0) {
      stemmedIn[term]! |= 1 << language;
      const stemmed = stem(vocabulary.word(term), languages[language]!);
      if (stemmed !== word) vocabulary.addStem(stemmed, term);
    }
    return term;
  }

  function languageNumber(code: string): number {
    const known = languages.indexOf(code);
    if (known >= 0) return known;
    if (languages.length === MAX_LANGUAGES) return 0;
    languages.push(code);
    written.push(0);
    return languages.length - 1;
  }

  function gather(term: number, gain: number, place: number): void {
    if (gathered[term] === 0) {
      distinct.push(term);
      spots[term] = spotAt(place);
    } else spots[term]! |= AGAIN;
    gathered[term]! += gain;
  }

  function add(texts: readonly string[], language: string | null, share = 1): number {
    const number = languageNumber(language ?? "en");
    written[number]!++;
    asked.clear();
    const document = size++;
    if (document >= alive.length) alive = grown(alive, alive.length * 2);
    alive[document] = 1;
    distinct = [];
    let place = 0;
    texts.forEach((text, i) => {
      if (text === "") return;
      const words = foldedWords(text);
      const { weight, usual } = fields[i]!;
      const gain = weight / (0.6 + (0.4 * words.length) / usual);
      let previous = "";
      for (const word of words) {
        const term = intern(word, number);
        tokens.push(term);
        gather(term, gain, place);
        const unspaced = isCharacterRun(word);
        if (unspaced && previous) gather(intern(previous + word, number), gain, place);
        previous = unspaced ? word : "";
        place++;
      }
      tokens.push(FIELD_END);
      place++;
    });
    tokens.endDocument();
    for (const term of distinct) {
      const frequency = gathered[term]!;
      gathered[term] = 0;
      const impact = Math.max(1, Math.round((255 * share * frequency) / (frequency + SATURATION)));
      postings.append(term, document, impact, spots[term]!);
    }
    return document;
  }

  /** Calls back with the phrase to search for, or with undefined if one of its words does not occur. */
  function withPhrase(places: Plan["sequence"], isTyped: boolean, use: (phrase: Phrase | undefined) => void): void {
    const length = Math.min(places.length, MAX_PHRASE);
    const rarity = places
      .slice(0, length)
      .map(({ forms }) => forms.reduce((sum, term) => sum + postings.count(term), 0));
    const anchor = rarity.indexOf(Math.min(...rarity));
    if (rarity[anchor] === 0) return use(undefined);
    if (slots.length < vocabulary.size) slots = new Uint32Array(Math.ceil(vocabulary.size * 1.2));
    for (let i = 0; i < length; i++) for (const term of places[i]!.forms) slots[term]! |= 1 << i;
    try {
      use({
        length,
        terms: Int32Array.from(places, ({ typed }) => typed[0] ?? -2),
        isTyped,
        anchor,
        anchors: Int32Array.from(places[anchor]!.forms),
        slots,
      });
    } finally {
      for (let i = 0; i < length; i++) for (const term of places[i]!.forms) slots[term] = 0;
    }
  }

  function askedStems(word: string, spoken: readonly string[]): readonly string[] {
    const known = asked.get(word);
    if (known) return known;
    const stems = [...new Set(spoken.map((language) => stem(word, language)))];
    if (asked.size >= MAX_ASKED) asked.clear();
    asked.set(word, stems);
    return stems;
  }

  function search(query: string, { limit, filter, order }: SearchOptions): Found {
    const parsed = parseQuery(query);
    const spoken = languages.filter((_, i) => written[i]! >= size * SPOKEN);
    const stems = (word: string) => askedStems(word, spoken);
    const plan = planQuery(parsed, {
      vocabulary,
      languages: spoken,
      stems,
      frequency: postings.count,
      documents: size,
    });
    const words = new Set<string>();
    for (const { variants } of plan.units) for (const { term } of variants) words.add(vocabulary.word(term));
    if (plan.units.length === 0) return { hits: [], total: 0, words };
    scores.begin(alive.length);
    let best = 0;
    plan.units.forEach(({ variants, rarity }, i) => {
      best += rarity;
      const closed = i > 0 && plan.quoted > 0;
      for (const { term, weight, level } of variants)
        scores.score(term, { unit: i + 1, weight: (rarity / 255) * weight, level, closed, quoted: i < plan.quoted });
      if (i + 1 === plan.quoted) keepPhrases(plan);
    });
    if (removed > 0) scores.keep((document) => alive[document] === 1);
    if (filter !== undefined) scores.keep(filter);
    const total = scores.count;
    const top = new TopK(limit, order);
    const { units, sequence } = plan;
    const isPhrase = isOnePhrase(plan);
    const rank = (phrase?: Phrase) =>
      scores.rank({ words: units.length, best, isPhrase, isAlone: sequence.length === 1, phrase, top });
    if (sequence.length > 1 && !isPhrase) withPhrase(sequence, false, rank);
    else rank();
    return { hits: top.sorted().map(toHit), total, words };
  }

  /** Of the documents with every quoted word, keeps those that have them as a phrase. */
  function keepPhrases({ quoted, required }: Plan): void {
    scores.keepWhole(quoted);
    for (const places of required) {
      if (quoted === 1 && places.length === 1) continue; // a text with the word has the phrase
      withPhrase(places, true, (phrase) => {
        if (phrase) scores.keepPhrase(phrase, quoted);
        else scores.keep(() => false);
      });
    }
  }

  return {
    add,
    remove(document) {
      if (alive[document] === 0) return;
      alive[document] = 0;
      removed++;
    },
    search,
    get size() {
      return size;
    },
    get removed() {
      return removed;
    },
    byteSize: () =>
      postings.byteSize() +
      vocabulary.byteSize() +
      tokens.byteSize() +
      alive.length +
      stemmedIn.length * 9 +
      slots.length * 4 +
      scores.byteSize(),
  };
}

function toHit({ id, score }: Scored): Hit {
  return { document: id, score: Math.max(0.0001, Math.round(score * 10_000) / 10_000) };
}

/** The whole query is one quoted phrase: all kept documents have it. */
function isOnePhrase({ units, quoted, required, sequence }: Plan): boolean {
  return required.length === 1 && units.length === quoted && required[0]!.length === sequence.length;
}

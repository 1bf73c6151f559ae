import { foldedWords, parseQuery } from "./analysis.js";
import { createPostings, firstOf, nextSlice } from "./postings.js";
import { type Plan, planQuery } from "./query-plan.js";
import { stem } from "./stemmer.js";
import { createTokenLog, FIELD_END, MAX_PHRASE, type Phrase } from "./token-log.js";
import { createVocabulary, isUnspaced } from "./vocabulary.js";

export interface Field {
  /** How much a word here counts, 1 being the body of the text. */
  weight: number;
  /** Words this field usually has; a word in a longer one counts less. */
  usual: number;
}

export interface SearchOptions {
  limit: number;
  filter?: ((document: number) => boolean) | undefined;
  /** Settles equal scores, so that the same library always answers in the same order. */
  order(a: number, b: number): number;
}

export interface Hit {
  document: number;
  /** In (0, 1]: over 0.8 the query stands there word for word, over 0.6 in other forms of its words, over 0.4 all its words do. */
  score: number;
}
export interface Found {
  hits: Hit[];
  /** Documents that match at all. */
  total: number;
  /** The words that were looked for, as they stand in the texts (folded). */
  words: ReadonlySet<string>;
}

/** Words of many short texts: an index that grows by appending and forgets by marking. */
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
const BANDS = [0, 0.4, 0.6, 0.8, 1] as const;
const SOME = 0;
const ALL_WORDS = 1;
const PHRASE_IN_OTHER_FORMS = 2;
const WHOLE_PHRASE = 3;
const MAX_LANGUAGES = 31;
const BUCKETS = 256;
/** A language of fewer documents is likelier a mistake than a language. */
const SPOKEN = 0.003;

const NEAR = 1 << 8;
const EXACT = 1 << 16;
const nearIn = (state: number) => (state >>> 8) & 255;
const exactIn = (state: number) => (state >>> 16) & 255;

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
  let distinct: number[] = [];
  // Scratch of one search, by document; cleared afterwards. A state is four bytes: how many words matched at all, in
  // some form, and as typed, and the number of the last one. Together, because memory is what a search waits for.
  let scores = new Float32Array(0);
  let states = new Uint32Array(0);
  let touched = new Int32Array(0);
  // Scratch of one phrase, by term.
  let slots = new Uint32Array(0);

  function intern(word: string, language: number): number {
    const term = vocabulary.intern(word.length > MAX_TERM_CHARS ? word.slice(0, MAX_TERM_CHARS) : word);
    if (term >= stemmedIn.length) {
      const [moreStems, moreGathered] = [new Uint32Array(term * 2), new Float32Array(term * 2)];
      moreStems.set(stemmedIn);
      moreGathered.set(gathered);
      [stemmedIn, gathered] = [moreStems, moreGathered];
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

  function gather(term: number, gain: number): void {
    if (gathered[term] === 0) distinct.push(term);
    gathered[term]! += gain;
  }

  function add(texts: readonly string[], language: string | null, share = 1): number {
    const number = languageNumber(language ?? "en");
    written[number]!++;
    const document = size++;
    if (document >= alive.length) {
      const larger = new Uint8Array(alive.length * 2);
      larger.set(alive);
      alive = larger;
    }
    alive[document] = 1;
    distinct = [];
    texts.forEach((text, i) => {
      if (text === "") return;
      const words = foldedWords(text);
      const { weight, usual } = fields[i]!;
      const gain = weight / (0.6 + (0.4 * words.length) / usual);
      let previous = "";
      for (const word of words) {
        const term = intern(word, number);
        tokens.push(term);
        gather(term, gain);
        const unspaced = isUnspaced(word);
        if (unspaced && previous) gather(intern(previous + word, number), gain);
        previous = unspaced ? word : "";
      }
      tokens.push(FIELD_END);
    });
    tokens.endDocument();
    for (const term of distinct) {
      const frequency = gathered[term]!;
      gathered[term] = 0;
      postings.append(term, document, Math.max(1, Math.round((255 * share * frequency) / (frequency + SATURATION))));
    }
    return document;
  }

  /** Adds what one term gives to the documents that have it; where it is closed, no further ones come in. */
  function score(term: number, unit: number, weight: number, level: number, before: number, closed: boolean): number {
    const [bytes, allScores, allStates, found] = [postings.bytes(), scores, states, touched];
    const more = 1 + (level > 0 ? NEAR : 0) + (level > 1 ? EXACT : 0);
    const tag = unit << 24;
    let count = before;
    let slice = postings.head(term);
    if (slice === 0) return count;
    let at = firstOf(slice);
    let document = -1;
    for (;;) {
      let byte = bytes[at++]!;
      if (byte === 0) {
        slice = nextSlice(bytes, slice);
        if (slice === 0) return count;
        at = firstOf(slice);
        continue;
      }
      let delta = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        delta |= (byte & 127) << shift;
      }
      document += delta;
      const gain = bytes[at++]! * weight;
      const state = allStates[document]!;
      if (state >>> 24 === unit) {
        allScores[document]! += gain * 0.1; // a second form of the same word adds little
        continue;
      }
      if (state === 0) {
        if (closed) continue;
        found[count++] = document;
      }
      allStates[document] = ((state & 0xffffff) + more) | tag;
      allScores[document]! += gain;
    }
  }

  /** Calls back with the phrase to look for; not at all where one of its words is nowhere. */
  function withPhrase(places: Plan["sequence"], use: (phrase: Phrase) => void): void {
    const length = Math.min(places.length, MAX_PHRASE);
    const rarity = places
      .slice(0, length)
      .map(({ forms }) => forms.reduce((sum, term) => sum + postings.count(term), 0));
    const anchor = rarity.indexOf(Math.min(...rarity));
    if (rarity[anchor] === 0) return;
    if (slots.length < 2 * vocabulary.size) slots = new Uint32Array(Math.ceil(vocabulary.size * 2.4));
    for (let i = 0; i < length; i++) {
      for (const term of places[i]!.typed) slots[2 * term]! |= 1 << i;
      for (const term of places[i]!.forms) slots[2 * term + 1]! |= 1 << i;
    }
    use({ length, anchor, anchors: places[anchor]!.forms, slots });
    for (let i = 0; i < length; i++) {
      for (const term of places[i]!.typed) slots[2 * term] = 0;
      for (const term of places[i]!.forms) slots[2 * term + 1] = 0;
    }
  }

  function search(query: string, { limit, filter, order }: SearchOptions): Found {
    const parsed = parseQuery(query);
    const spoken = languages.filter((_, i) => written[i]! >= size * SPOKEN);
    const plan = planQuery(parsed, { vocabulary, languages: spoken, frequency: postings.count, documents: size });
    const words = new Set<string>();
    for (const { variants } of plan.units) for (const { term } of variants) words.add(vocabulary.word(term));
    if (plan.units.length === 0) return { hits: [], total: 0, words };
    ready();
    let count = 0;
    let best = 0;
    plan.units.forEach(({ variants, rarity }, i) => {
      best += rarity;
      for (const { term, weight, level } of variants)
        count = score(term, i + 1, (rarity / 255) * weight, level, count, i > 0 && plan.quoted > 0);
      if (i + 1 === plan.quoted) count = keepPhrases(plan, count);
    });
    if (removed > 0) count = keep(count, (document) => alive[document] === 1);
    if (filter !== undefined) count = keep(count, filter);
    const top = topOf(limit, order);
    rank(plan, count, best, limit, top);
    for (let i = 0; i < count; i++) forget(touched[i]!);
    return { hits: top.sorted(), total: count, words };
  }

  function rank(plan: Plan, count: number, best: number, limit: number, top: Top): void {
    const [allScores, allStates, found] = [scores, states, touched];
    const all = plan.units.length;
    const settled = isOnePhrase(plan);
    const sideBySide = plan.sequence.length > 1 && !settled ? phraseTiers(plan, count, best, limit) : undefined;
    const alone = plan.sequence.length === 1;
    let floor = -1;
    for (let i = 0; i < count; i++) {
      const document = found[i]!;
      const state = allStates[document]!;
      let tier = (state & 255) === all ? ALL_WORDS : SOME;
      if (settled || (alone && exactIn(state) === all)) tier = WHOLE_PHRASE;
      else if (alone && nearIn(state) === all) tier = PHRASE_IN_OTHER_FORMS;
      else if (sideBySide !== undefined && sideBySide[i] !== 0) tier = sideBySide[i]!;
      const value = BANDS[tier]! + (BANDS[tier + 1]! - BANDS[tier]!) * Math.min(1, allScores[document]! / best);
      if (value >= floor) floor = top.offer(document, value);
    }
  }

  /** Of what has every quoted word, that which has them side by side. */
  function keepPhrases({ quoted, required }: Plan, before: number): number {
    let count = keep(before, (document) => exactIn(states[document]!) === quoted);
    for (const places of required) {
      if (quoted === 1 && places.length === 1) continue; // whoever has the word has the phrase
      const sides = new Uint8Array(count);
      withPhrase(places, (phrase) => tokens.sideBySide(phrase, touched, 0, count, sides));
      count = keep(count, (_, i) => sides[i] === 2);
    }
    return count;
  }

  function keep(count: number, wanted: (document: number, place: number) => boolean): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const document = touched[i]!;
      if (wanted(document, i)) touched[kept++] = document;
      else forget(document);
    }
    return kept;
  }

  /** Which touched documents have the whole query side by side; 0 for those that do not. */
  function phraseTiers({ units, sequence }: Plan, count: number, best: number, limit: number): Uint8Array {
    const tiers = new Uint8Array(count);
    const { places, ends } = bestFirst(count, units.length, best);
    const documents = places.map((place) => touched[place]!);
    const sides = new Uint8Array(documents.length);
    withPhrase(sequence, (phrase) => {
      // Once there are enough whole phrases, documents with lower scores cannot come into the answer.
      let enough = limit;
      let at = 0;
      for (let bucket = 0; bucket < BUCKETS && enough > 0; bucket++) {
        tokens.sideBySide(phrase, documents, at, ends[bucket]!, sides);
        for (; at < ends[bucket]!; at++) {
          if (sides[at] === 0) continue;
          tiers[places[at]!] = sides[at] === 2 ? WHOLE_PHRASE : PHRASE_IN_OTHER_FORMS;
          if (sides[at] === 2) enough--;
        }
      }
    });
    return tiers;
  }

  /** The places in `touched` of the documents with every word, from high scores to low, and where each run of like scores ends. */
  function bestFirst(count: number, all: number, best: number): { places: Int32Array; ends: Int32Array } {
    const [allScores, allStates, found] = [scores, states, touched];
    const ends = new Int32Array(BUCKETS);
    const bucketOf = new Uint16Array(count); // one more than the bucket; 0 for none
    for (let i = 0; i < count; i++) {
      const document = found[i]!;
      if (nearIn(allStates[document]!) !== all) continue;
      const bucket = BUCKETS - 1 - Math.floor(Math.min(1, allScores[document]! / best) * (BUCKETS - 1));
      bucketOf[i] = bucket + 1;
      ends[bucket]!++;
    }
    for (let bucket = 1; bucket < BUCKETS; bucket++) ends[bucket]! += ends[bucket - 1]!;
    const places = new Int32Array(ends[BUCKETS - 1]!);
    const next = ends.slice();
    for (let i = 0; i < count; i++) if (bucketOf[i] !== 0) places[--next[bucketOf[i]! - 1]!] = i;
    return { places, ends };
  }

  function ready(): void {
    if (scores.length >= size) return;
    scores = new Float32Array(alive.length);
    states = new Uint32Array(alive.length);
    touched = new Int32Array(alive.length);
  }
  function forget(document: number): void {
    scores[document] = 0;
    states[document] = 0;
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
      stemmedIn.length * 8 +
      slots.length * 4 +
      scores.length * 12,
  };
}

/** The whole query is one quoted phrase: whatever was kept has it. */
function isOnePhrase({ units, quoted, required, sequence }: Plan): boolean {
  return required.length === 1 && units.length === quoted && required[0]!.length === sequence.length;
}

interface Top {
  /** Gives back what a score must reach to be kept. */
  offer(document: number, score: number): number;
  sorted(): Hit[];
}

/** The best `limit` of what it is offered: a heap with the worst kept one on top. */
function topOf(limit: number, order: (a: number, b: number) => number): Top {
  const heap: Hit[] = [];
  const worse = (a: Hit, b: Hit) => a.score < b.score || (a.score === b.score && order(a.document, b.document) > 0);
  const floor = () => (heap.length < limit ? -1 : heap[0]!.score);

  function siftUp(): void {
    for (let i = heap.length - 1; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (!worse(heap[i]!, heap[parent]!)) return;
      [heap[i], heap[parent]] = [heap[parent]!, heap[i]!];
      i = parent;
    }
  }
  function siftDown(): void {
    for (let i = 0; ; ) {
      const [left, right] = [2 * i + 1, 2 * i + 2];
      let least = i;
      if (left < heap.length && worse(heap[left]!, heap[least]!)) least = left;
      if (right < heap.length && worse(heap[right]!, heap[least]!)) least = right;
      if (least === i) return;
      [heap[i], heap[least]] = [heap[least]!, heap[i]!];
      i = least;
    }
  }

  return {
    offer(document, score) {
      const hit = { document, score };
      if (heap.length < limit) {
        heap.push(hit);
        siftUp();
      } else if (worse(heap[0]!, hit)) {
        heap[0] = hit;
        siftDown();
      }
      return floor();
    },
    sorted: () =>
      heap
        .sort((a, b) => (worse(a, b) ? 1 : -1))
        .map(({ document, score }) => ({ document, score: Math.max(0.0001, Math.round(score * 10_000) / 10_000) })),
  };
}

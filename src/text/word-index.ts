import { foldedWords, parseQuery } from "./analysis.js";
import { createPostings, firstOf, nextSlice } from "./postings.js";
import { type Plan, planQuery } from "./query-plan.js";
import { stem } from "./stemmer.js";
import { createTokenLog, FIELD_END, MAX_PHRASE } from "./token-log.js";
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
  /** Up to 1: how much of its score a document keeps. */
  boost?: ((document: number) => number) | undefined;
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
  /** Texts in the order of the fields; documents are numbered from 0. */
  add(texts: readonly string[], language: string | null): number;
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
const BUCKETS = 512;

export function createWordIndex(fields: readonly Field[]): WordIndex {
  const vocabulary = createVocabulary();
  const postings = createPostings();
  const tokens = createTokenLog();
  const languages: string[] = [];
  let stemmedIn = new Uint32Array(1024);
  let size = 0;
  let removed = 0;
  let alive = new Uint8Array(1024);
  // One document's words while it is added: how much each distinct one counts, by term.
  let gathered = new Float32Array(1024);
  let distinct: number[] = [];
  // Scratch of one search, by document; cleared afterwards.
  let scores = new Float32Array(0);
  let lastUnit = new Uint8Array(0);
  let matched = new Uint8Array(0);
  let near = new Uint8Array(0);
  let exact = new Uint8Array(0);
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
    return languages.length - 1;
  }

  function gather(term: number, gain: number): void {
    if (gathered[term] === 0) distinct.push(term);
    gathered[term]! += gain;
  }

  function add(texts: readonly string[], language: string | null): number {
    const number = languageNumber(language ?? "en");
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
      postings.append(term, document, Math.max(1, Math.round((255 * frequency) / (frequency + SATURATION))));
    }
    return document;
  }

  /** Adds what one term gives to the documents that have it. */
  function score(term: number, unit: number, weight: number, level: number, before: number): number {
    const bytes = postings.bytes();
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
      if (alive[document] === 0) continue;
      if (lastUnit[document] === unit) {
        scores[document]! += gain * 0.1; // a second form of the same word adds little
        continue;
      }
      if (matched[document] === 0) touched[count++] = document;
      lastUnit[document] = unit;
      matched[document]!++;
      if (level > 0) near[document]!++;
      if (level > 1) exact[document]!++;
      scores[document]! += gain;
    }
  }

  /** Calls back with a test for "these words side by side": 2 as typed, 1 in other forms, 0 not. */
  function withPhrase(places: Plan["sequence"], use: (test: (document: number) => number) => void): void {
    const length = Math.min(places.length, MAX_PHRASE);
    if (slots.length < 2 * vocabulary.size) slots = new Uint32Array(Math.ceil(vocabulary.size * 2.4));
    for (let i = 0; i < length; i++) {
      for (const term of places[i]!.typed) slots[2 * term]! |= 1 << i;
      for (const term of places[i]!.forms) slots[2 * term + 1]! |= 1 << i;
    }
    use((document) => tokens.phrase(document, slots, length));
    for (let i = 0; i < length; i++) {
      for (const term of places[i]!.typed) slots[2 * term] = 0;
      for (const term of places[i]!.forms) slots[2 * term + 1] = 0;
    }
  }

  function search(query: string, { limit, filter, boost, order }: SearchOptions): Found {
    const parsed = parseQuery(query);
    const plan = planQuery(parsed, { vocabulary, languages, frequency: postings.count, documents: size });
    const words = new Set<string>();
    for (const { variants } of plan.units) for (const { term } of variants) words.add(vocabulary.word(term));
    if (plan.units.length === 0) return { hits: [], total: 0, words };
    ready();
    let count = 0;
    let best = 0;
    plan.units.forEach(({ variants, rarity }, i) => {
      best += rarity;
      for (const { term, weight, level } of variants) count = score(term, i + 1, (rarity / 255) * weight, level, count);
    });
    if (filter !== undefined) count = keep(count, filter);
    for (const phrase of plan.required)
      withPhrase(phrase, (test) => {
        count = keep(count, (document) => test(document) === 2);
      });
    for (let i = 0; i < count; i++) {
      const document = touched[i]!;
      scores[document] = Math.min(1, (scores[document]! / best) * (boost === undefined ? 1 : boost(document)));
    }

    const tiers = phraseTiers(plan, count, limit);
    const top = topOf(limit, order);
    for (let i = 0; i < count; i++) {
      const tier = tiers[i]!;
      top.offer(touched[i]!, BANDS[tier]! + (BANDS[tier + 1]! - BANDS[tier]!) * scores[touched[i]!]!);
    }
    for (let i = 0; i < count; i++) forget(touched[i]!);
    return { hits: top.sorted(), total: count, words };
  }

  function keep(count: number, wanted: (document: number) => boolean): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const document = touched[i]!;
      if (wanted(document)) touched[kept++] = document;
      else forget(document);
    }
    return kept;
  }

  /** How well each touched document fits: some words, all of them, or the whole query side by side. */
  function phraseTiers({ units, sequence }: Plan, count: number, limit: number): Uint8Array {
    const tiers = new Uint8Array(count);
    const all = units.length;
    let complete = 0;
    for (let i = 0; i < count; i++) {
      tiers[i] = matched[touched[i]!] === all ? ALL_WORDS : SOME;
      if (near[touched[i]!] === all) complete++;
    }
    if (sequence.length === 1) {
      for (let i = 0; i < count; i++) {
        if (exact[touched[i]!] === all) tiers[i] = WHOLE_PHRASE;
        else if (near[touched[i]!] === all) tiers[i] = PHRASE_IN_OTHER_FORMS;
      }
      return tiers;
    }
    if (sequence.length === 0 || complete === 0) return tiers;
    withPhrase(sequence, (test) => {
      // The best first: once there are enough whole phrases, worse ones cannot come into the answer.
      let found = 0;
      for (const bucket of bestFirst(count, complete, all)) {
        for (const i of bucket) {
          const side = test(touched[i]!);
          if (side === 0) continue;
          tiers[i] = side === 2 ? WHOLE_PHRASE : PHRASE_IN_OTHER_FORMS;
          if (side === 2) found++;
        }
        if (found >= limit) return;
      }
    });
    return tiers;
  }

  /** The places in `touched` of the documents with every word, in buckets of falling score. */
  function* bestFirst(count: number, complete: number, all: number): Iterable<Int32Array> {
    const ends = new Int32Array(BUCKETS + 1);
    const bucketOf = (document: number) => BUCKETS - 1 - Math.min(BUCKETS - 1, Math.floor(scores[document]! * BUCKETS));
    for (let i = 0; i < count; i++) if (near[touched[i]!] === all) ends[bucketOf(touched[i]!) + 1]!++;
    for (let i = 0; i < BUCKETS; i++) ends[i + 1]! += ends[i]!;
    const starts = ends.slice();
    const places = new Int32Array(complete);
    for (let i = 0; i < count; i++) if (near[touched[i]!] === all) places[starts[bucketOf(touched[i]!)]!++] = i;
    for (let i = 0; i < BUCKETS; i++) if (ends[i + 1]! > ends[i]!) yield places.subarray(ends[i], ends[i + 1]);
  }

  function ready(): void {
    if (scores.length >= size) return;
    const room = alive.length;
    scores = new Float32Array(room);
    lastUnit = new Uint8Array(room);
    matched = new Uint8Array(room);
    near = new Uint8Array(room);
    exact = new Uint8Array(room);
    touched = new Int32Array(room);
  }
  function forget(document: number): void {
    scores[document] = 0;
    lastUnit[document] = 0;
    matched[document] = 0;
    near[document] = 0;
    exact[document] = 0;
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

/** The best `limit` of what it is offered: a heap with the worst kept one on top. */
function topOf(limit: number, order: (a: number, b: number) => number) {
  const heap: Hit[] = [];
  const worse = (a: Hit, b: Hit) => a.score < b.score || (a.score === b.score && order(a.document, b.document) > 0);
  return {
    offer(document: number, score: number): void {
      if (heap.length === limit && score < heap[0]!.score) return;
      const hit = { document, score };
      if (heap.length < limit) {
        heap.push(hit);
        for (let i = heap.length - 1; i > 0; ) {
          const parent = (i - 1) >> 1;
          if (!worse(heap[i]!, heap[parent]!)) break;
          [heap[i], heap[parent]] = [heap[parent]!, heap[i]!];
          i = parent;
        }
        return;
      }
      if (!worse(heap[0]!, hit)) return;
      heap[0] = hit;
      for (let i = 0; ; ) {
        let least = i;
        for (const child of [2 * i + 1, 2 * i + 2])
          if (child < heap.length && worse(heap[child]!, heap[least]!)) least = child;
        if (least === i) return;
        [heap[i], heap[least]] = [heap[least]!, heap[i]!];
        i = least;
      }
    },
    sorted: (): Hit[] =>
      heap
        .sort((a, b) => (worse(a, b) ? 1 : -1))
        .map(({ document, score }) => ({ document, score: Math.max(0.0001, Math.round(score * 10_000) / 10_000) })),
  };
}

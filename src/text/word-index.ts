import { foldedWords, hasPhrase, parseQuery, phraseText } from "./analysis.js";
import { createPostings, firstOf, nextSlice } from "./postings.js";
import { planQuery, type Unit } from "./query-plan.js";
import { stem } from "./stemmer.js";
import { createVocabulary } from "./vocabulary.js";

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
  /** The fields again, to tell "rule of law" from "rule by law" in the few documents where that decides. */
  texts(document: number): readonly string[];
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

/** Words of many short texts: a positional index that grows by appending and forgets by marking. */
export interface WordIndex {
  /** Texts in the order of the fields; documents are numbered from 0. */
  add(texts: readonly string[], language: string | null): number;
  remove(document: number): void;
  search(query: string, options: SearchOptions): Found;
  readonly size: number;
  readonly removed: number;
  byteSize(): number;
}

const POSITIONS = 2 ** 20;
const SATURATION = 1;
const BANDS = [0, 0.4, 0.6, 0.8, 1] as const;
const SOME = 0;
const ALL_WORDS = 1;
const PHRASE_IN_OTHER_FORMS = 2;
const WHOLE_PHRASE = 3;

export function createWordIndex(fields: readonly Field[]): WordIndex {
  const vocabulary = createVocabulary();
  const postings = createPostings();
  const languages: string[] = [];
  let stemmedIn = new Uint32Array(1024);
  let size = 0;
  let removed = 0;
  let alive = new Uint8Array(1024);
  let keys = new Float64Array(256);
  let positions = new Int32Array(64);
  // Scratch of one search, by document; cleared by `touched` afterwards.
  let scores = new Float32Array(0);
  let lastUnit = new Uint8Array(0);
  let matched = new Uint8Array(0);
  let near = new Uint8Array(0);
  let exact = new Uint8Array(0);
  let touched = new Int32Array(0);

  function intern(word: string, language: number): number {
    const term = vocabulary.intern(word.length > 64 ? word.slice(0, 64) : word);
    if (term === postingsCount) {
      postings.addTerm();
      postingsCount++;
      if (term >= stemmedIn.length) {
        const larger = new Uint32Array(stemmedIn.length * 2);
        larger.set(stemmedIn);
        stemmedIn = larger;
      }
    }
    if (!(stemmedIn[term]! & (1 << language))) {
      stemmedIn[term]! |= 1 << language;
      const stemmed = stem(vocabulary.word(term), languages[language]!);
      if (stemmed !== word) vocabulary.addStem(stemmed, term);
    }
    return term;
  }
  let postingsCount = 0;

  function languageNumber(code: string): number {
    const known = languages.indexOf(code);
    if (known >= 0) return known;
    if (languages.length === 31) return 0;
    languages.push(code);
    return languages.length - 1;
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
    const starts: number[] = [];
    const lengths: number[] = [];
    let occurrences = 0;
    let position = 0;
    for (const text of texts) {
      starts.push(position);
      const words = text === "" ? [] : foldedWords(text);
      lengths.push(words.length);
      if (occurrences + words.length > keys.length) {
        const larger = new Float64Array((occurrences + words.length) * 2);
        larger.set(keys.subarray(0, occurrences));
        keys = larger;
      }
      for (const word of words)
        keys[occurrences++] = intern(word, number) * POSITIONS + Math.min(position++, POSITIONS - 1);
      position += 2; // a phrase does not reach from one field into the next
    }
    const sorted = keys.subarray(0, occurrences).sort();
    if (positions.length < occurrences) positions = new Int32Array(occurrences * 2);
    for (let i = 0; i < occurrences; ) {
      const term = Math.floor(sorted[i]! / POSITIONS);
      const base = term * POSITIONS;
      let count = 0;
      let field = 0;
      let frequency = 0;
      for (; i < occurrences && sorted[i]! < base + POSITIONS; i++) {
        const at = sorted[i]! - base;
        positions[count++] = at;
        while (field + 1 < starts.length && at >= starts[field + 1]!) field++;
        const { weight, usual } = fields[field]!;
        frequency += weight / (0.6 + (0.4 * lengths[field]!) / usual);
      }
      const impact = Math.round((255 * frequency) / (frequency + SATURATION));
      postings.append(term, document, Math.min(255, Math.max(1, impact)), positions, 0, count);
    }
    return document;
  }

  /** Adds what one term gives to the documents that have it. */
  function score(term: number, unit: number, weight: number, level: number, count: number): number {
    const bytes = postings.bytes();
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
      const impact = bytes[at++]!;
      let first: number;
      do {
        first = byte = bytes[at++]!;
        while (byte > 127) byte = bytes[at++]!;
      } while (first & 1);
      if (alive[document] === 0) continue;
      count = credit(document, unit, weight * impact, level, count);
    }
  }

  function credit(document: number, unit: number, gain: number, level: number, count: number): number {
    if (lastUnit[document] === unit) {
      scores[document]! += gain * 0.1; // a second form of the same word adds little
      return count;
    }
    if (matched[document] === 0) touched[count++] = document;
    lastUnit[document] = unit;
    matched[document]!++;
    if (level > 0) near[document]!++;
    if (level > 1) exact[document]!++;
    scores[document]! += gain;
    return count;
  }

  /** Documents where the slots stand side by side, each as one of its terms; positions are where the phrase begins. */
  function phrase(
    slots: { terms: readonly number[]; offset: number }[],
    among: (document: number) => boolean,
  ): Map<number, number[]> {
    const byRarity = slots.map((slot) => ({
      ...slot,
      postings: slot.terms.reduce((sum, term) => sum + postings.count(term), 0),
    }));
    byRarity.sort((a, b) => a.postings - b.postings);
    let found = new Map<number, number[]>();
    byRarity.forEach(({ terms, offset }, step) => {
      const next = new Map<number, number[]>();
      for (const term of terms)
        walk(term, (document) => {
          if (alive[document] === 0) return undefined;
          const begins = found.get(document);
          if (step > 0 ? begins === undefined : !among(document)) return undefined;
          return (position) => {
            const begin = position - offset;
            if (step > 0 && !begins!.includes(begin)) return;
            const list = next.get(document);
            if (list) list.push(begin);
            else next.set(document, [begin]);
          };
        });
      found = next;
    });
    return found;
  }

  function walk(term: number, visit: (document: number) => ((position: number) => void) | undefined): void {
    const bytes = postings.bytes();
    let slice = postings.head(term);
    if (slice === 0) return;
    let at = firstOf(slice);
    let document = -1;
    for (;;) {
      let byte = bytes[at++]!;
      if (byte === 0) {
        slice = nextSlice(bytes, slice);
        if (slice === 0) return;
        at = firstOf(slice);
        continue;
      }
      let delta = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        delta |= (byte & 127) << shift;
      }
      document += delta;
      at++; // impact
      const onPosition = visit(document);
      let position = 0;
      let more = true;
      while (more) {
        byte = bytes[at++]!;
        more = (byte & 1) === 1;
        let value = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[at++]!;
          value |= (byte & 127) << shift;
        }
        position += value >>> 1;
        if (onPosition) onPosition(position);
      }
    }
  }

  function search(query: string, { limit, filter, boost, order, texts }: SearchOptions): Found {
    const parsed = parseQuery(query);
    const plan = planQuery(parsed, { vocabulary, languages, frequency: postings.count, documents: size });
    const words = new Set<string>();
    for (const unit of plan.units)
      for (const slot of unit.slots) for (const { term } of slot) words.add(vocabulary.word(term));
    if (plan.units.length === 0) return { hits: [], total: 0, words };
    ready();
    let count = 0;
    let best = 0;
    plan.units.forEach((unit, i) => {
      const weight = unit.rarity / 255;
      best += unit.rarity;
      if (unit.slots.length === 1) {
        for (const { term, weight: likeness, level } of unit.slots[0]!)
          count = score(term, i + 1, weight * likeness, level, count);
        return;
      }
      for (const document of phrase(exactSlots(unit), () => true).keys())
        count = credit(document, i + 1, weight * 160, 2, count);
    });

    const required = parsed.phrases.map((one) => phrase(termSlots(one), () => true));
    const passes = (document: number) =>
      required.every((documents) => documents.has(document)) && (filter === undefined || filter(document));
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const document = touched[i]!;
      if (passes(document)) touched[kept++] = document;
      else forget(document);
    }
    const tiers = phraseTiers(plan, kept, limit, texts);
    const top = topOf(limit, order);
    for (let i = 0; i < kept; i++) {
      const document = touched[i]!;
      const tier = tiers.get(document) ?? (matched[document] === plan.units.length ? ALL_WORDS : SOME);
      const share = Math.min(1, (scores[document]! / best) * (boost === undefined ? 1 : boost(document)));
      top.offer(document, BANDS[tier]! + (BANDS[tier + 1]! - BANDS[tier]!) * share);
    }
    for (let i = 0; i < kept; i++) forget(touched[i]!);
    return { hits: top.sorted(), total: kept, words };
  }

  /** Which documents have the whole query side by side, as typed or in other forms of its words. */
  function phraseTiers(
    plan: ReturnType<typeof planQuery>,
    kept: number,
    limit: number,
    texts: SearchOptions["texts"],
  ): Map<number, number> {
    const tiers = new Map<number, number>();
    const all = plan.units.length;
    if (plan.sequence.length === 0) return tiers;
    if (plan.sequence.length === 1) {
      for (let i = 0; i < kept; i++) {
        const document = touched[i]!;
        if (exact[document] === all) tiers.set(document, WHOLE_PHRASE);
        else if (near[document] === all) tiers.set(document, PHRASE_IN_OTHER_FORMS);
      }
      return tiers;
    }
    const inner = plan.sequence.flatMap((slot, offset) =>
      slot.terms.length > 0 && slot.content ? [{ ...slot, offset }] : [],
    );
    if (inner.length === 0 || plan.sequence.some((slot) => slot.content && slot.terms.length === 0)) return tiers;
    const among = new Set<number>();
    for (let i = 0; i < kept; i++) if (near[touched[i]!] === all) among.add(touched[i]!);
    if (among.size === 0) return tiers;
    const loose = phrase(inner, (document) => among.has(document));
    for (const document of loose.keys()) tiers.set(document, PHRASE_IN_OTHER_FORMS);
    if (inner.some(({ exact: term }) => term === undefined)) return tiers;
    const typed = phrase(
      inner.map(({ exact: term, offset }) => ({ terms: [term!], offset })),
      (document) => exact[document] === all && loose.has(document),
    );
    if (inner.length === plan.sequence.length) {
      for (const document of typed.keys()) tiers.set(document, WHOLE_PHRASE);
      return tiers;
    }
    // The little words between were not looked up: the text itself decides, best documents first.
    let confirmed = 0;
    for (const document of [...typed.keys()].sort((a, b) => scores[b]! - scores[a]!)) {
      if (confirmed === limit) break;
      if (!texts(document).some((text) => hasPhrase(phraseText(text), plan.words))) continue;
      tiers.set(document, WHOLE_PHRASE);
      confirmed++;
    }
    return tiers;
  }

  const exactSlots = (unit: Unit) =>
    unit.slots.map((slot, offset) => ({ terms: slot.map(({ term }) => term), offset }));
  function termSlots(words: readonly string[]) {
    return words.map((word, offset) => {
      const term = vocabulary.find(word);
      return { terms: term === undefined ? [] : [term], offset };
    });
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
      postings.byteSize() + vocabulary.byteSize() + alive.length + stemmedIn.length * 4 + scores.length * 12,
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

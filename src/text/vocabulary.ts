import { firstIndex } from "../kernel/collections.js";

/** The distinct words of an index: found exactly, by stem, by beginning, and with one letter wrong. */
export interface Vocabulary {
  /** The number of a word; a new word gets one. */
  intern(word: string): number;
  find(word: string): number | undefined;
  word(term: number): string;
  readonly size: number;
  /** Makes a word findable by its stem in a language. */
  addStem(stem: string, term: number): void;
  byStem(stem: string): readonly number[];
  byPrefix(prefix: string, limit: number): number[];
  /** One letter too many, too few, wrong, or two swapped. */
  byTypo(word: string): number[];
  byteSize(): number;
}

const NONE: readonly number[] = [];
/** With more new words than this they are sorted in; fewer are scanned one by one. */
const UNSORTED = 2000;

export function createVocabulary(): Vocabulary {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  // A stem's first word is kept as a bare number: most stems have only one.
  const stems = new Map<string, number | number[]>();
  let characters = 0;
  let forward = new Uint32Array(0);
  let backward = new Uint32Array(0);

  function sort(): void {
    if (words.length - forward.length <= (forward.length === 0 ? 0 : UNSORTED)) return;
    const all = Uint32Array.from(words.keys());
    forward = all.slice().sort((a, b) => compare(words[a]!, words[b]!));
    backward = all.sort((a, b) => compareBackward(words[a]!, words[b]!));
  }

  /** Visits the words of one range of the order, and those not sorted in yet, until `each` returns false. */
  function walk(
    order: Uint32Array,
    below: (word: string) => boolean,
    inside: (word: string) => boolean,
    each: (term: number) => boolean,
  ): void {
    let at = firstIndex(order.length, (i) => !below(words[order[i]!]!));
    for (; at < order.length && inside(words[order[at]!]!); at++) if (!each(order[at]!)) return;
    for (let term = order.length; term < words.length; term++) if (inside(words[term]!) && !each(term)) return;
  }
  const beginning = (prefix: string, each: (term: number) => boolean) =>
    walk(
      forward,
      (word) => word < prefix,
      (word) => word.startsWith(prefix),
      each,
    );
  const ending = (suffix: string, each: (term: number) => boolean) =>
    walk(
      backward,
      (word) => compareBackward(word, suffix) < 0,
      (word) => word.endsWith(suffix),
      each,
    );

  return {
    intern(word) {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      const term = words.length;
      numbers.set(word, term);
      words.push(word);
      characters += word.length;
      return term;
    },
    find: (word) => numbers.get(word),
    word: (term) => words[term]!,
    get size() {
      return words.length;
    },
    addStem(stem, term) {
      const known = stems.get(stem);
      if (known === undefined) stems.set(stem, term);
      else if (typeof known === "number") {
        if (known !== term) stems.set(stem, [known, term]);
      } else if (!known.includes(term)) known.push(term);
    },
    byStem(stem) {
      const known = stems.get(stem);
      return known === undefined ? NONE : typeof known === "number" ? [known] : known;
    },
    byPrefix(prefix, limit) {
      sort();
      const found: number[] = [];
      beginning(prefix, (term) => found.push(term) < limit);
      return found;
    },
    byTypo(word) {
      sort();
      // A single error leaves either the beginning or the end of the word unchanged.
      const half = word.length >> 1;
      const found = new Set<number>();
      const look = (term: number) => {
        if (isOneTypo(word, words[term]!)) found.add(term);
        return true;
      };
      beginning(word.slice(0, Math.max(1, half - 1)), look);
      ending(word.slice(half), look);
      return [...found];
    },
    byteSize: () => characters + words.length * 130 + forward.length * 8,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareBackward(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 1; i <= shorter; i++) {
    const difference = a.charCodeAt(a.length - i) - b.charCodeAt(b.length - i);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function isOneTypo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  let i = 0;
  while (i < short.length && short[i] === long[i]) i++;
  if (short.length < long.length) return short.slice(i) === long.slice(i + 1);
  if (short.slice(i + 1) === long.slice(i + 1)) return true;
  return short[i] === long[i + 1] && short[i + 1] === long[i] && short.slice(i + 2) === long.slice(i + 2);
}

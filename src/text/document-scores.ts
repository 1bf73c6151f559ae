import type { TopK } from "../kernel/top-k.js";
import { AGAIN, LAST_PLACE, type PostingList, type Postings } from "./postings.js";
import { MAX_UNITS } from "./query-plan.js";
import type { Phrase, TokenLog } from "./token-log.js";

/** The state of one search for each document that has any of its words. */
interface DocumentScores {
  /** Grows the arrays to this many documents. */
  begin(documents: number): void;
  /** Adds one term's scores to the documents that have it. */
  score(term: number, how: Scoring): void;
  /** How many documents have been found and kept. */
  readonly count: number;
  keep(wanted: (document: number) => boolean): void;
  /** Keeps documents with this many words as typed. */
  keepWhole(words: number): void;
  /** Of the documents with this many quoted words, keeps those that have the phrase as typed. */
  keepPhrase(phrase: Phrase, words: number): void;
  /** Offers all kept documents to the result, and ends the search. */
  rank(ranking: Ranking): void;
  byteSize(): number;
}

interface Scoring {
  /** Which word of the query, from 1; a second form of the same one adds little. */
  unit: number;
  weight: number;
  /** 2 as typed, 1 another form of the word, 0 a guess. */
  level: number;
  /** No further documents are added. */
  closed: boolean;
  /** Its positions are needed later. */
  quoted: boolean;
}

interface Ranking {
  words: number;
  /** Upper bound of the sum of all scores. */
  best: number;
  /** All kept documents contain the whole query as a phrase. */
  isPhrase: boolean;
  /** The query is one word. */
  isAlone: boolean;
  /** The whole query as a phrase to search for. */
  phrase: Phrase | undefined;
  top: TopK;
}

const BANDS = [0, 0.4, 0.6, 0.8, 1] as const;
const SOME = 0;
const ALL_WORDS = 1;
const PHRASE_IN_OTHER_FORMS = 2;
const WHOLE_PHRASE = 3;

// A state is four bytes: how many words matched at all, in some form, and as typed, and the number of the last one.
// Packed together, because memory access is the cost of a search.
const NEAR = 1 << 8;
const EXACT = 1 << 16;
const WORDS = 0xffffff;
const nearIn = (state: number) => (state >>> 8) & 255;
const exactIn = (state: number) => (state >>> 16) & 255;
// After the words are counted, the highest byte is the position of the phrase's anchor; below this value there is none.
const FIRST_SPOT = MAX_UNITS + 1;
const spotIn = (state: number) => (state >>> 24) - FIRST_SPOT;
// While a quoted phrase is searched, the lower bytes count the places seen, and whether all of them
// are adjacent.
const SEEN = 0xffff;
const UNSURE = 1 << 16;
/** A list this many times longer than the remaining candidates is not read: reading the texts is faster. */
const TOO_LONG = 8;

/** A posting list, without what phrases do not need. */
interface Spots {
  documents: Int32Array;
  spots: Uint8Array;
  length: number;
}
/** Number of a phrase's lists that are cached between counting words and checking the phrase. */
const MAX_LATELY = 4;

export function createDocumentScores(postings: Postings, tokens: TokenLog): DocumentScores {
  // By document; cleared when a search ends.
  let scores = new Float32Array(0);
  let states = new Uint32Array(0);
  let found = new Int32Array(0);
  let count = 0;
  let list: PostingList = { documents: new Int32Array(0), impacts: new Uint8Array(0), spots: new Uint8Array(0) };

  const lately = new Map<number, Spots>();

  function keep(wanted: (document: number) => boolean): void {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const document = found[i]!;
      if (wanted(document)) found[kept++] = document;
      else {
        scores[document] = 0;
        states[document] = 0;
      }
    }
    count = kept;
  }

  /** The position of a term. */
  function spotsOf(term: number): Spots {
    const known = lately.get(term);
    if (known) return known;
    const length = postings.read(term, list);
    return { documents: list.documents, spots: list.spots, length };
  }

  function score(term: number, { unit, weight, level, closed, quoted }: Scoring): void {
    const [{ documents, impacts }, allScores, allStates] = [list, scores, states];
    const length = postings.read(term, list);
    if (quoted && lately.size < MAX_LATELY)
      lately.set(term, { documents: documents.slice(0, length), spots: list.spots.slice(0, length), length });
    const more = 1 + (level > 0 ? NEAR : 0) + (level > 1 ? EXACT : 0);
    const tag = unit << 24;
    if (count === 0 && closed) return;
    if (count === 0) {
      found.set(documents.subarray(0, length));
      for (let i = 0; i < length; i++) {
        allStates[documents[i]!] = more | tag;
        allScores[documents[i]!] = impacts[i]! * weight;
      }
      count = length;
      return;
    }
    let upTo = count;
    for (let i = 0; i < length; i++) {
      const document = documents[i]!;
      const gain = impacts[i]! * weight;
      const state = allStates[document]!;
      if (state >>> 24 === unit) {
        allScores[document]! += gain * 0.1;
        continue;
      }
      if (state === 0) {
        if (closed) continue;
        found[upTo++] = document;
      }
      allStates[document] = ((state & WORDS) + more) | tag;
      allScores[document]! += gain;
    }
    count = upTo;
  }

  /** Records the positions of a phrase's anchors in the found documents. */
  function locate({ anchors }: Phrase): void {
    const allStates = states;
    for (let a = 0; a < anchors.length; a++) {
      const { documents, spots, length } = spotsOf(anchors[a]!);
      for (let i = 0; i < length; i++) {
        const document = documents[i]!;
        const state = allStates[document]!;
        if (state === 0) continue;
        const before = spotIn(state);
        const spot = before < 0 ? spots[i]! : Math.min(before, spots[i]!) | AGAIN;
        allStates[document] = (state & WORDS) | ((spot + FIRST_SPOT) << 24);
      }
    }
  }

  function keepPhrase(phrase: Phrase, words: number): void {
    const { anchor, length, terms } = phrase;
    const [allStates, documents] = [states, found];
    locate(phrase);
    let seen = 1;
    for (let i = 0; i < count; i++) allStates[documents[i]!] = (allStates[documents[i]!]! & ~WORDS) | seen;
    // For most texts the words' first positions, which are in the lists, decide; the others must be read.
    let unsure = 0;
    for (let place = 0; place < length; place++) {
      if (place === anchor) continue;
      if (postings.count(terms[place]!) > count * TOO_LONG) unsure = UNSURE;
      else see(terms[place]!, place - anchor, seen++);
    }
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const document = documents[i]!;
      const state = allStates[document]!;
      const spot = spotIn(state);
      let isThere = (state & SEEN) === seen && spot >= 0;
      if (isThere && ((state | unsure) & UNSURE) !== 0) isThere = tokens.sideBySide(phrase, document, spot) === 2;
      if (isThere) documents[kept++] = document;
      else scores[document] = 0;
      allStates[document] = isThere ? words * (1 + NEAR + EXACT) : 0;
    }
    count = kept;
  }

  /** Visits documents with `seen` places of a phrase, for a term at this distance from the anchor. */
  function see(term: number, distance: number, seen: number): void {
    const { documents, spots, length } = spotsOf(term);
    const allStates = states;
    for (let i = 0; i < length; i++) {
      const document = documents[i]!;
      const state = allStates[document]!;
      if ((state & SEEN) !== seen) continue;
      const own = spots[i]!;
      const anchors = spotIn(state);
      const at = own >> 1;
      const from = anchors >> 1;
      if (at - from === distance && at < LAST_PLACE && from < LAST_PLACE) allStates[document] = state + 1;
      else if ((own & AGAIN) !== 0) allStates[document] = (state + 1) | UNSURE;
      else if ((anchors & AGAIN) !== 0 && at >= distance) {
        // It has no other position, so only one of the anchor's positions is left.
        const only = at - distance < LAST_PLACE ? (at - distance) * 2 : anchors;
        allStates[document] = ((state & WORDS) + 1) | UNSURE | ((only + FIRST_SPOT) << 24);
      }
    }
  }

  function rank({ words, best, isPhrase, isAlone, phrase, top }: Ranking): void {
    const [allScores, allStates, documents] = [scores, states, found];
    if (phrase) locate(phrase);
    // A score per tier that was too low for the result: lower ones need no phrase check.
    const tooLow = new Float64Array(BANDS.length).fill(-1);
    let floor = -1;
    // Those that win ties come first, so that the others are rejected without moving entries.
    const backward = count > 0 && top.order(documents[0]!, documents[count - 1]!) > 0;
    for (let i = 0; i < count; i++) {
      const document = documents[backward ? count - 1 - i : i]!;
      const state = allStates[document]!;
      const score = allScores[document]!;
      allStates[document] = 0;
      allScores[document] = 0;
      let tier = nearIn(state) === words ? ALL_WORDS : SOME; // guesses are no words of the query
      if (isPhrase || (isAlone && exactIn(state) === words)) tier = WHOLE_PHRASE;
      else if (isAlone && nearIn(state) === words) tier = PHRASE_IN_OTHER_FORMS;
      else if (phrase !== undefined && nearIn(state) === words) {
        if (score <= tooLow[WHOLE_PHRASE]!) continue;
        const side = tokens.sideBySide(phrase, document, spotIn(state));
        if (side > 0) tier = side === 2 ? WHOLE_PHRASE : PHRASE_IN_OTHER_FORMS;
      }
      if (score <= tooLow[tier]!) continue;
      const value = BANDS[tier]! + (BANDS[tier + 1]! - BANDS[tier]!) * Math.min(1, score / best);
      if (value < floor) tooLow[tier] = score;
      else {
        top.offer(document, value);
        floor = top.floor;
      }
    }
    count = 0;
    lately.clear();
  }

  return {
    begin(documents) {
      // Left over from a search that was aborted.
      keep(() => false);
      lately.clear();
      if (scores.length >= documents) return;
      list = {
        documents: new Int32Array(documents),
        impacts: new Uint8Array(documents),
        spots: new Uint8Array(documents),
      };
      found = new Int32Array(documents);
      states = new Uint32Array(documents);
      scores = new Float32Array(documents);
    },
    score,
    get count() {
      return count;
    },
    keep,
    keepWhole: (words) => keep((document) => exactIn(states[document]!) === words),
    keepPhrase,
    rank,
    byteSize: () => scores.length * 18,
  };
}

import { isUnspaced } from "../kernel/scripts.js";

/** Kinds of characters, computed once each: a regular expression per word would be most of the cost. */
const BREAK = 1;
const LETTER = 2;
const DIGIT = 3;
const MARK = 4;
/** A letter that is indexed by itself and in pairs. */
const CHARACTER = 5;
const APOSTROPHE = 6;

/** Korean has spaces, but attaches particles to words: single characters match where whole words would not. */
const HANGUL = /\p{Script=Hangul}/u;
const kinds = new Uint8Array(65_536);

/** What an apostrophe leaves behind (author's, we'll) or puts in front (l'homme, dell'arte). */
const CLITICS_AFTER = new Set(["s", "t", "d", "m", "ll", "re", "ve"]);
const CLITICS_BEFORE = new Set(["c", "d", "j", "l", "m", "n", "s", "t", "qu", "dell", "nell", "all", "sull", "un"]);

/**
 * Folded text cut into words, numbers (which keep their inner points, and lose the commas of thousands), and runs of an
 * unspaced script.
 */
export function wordRuns(folded: string): string[] {
  const runs: string[] = [];
  let at = 0;
  while (at < folded.length) {
    const kind = kindAt(folded, at);
    if (kind === BREAK || kind === APOSTROPHE) {
      at += width(folded, at);
      continue;
    }
    const start = at;
    if (kind === CHARACTER) {
      at = skip(folded, at, isRunPart);
      runs.push(folded.slice(start, at));
      continue;
    }
    at = kind === DIGIT ? skipNumber(folded, at) : skipWord(folded, at);
    const run = folded.slice(start, at);
    if (at < folded.length && kindAt(folded, at) === APOSTROPHE && kindAt(folded, at - 1) === LETTER) {
      const end = skipWord(folded, at + 1);
      if (CLITICS_AFTER.has(folded.slice(at + 1, end))) at = end;
      else if (end > at + 1 && CLITICS_BEFORE.has(run)) continue;
    }
    runs.push(kind === DIGIT && run.includes(",") && GROUPED.test(run) ? run.replaceAll(",", "") : run);
  }
  return runs;
}

/** Whether a run, or one character of it, is indexed character by character. */
export function isCharacterRun(run: string): boolean {
  return kindAt(run, 0) === CHARACTER;
}

const GROUPED = /^\p{N}{1,3}(?:,\p{N}{3})+$/u;
const isRunPart = (kind: number) => kind === CHARACTER || kind === MARK;

function skip(text: string, from: number, belongs: (kind: number) => boolean): number {
  let at = from;
  while (at < text.length && belongs(kindAt(text, at))) at += width(text, at);
  return at;
}

/** Letters, digits and marks: most of every text, so without a call per character. */
function skipWord(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const known = kinds[text.charCodeAt(at)] ?? 0;
    if (known >= LETTER && known <= MARK) {
      at++;
      continue;
    }
    const kind = known || kindAt(text, at);
    if (kind < LETTER || kind > MARK) break;
    at += width(text, at);
  }
  return at;
}

/** Digits, with single points and commas between them; letters may follow digits (19th, 2a) but not a point. */
function skipNumber(text: string, from: number): number {
  let at = skip(text, from, (kind) => kind === DIGIT);
  let inner = false;
  for (;;) {
    const sign = text[at];
    if ((sign !== "." && sign !== ",") || at + 1 >= text.length || kindAt(text, at + 1) !== DIGIT) break;
    inner = true;
    at = skip(text, at + 1, (kind) => kind === DIGIT);
  }
  return inner ? at : skipWord(text, at);
}

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const known = kinds[unit];
  if (known) return known;
  if (unit >= 0xd800 && unit < 0xe000) return kindOf(String.fromCodePoint(text.codePointAt(at) ?? 0));
  const kind = kindOf(String.fromCharCode(unit));
  kinds[unit] = kind;
  return kind;
}

function kindOf(character: string): number {
  if (/['’ʼ]/.test(character)) return APOSTROPHE;
  if (isUnspaced(character) || HANGUL.test(character)) return CHARACTER;
  if (/\p{L}/u.test(character)) return LETTER;
  if (/\p{N}/u.test(character)) return DIGIT;
  return /\p{M}/u.test(character) ? MARK : BREAK;
}

function width(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit < 0xdc00 && at + 1 < text.length ? 2 : 1;
}

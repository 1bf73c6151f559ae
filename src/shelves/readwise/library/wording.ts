/** A text with normalised typography and white space, and the offset of each character in the original. */
function plain(text: string): { letters: string; places: number[] } {
  const letters: string[] = [];
  const places: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const letter = PLAIN[text[i]!] ?? text[i]!;
    const space = letter.trim() === "";
    if (space && (letters.length === 0 || letters.at(-1) === " ")) continue;
    letters.push(space ? " " : letter);
    places.push(i);
  }
  return { letters: letters.join(""), places };
}

const PLAIN: Readonly<Record<string, string>> = {
  "“": '"',
  "”": '"',
  "„": '"',
  "‘": "'",
  "’": "'",
  "‐": "-",
  "‑": "-",
  "–": "-",
  "—": "-",
};

interface Located {
  /** The wording in the text. */
  exact: string;
  start: number;
}

/** Finds a passage in a text; quotation marks, dashes and white space may differ. */
export function locate(passage: string, text: string): Located | undefined {
  const wanted = plain(passage).letters.trim();
  const { letters, places } = plain(text);
  const at = wanted === "" ? -1 : letters.indexOf(wanted);
  if (at < 0) return undefined;
  const start = places[at]!;
  return { exact: text.slice(start, places[at + wanted.length - 1]! + 1), start };
}

/** At least this share of the words must be the same for a wording to be worth showing. */
const ALIKE = 0.5;

/** The range of a text, as long as the passage, with most of its words; undefined if nothing is similar. */
export function nearestWording(passage: string, text: string): string | undefined {
  const wanted = wordsOf(passage).map(({ word }) => word);
  const words = wordsOf(text);
  if (wanted.length === 0) return undefined;
  const need = new Map<string, number>();
  for (const word of wanted) need.set(word, (need.get(word) ?? 0) + 1);
  let same = 0;
  let best = { same: 0, at: 0 };
  for (let i = 0; i < words.length; i++) {
    const left = need.get(words[i]!.word);
    if (left !== undefined) {
      if (left > 0) same++;
      need.set(words[i]!.word, left - 1);
    }
    const gone = words[i - wanted.length]?.word;
    const back = gone === undefined ? undefined : need.get(gone);
    if (gone !== undefined && back !== undefined) {
      if (back >= 0) same--;
      need.set(gone, back + 1);
    }
    if (same > best.same) best = { same, at: Math.max(0, i - wanted.length + 1) };
  }
  if (best.same / wanted.length < ALIKE) return undefined;
  const last = words[Math.min(words.length, best.at + wanted.length) - 1]!;
  return text.slice(words[best.at]!.start, last.end).slice(0, 500);
}

function wordsOf(text: string): { word: string; start: number; end: number }[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), (match) => ({
    word: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

import type { Line } from "./pdf-layout.js";

// What a UTF-16 unit counts as, one bit per question; computed once per unit, since every page is counted.
const [KNOWN, SPACE, STRANGE, LETTER, DOT, LATIN, VOWEL] = [1, 2, 4, 8, 16, 32, 64];
const kinds = new Uint8Array(0x10000);

function kindOf(unit: number): number {
  const character = String.fromCharCode(unit);
  let kind = KNOWN;
  if (/\s/.test(character)) kind |= SPACE;
  if (/[\ufffd\ue000-\uf8ff\u0000-\u001f\u0080-\u009f]/.test(character)) kind |= STRANGE;
  // Half of a surrogate pair: letters outside the first plane come as two.
  if (/[\p{L}\p{N}\ud800-\udfff]/u.test(character)) kind |= LETTER;
  if (/[.·•_=-]/.test(character)) kind |= DOT;
  if (/\p{Script=Latin}/u.test(character)) kind |= LATIN;
  if (/^[aeiouy]/i.test(character.normalize("NFD"))) kind |= VOWEL;
  kinds[unit] = kind;
  return kind;
}

const CHARACTERS_TO_JUDGE = 100;
const LATIN_TO_JUDGE = 300;

/** Whether the text layer is unreadable: private characters, replacement marks, signs or glyph numbers instead of letters. */
export function isGarbled(lines: readonly Line[]): boolean {
  const counts = new Uint32Array(128);
  for (const { text } of lines)
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      counts[kinds[unit] || kindOf(unit)]!++;
    }
  const count = (bit: number) =>
    counts.reduce((sum, some, kind) => (kind & bit && !(kind & SPACE) ? sum + some : sum), 0);
  const all = count(KNOWN);
  if (all < CHARACTERS_TO_JUDGE) return false;
  // Rows of dots in a table of contents do not count as signs.
  if (count(STRANGE) > all * 0.2 || count(LETTER) < (all - count(DOT)) * 0.35) return true;
  // "7KLV LV": glyph numbers read as letters. Languages in Latin letters have a third of vowels, pages of code a quarter.
  const latin = count(LATIN);
  return latin >= LATIN_TO_JUDGE && latin >= all * 0.5 && count(VOWEL) < latin * 0.2;
}

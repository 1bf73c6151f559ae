/** Scripts written without spaces between words, and the mark that lengthens a vowel in two of them. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
/** The first code point of the lowest of them, Thai. */
const FIRST_UNSPACED = 0x0e00;

/** Whether the text begins with a character of a script that puts no spaces between words. */
export function isUnspaced(text: string): boolean {
  return text.charCodeAt(0) >= FIRST_UNSPACED && UNSPACED.test(text);
}

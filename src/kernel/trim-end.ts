/**
 * The text without the characters at its end that `one` matches. `text.replace(/x+$/, "")` starts at every x of the text
 * and so takes time with the square of a long run; this looks at each character once.
 */
export function trimEndOf(text: string, one: RegExp): string {
  let end = text.length;
  while (end > 0) {
    const from = end - (isSurrogatePair(text, end) ? 2 : 1);
    if (!one.test(text.slice(from, end))) break;
    end = from;
  }
  return text.slice(0, end);
}

function isSurrogatePair(text: string, end: number): boolean {
  const low = text.charCodeAt(end - 1) & 0xfc00;
  return low === 0xdc00 && (text.charCodeAt(end - 2) & 0xfc00) === 0xd800;
}

// TeX and other programs draw an accent as a separate glyph before its letter.
const COMBINING: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "´": "\u0301",
  ˆ: "\u0302",
  "˜": "\u0303",
  "¯": "\u0304",
  "˘": "\u0306",
  "˙": "\u0307",
  "¨": "\u0308",
  "˚": "\u030a",
  "˝": "\u030b",
  ˇ: "\u030c",
  "¸": "\u0327",
  "˛": "\u0328",
};
const ACCENTED = /([`´ˆ˜¯˘˙¨˚˝ˇ¸˛])(\p{L})/gu;
// "it´s", "don´t": an apostrophe.
const APOSTROPHE = /^(?:[stdm]|ll|re|ve)(?!\p{L})/u;

/** "B¨arenreiter" becomes "Bärenreiter". Quotation marks, paths, code and mathematics with the same signs are not changed. */
export function composeAccents(text: string): string {
  if (!/[`´ˆ˜¯˘˙¨˚˝ˇ¸˛]/.test(text)) return text;
  const composed = text.replace(ACCENTED, (whole, accent: string, letter: string, at: number) => {
    const after = text.slice(at + 1, at + 4);
    const inWord = /\p{L}$/u.test(text.slice(Math.max(0, at - 2), at));
    const capital = /[AEIOU]/.test(letter) && /^\p{L}{2}/u.test(after) && !/[`˜ˆ]/.test(accent);
    // These signs are nothing but accents.
    const plain = /[ˇ¸˛˝˚˘]/.test(accent);
    if (!inWord && !capital && !plain) return whole;
    if (accent === "`" && !/[aeiou]/i.test(letter)) return whole;
    if (accent === "´" && APOSTROPHE.test(after)) return whole;
    return compose(letter, accent) ?? whole;
  });
  // Some drivers set the accent after its letter: "Ba¨r".
  return composed.replace(/([aouAOU])¨(?=\p{L})/gu, (whole, letter: string) => compose(letter, "¨") ?? whole);
}

const INITIAL = /(?<![\p{L}`´ˆ¨˜])([`´ˆ¨˜])([aeiouyszcnlr])(\p{L}*)(?![\p{L}`´ˆ¨˜'’])/giu;

/**
 * "´ecriture" becomes "écriture", "`a" becomes "à". Only for documents that draw their accents before the letters: elsewhere a
 * sign before a word is a quotation mark.
 */
export function composeInitials(text: string): string {
  if (!/[`´ˆ¨˜]/.test(text)) return text;
  return text.replace(INITIAL, (whole, accent: string, letter: string, rest: string) => {
    if (accent === "`" ? !/[aeiou]/i.test(letter) : !rest) return whole;
    return `${compose(letter, accent) ?? accent + letter}${rest}`;
  });
}

function compose(letter: string, accent: string): string | undefined {
  const base = letter === "ı" ? "i" : letter === "ȷ" ? "j" : letter;
  const composed = `${base}${COMBINING[accent]}`.normalize("NFC");
  return composed.length === 1 ? composed : undefined;
}

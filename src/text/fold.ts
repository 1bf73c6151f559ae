const MARKS = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const INVISIBLE = /[\u00ad\u200b\u200c\u200e\u200f\u2060\ufeff]/g;
const ARABIC = /[\u0600-\u06ff]/;
const SPECIAL = /[ßæœøđłıþðħёς]/g;
const SPECIAL_FORMS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ł: "l",
  ı: "i",
  þ: "th",
  ð: "d",
  ħ: "h",
  ё: "е",
  ς: "σ",
};

/**
 * Case, diacritics, ligatures and width folded away. Marks go only where they decorate a letter (Latin, Greek, Arabic
 * vowel points): in Devanagari they are vowels, and й is a letter of its own.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower;
  const plain = lower
    .replace(INVISIBLE, "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(MARKS, "$1")
    .normalize("NFC")
    .replace(SPECIAL, (letter) => SPECIAL_FORMS[letter] ?? letter);
  return ARABIC.test(plain) ? foldArabic(plain) : plain;
}

/** Vowel points and tatweel dropped; alef, yeh and teh marbuta in one spelling each. */
function foldArabic(text: string): string {
  return text
    .replace(/[\u0640\u064b-\u065f\u0670]/g, "")
    .replace(/[\u0622\u0623\u0625\u0671]/g, "\u0627")
    .replace(/\u0649/g, "\u064a")
    .replace(/\u0629/g, "\u0647");
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

import { fold } from "../../text/fold.js";
import { type CslItem, firstName, yearOf } from "../csl.js";

const SMALL_WORDS = new Set(
  "a an and as at by for from in into is it of on or the to with le la les l un une des du de et der die das den dem ein eine und von zu el los las una y il lo gli i".split(
    " ",
  ),
);

/** A readable key: family name, first word of the title, year. Without an author, more words of the title. */
export function readableKey(item: CslItem): string {
  const family = letters(firstName(item) ?? "");
  const titleWords = (item.title ?? "").split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const telling = titleWords.filter((word) => !SMALL_WORDS.has(word.toLowerCase()));
  const chosen = (telling.length > 0 ? telling : titleWords).slice(0, family ? 1 : 3).map(letters);
  const [first = "", ...rest] = family ? [family, ...chosen] : chosen;
  const key = first.slice(0, 40) + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1, 40)).join("");
  return (key || "untitled") + (yearOf(item) ?? "");
}

function letters(text: string): string {
  return fold(text).replace(/[^\p{L}\p{N}]/gu, "");
}

/** `key`, or `key` with the first free letter added: b for the second work, c for the third. */
export function freeKey(key: string, taken: (key: string) => boolean): string {
  if (!taken(key)) return key;
  for (let n = 1; ; n++) {
    let suffix = "";
    for (let rest = n; rest >= 0; rest = Math.floor(rest / 26) - 1)
      suffix = String.fromCharCode(97 + (rest % 26)) + suffix;
    if (!taken(key + suffix)) return key + suffix;
  }
}

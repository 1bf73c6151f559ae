import { trimEndOf } from "../kernel/trim-end.js";
import { partsOf } from "../text/parts-of.js";

// Extracts authors' names from free text. Doubtful names are left out: a missing author is better than a wrong one.

const CORPORATE =
  /(?:^the\s)|\b(?:teams?|groups?|workgroup|project|foundation|list|university|universität|université|institut[eo]?|inc|ltd|llc|gmbh|corp|corporation|company|committee|consortium|association|society|press|department|editors?|contributors|developers|maintainers|technology|technologies|organi[sz]ation|ministry|agency|office|council|bank|union|commission|laborator(?:y|ies)|labs?|research|centre|center|college|school|museum|library|community|network|authority|bureau|board|collaboration|publications?|publishing|verlag|microsystems|systems|software|linux|gnu|debian|service|administration)\b/iu;
const JUNK =
  /^(?:unknown|anonymous|anon|author|authors|name|user|owner|admin(?:istrator)?|root|guest|default|none|null|n\/?a|untitled|various|et\.? al\.?|al\.?|your name|author name|microsoft|adobe|office|windows|hp|dell|lenovo|pc|home|me)$|array\(0x|^\P{L}+$|https?:|www\./iu;
const AFTER_NAME = /^(?:inc|ltd|llc|gmbh|co|jr|sr|ii|iii|iv)\.?$/iu;
const DEGREE = /^(?:ph\.?\s?d|m\.?d|m\.?sc|b\.?sc|m\.?a|dr|prof|esq)\.?$/iu;
const PARTICLE =
  /^(?:de|del|della|der|den|di|da|do|dos|du|la|le|les|van|von|zu|zur|ten|ter|af|av|bin|ibn|al|el|y|e|st\.?)$/iu;
const WORD_OF_NAME = /^(?:\p{Lu}\.?|\p{Lu}\.(?:-?\p{Lu}\.)+|\p{Lu}[\p{L}\p{M}’'`-]+\.?|\p{Lu}\.\p{Lu}[\p{L}’'-]+)$/u;

export function isCorporate(name: string): boolean {
  return CORPORATE.test(name) && !/^[^,]+,\s*\p{Lu}\p{Ll}+$/u.test(name);
}

/** Two to five words that look like a person's name. East Asian names have no spaces to count. */
export function isPersonName(name: string): boolean {
  if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}・\s]{2,12}$/u.test(name)) return true;
  const words = name.split(/\s+/);
  if (words.length < 2 || words.length > 5 || name.length > 60) return false;
  const last = words.at(-1)!;
  return (
    words.every((word) => WORD_OF_NAME.test(word) || PARTICLE.test(word)) &&
    WORD_OF_NAME.test(words[0]!) &&
    /\p{L}{2}/u.test(last) &&
    !isCorporate(name)
  );
}

/** Removes what surrounds a name: note marks, addresses, brackets, "by", copyright signs, degrees. */
export function cleanName(written: string): string {
  const bare = written
    .replace(/(?:^|\s)(?:\(c\)|©|copyright)\s*(?:\d{4}[-–,\s]{0,3})*/giu, " ")
    .replace(/<[^<>]*>|\([^()]*\)|（[^（）]*）|\[[^[\]]*\]/g, " ")
    .replace(/\S+/g, (word) => (/.@./.test(word) ? " " : word))
    .replace(/^\s*(?:by|von|par|por|written by|edited by|editors?:?|authors?:)\s+/iu, "")
    .trimEnd();
  const name = trimEndOf(bare, /[\d*∗†‡§¶,;:.\s]/u);
  return `${name}${bare.slice(name.length) === "." ? "." : ""}`
    .replace(/[\u00b9\u00b2\u00b3\u2070-\u2079*∗†‡§¶]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** The names of persons and institutions in a field that lists them in any usual way. */
export function splitAuthors(field: string | undefined | null): string[] {
  const parts = (field ?? "")
    .replace(/\0/g, "")
    .replace(/\s+/g, " ")
    .replace(/\b(?:maintained|edited|translated|compiled)\b.*$/iu, "")
    .replace(/,? ?\bet\.? al\.?/giu, "")
    .replace(/,\s*(?:and|und|et|y|&)\s*,/giu, ";")
    .replace(/,? (?:and|und|et|y|&) /giu, ";")
    .replace(/[、；·和]/gu, ";")
    .split(";");
  const names = parts
    .flatMap((part) => byComma(part))
    .filter((name) => !JUNK.test(name))
    .map(cleanName);
  return [...new Set(names.filter((name) => !JUNK.test(name) && (name.match(/\p{L}/gu)?.length ?? 0) > 1))];
}

/** "Lovelace, Ada" is one name, "Ada Lovelace, Charles Babbage" are two; "Inc." and "Jr." belong to the name before them. */
function byComma(part: string): string[] {
  const pieces = partsOf(part, ",").filter((piece) => !DEGREE.test(piece));
  const joined: string[] = [];
  for (const piece of pieces) {
    if (AFTER_NAME.test(piece) && joined.length) joined[joined.length - 1] += `, ${piece}`;
    else joined.push(piece);
  }
  const [family, given] = joined;
  const isInverted =
    joined.length === 2 && family !== undefined && given !== undefined && !family.includes(" ") && !isCorporate(given);
  return isInverted ? [`${family}, ${given}`] : joined;
}

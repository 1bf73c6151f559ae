import { TEX_ACCENTS, TEX_LETTERS } from "../tex-letters.js";

// Values of BibTeX fields are TeX. citation-js's parser knows accents, symbols and the common text commands. Other commands
// are replaced by plain text here, so that none stays in a title and none breaks the parser.

const PLAIN: Readonly<Record<string, string>> = {
  TeX: "TeX",
  LaTeX: "LaTeX",
  LaTeXe: "LaTeX 2ε",
  BibTeX: "BibTeX",
  BibLaTeX: "BibLaTeX",
  XeTeX: "XeTeX",
  XeLaTeX: "XeLaTeX",
  LuaTeX: "LuaTeX",
  LuaLaTeX: "LuaLaTeX",
  pdfTeX: "pdfTeX",
  ConTeXt: "ConTeXt",
  AmS: "AMS",
  METAFONT: "METAFONT",
  MF: "METAFONT",
  MP: "MetaPost",
  hyphen: "-",
  slash: "/",
  dots: "…",
  ldots: "…",
  textellipsis: "…",
  newline: " ",
  linebreak: " ",
  par: " ",
  quad: " ",
  qquad: " ",
  space: " ",
  nobreakspace: " ",
  ",": " ",
  " ": " ",
  "\n": " ",
  "\\": " ",
  "/": "",
  "-": "",
  "@": "",
  ";": " ",
  ":": " ",
  "!": "",
};
/** Commands whose first argument is not text. */
const ARGUMENT_IS_NO_TEXT = new Set(
  "href fontsize selectlanguage foreignlanguage textlang vspace hspace color textcolor".split(" "),
);

const ACCENT =
  /\\(?:(['`^"~=.])[ \t]?|([uvHcdbrk])(?=[ \t{\\])[ \t]?)(?:\{(\\?[A-Za-z])[ \t]?\}|\\([ij])(?![A-Za-z])[ \t]?|([A-Za-z]))/g;

/**
 * Replaces accents and letters by characters: the parser takes a name that begins with a braced accent for a particle.
 */
function withLetters(value: string): string {
  if (!value.includes("\\")) return value;
  return value
    .replace(ACCENT, (_all, sign: string, name: string, braced: string, dotless: string, bare: string) => {
      const letter = (braced ?? dotless ?? bare).replace("\\", "");
      return (letter + TEX_ACCENTS[sign ?? name]!).normalize("NFC");
    })
    .replace(
      /\\(ss|ae|AE|oe|OE|aa|AA|[oOlLij])(?![A-Za-z])(?:\{\}|[ \t])?/g,
      (_all, name: string) => TEX_LETTERS[name]!,
    )
    .replace(/\{([^\p{ASCII}]\p{M}?)\}/gu, "$1");
}

type KnownCommands = (name: string) => boolean;

const COMMAND = /\\(?:([A-Za-z]+)(\*?)[ \t\n]*|([\s\S]))/g;

/** Replaces commands the parser does not know by what they print, or else by their argument. */
export function knownTex(written: string, isKnown: KnownCommands): string {
  const value = withLetters(written);
  if (!value.includes("\\")) return value;
  let out = "";
  let from = 0;
  for (const match of value.matchAll(COMMAND)) {
    if (match.index < from) continue;
    out += value.slice(from, match.index);
    from = match.index + match[0].length;
    const name = match[1] ?? match[3]!;
    const plain = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
    if (plain !== undefined) out += plain;
    else if (ARGUMENT_IS_NO_TEXT.has(name)) from = afterGroup(value, from);
    else if (isKnown(name)) out += match[2] ? `\\${name}` : match[0];
    // The options of a dropped command are dropped too.
    else if (value[from] === "[") from = Math.max(from, value.indexOf("]", from) + 1);
  }
  return out + value.slice(from);
}

function afterGroup(value: string, from: number): number {
  if (value[from] !== "{") return from;
  let depth = 0;
  for (let at = from; at < value.length; at++) {
    if (value[at] === "{") depth++;
    else if (value[at] === "}" && --depth === 0) return at + 1;
  }
  return value.length;
}

/** Only the words: for a value whose TeX cannot be parsed. */
export function plainWords(value: string): string {
  return withLetters(value)
    .replace(/\\([&%$#_])/g, "$1")
    .replace(/\\(?:[A-Za-z]+\*?|[\s\S])/g, "")
    .replace(/[{}$^~\\]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

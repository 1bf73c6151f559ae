import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Run } from "./pdf-segments.js";
import { OPS } from "./pdfjs.js";

// Where TeX's text fonts have their ligatures. Older versions of dvipdfmx write a map of letters without them: pdf.js then
// takes the code for a control character, which is white space, and "specification" becomes "speci cation".
const LIGATURES: Readonly<Record<number, string>> = { 11: "ff", 12: "fi", 13: "fl", 14: "ffi", 15: "ffl" };
// Other signs that such a map leaves out and that come as what their code means elsewhere: \ on the fly" is “on the fly”.
const SIGNS: Readonly<Record<string, string>> = {
  ...{ "\x0e": "ffi", "\x0f": "ffl", "\x10": "ı", "\x19": "ß", "\x1a": "æ", "\x1b": "œ", "\x1c": "ø" },
  ...{ "\x1d": "Æ", "\x1e": "Œ", "\x1f": "Ø", '"': "”", "\\": "“", "{": "–", "|": "—" },
  ...{ "\x12": "`", "\x13": "´", "\x14": "ˇ", "\x15": "˘", "\x17": "˚", "\x18": "¸", "\x7f": "¨" },
};
// The same in TeX's newer encoding, which comes as control characters where a font does not name its letters.
const CORK: Readonly<Record<string, string>> = {
  ...{ "\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl" },
  ...{ "\x10": "“", "\x11": "”", "\x12": "„", "\x13": "«", "\x14": "»", "\x15": "–", "\x16": "—" },
};
// Not the mathematical fonts (CMMI, CMSY, CMEX, CMBSY) and typewriters (CMTT, CMTTI, CMSLTT, CMITT, CMTEX, and small capitals, CMCSC): they have
// other signs there.
const TEXT_FONT = /^(?:[A-Z]{6}\+)?CM(?:R|BX|B|TI|BXTI|SL|BXSL|SS|SSI|SSBX|SSDC|U|DUNH|FIB)\d+$/i;
const WORD_SPACE = 150; // in thousandths of the size; kerns between letters are narrower
const IGNORED = /^[\s\p{Cf}\0]*$/u;

interface Drawn {
  text: string;
  sign?: string;
  /** For a lost ligature: its letters, its width in sizes of the type, and whether white space is on either side. */
  ligature?: { letters: string; width: number; spaceBefore: boolean; spaceAfter: boolean };
}

/** Ligatures, quotation marks and dashes that came as control characters. */
export function restoreCorkSigns(runs: readonly Run[]): void {
  const controls = runs.filter(({ text }) => /[\x10-\x1f]/.test(text));
  // In the older encoding these are ligatures, and the others mean letters.
  if (controls.length === 0 || runs.some(({ text }) => /[\x0e\x0f]/.test(text))) return;
  for (const run of controls)
    run.text = run.text.replace(/[\x10-\x1f]/g, (sign, at: number, text: string) => {
      const isBesideLetter = /\p{L}/u.test(`${text[at - 1] ?? ""}${text[at + 1] ?? ""}`);
      return sign < "\x1b" || isBesideLetter ? (CORK[sign] ?? sign) : sign;
    });
}

/** Puts lost ligatures back into the runs of a page; returns how many. Where the two do not match, nothing is changed. */
export async function restoreLigatures(page: PDFPageProxy, runs: readonly Run[]): Promise<number> {
  const drawn = await drawnLetters(page);
  const lost = drawn.filter(({ ligature, sign }) => ligature ?? sign).length;
  if (lost === 0) return 0;
  const places = matchLetters(drawn, runs);
  if (!places) return 0;
  // From the end, so that earlier places stay right.
  for (const { drawn, before, after } of places.reverse())
    if (drawn.ligature) insert(runs, drawn.ligature, before, after);
    else if (drawn.sign && after) replace(runs[after.run]!, after.at, drawn.sign);
  return lost;
}

async function drawnLetters(page: PDFPageProxy): Promise<Drawn[]> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 });
  const drawn: Drawn[] = [];
  let isText = false;
  for (const [i, operator] of fnArray.entries()) {
    if (operator === OPS.setFont) isText = isTextFont(page, String(argsArray[i][0]));
    if (operator !== OPS.showText) continue;
    let space = true;
    for (const glyph of argsArray[i][0] as readonly unknown[]) {
      const { unicode, code, width } = glyphOf(glyph);
      const last = drawn.at(-1)?.ligature;
      const letters = isText && IGNORED.test(unicode) ? LIGATURES[code] : undefined;
      if (letters) drawn.push({ text: "", ligature: { letters, width, spaceBefore: space, spaceAfter: true } });
      else if (IGNORED.test(unicode)) {
        space ||= typeof glyph === "number" ? glyph < -WORD_SPACE : unicode.length > 0;
        continue;
      } else if (isText && SIGNS[unicode]) drawn.push({ text: unicode, sign: SIGNS[unicode] });
      else for (const text of unicode) drawn.push({ text });
      if (last && !space) last.spaceAfter = false;
      space = false;
    }
  }
  return drawn;
}

function isTextFont(page: PDFPageProxy, id: string): boolean {
  const font: unknown = page.commonObjs.has(id) ? page.commonObjs.get(id) : undefined;
  return TEXT_FONT.test(String((font as { name?: unknown } | undefined)?.name ?? ""));
}

function glyphOf(glyph: unknown): { unicode: string; code: number; width: number } {
  const given = (typeof glyph === "object" && glyph ? glyph : {}) as Record<string, unknown>;
  const { unicode, originalCharCode, width } = given;
  return {
    unicode: typeof unicode === "string" ? unicode : "",
    code: typeof originalCharCode === "number" ? originalCharCode : -1,
    width: typeof width === "number" ? width / 1000 : 0,
  };
}

interface Letter {
  run: number;
  at: number;
}
/** Where something lost belongs: between two letters, or in place of the second. */
interface Place {
  drawn: Drawn;
  before: Letter | undefined;
  after: Letter | undefined;
}

/** Where in the runs each ligature and sign stands; undefined where the runs have other letters than were drawn. */
function matchLetters(drawn: readonly Drawn[], runs: readonly Run[]): Place[] | undefined {
  const letters: (Letter & { text: string })[] = runs.flatMap(({ text }, run) =>
    [...text.matchAll(/[^\s\p{Cf}\0]/gu)].map((match) => ({ run, at: match.index, text: match[0] })),
  );
  const places: Place[] = [];
  let next = 0;
  for (const each of drawn) {
    if (each.ligature || each.sign) places.push({ drawn: each, before: letters[next - 1], after: letters[next] });
    if (each.ligature) continue;
    if (letters[next]?.text !== each.text) return undefined;
    next++;
  }
  return next === letters.length ? places : undefined;
}

function replace(run: Run, at: number, sign: string) {
  run.text = run.text.slice(0, at) + sign + run.text.slice(at + 1);
}

function insert(runs: readonly Run[], ligature: NonNullable<Drawn["ligature"]>, before?: Letter, after?: Letter) {
  const { letters, spaceBefore, spaceAfter } = ligature;
  const written = `${spaceBefore ? " " : ""}${letters}${spaceAfter ? " " : ""}`;
  if (before && after && before.run === after.run) {
    const run = runs[before.run]!;
    const end = before.at + String.fromCodePoint(run.text.codePointAt(before.at)!).length;
    run.text = run.text.slice(0, end) + written + run.text.slice(after.at);
  } else if (after && !spaceAfter) {
    const run = runs[after.run]!;
    const width = ligature.width * run.size;
    run.text = letters + run.text.slice(after.at);
    run.x -= width;
    run.width += width;
  } else if (before) {
    const run = runs[before.run]!;
    run.text = run.text.trimEnd() + written.trimEnd();
    run.width += ligature.width * run.size;
  }
}

import { franc } from "franc";
import { trimEndOf } from "../kernel/trim-end.js";
import { detectLanguage, isRecognised } from "../text/language.js";
import type { DocumentMeta } from "./document.js";

/** A file's metadata without the fields it leaves empty. */
export function metaOf(fields: { [Name in keyof DocumentMeta]: DocumentMeta[Name] | undefined }): DocumentMeta {
  const isKnown = (value: string | string[] | number | undefined) => (Array.isArray(value) ? value.length > 0 : value);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isKnown(value)));
}

const DOI = /\b10\.\d{4,9}\/[^\s"'<>{}|\\^`\]]+/;
// Placeholders in publishers' templates.
const PLACEHOLDER = /^10\.\d{4,9}\/(n+|x+|0+|1122445\.1122456|1234567(\.\d+)?|example.*)$/i;

/** The first DOI in a text, lower-cased, without the punctuation around it. */
export function findDoi(text: string): string | undefined {
  const found = trimEndOf(DOI.exec(text)?.[0] ?? "", /[.,;:)]/).toLowerCase();
  return found && !PLACEHOLDER.test(found) ? found : undefined;
}

/** The first ISBN whose check digit holds, as bare digits. */
/** The four-digit year of a date in any usual notation. */
export function yearOf(date: string | undefined | null): number | undefined {
  const year = /\b(1[4-9]\d\d|20\d\d)\b/.exec(date ?? "")?.[1];
  return year ? Number(year) : undefined;
}

const SLICES = 24;
const SLICE_CHARS = 400;
const ENOUGH_CHARS = 1_000;
/** ISO 639-3, as trigrams name languages, and 639-1: first those the function words do not know. */
const RARE =
  "vie:vi ind:id zlm:ms slk:sk slv:sl hrv:hr bos:bs lit:lt lav:lv ekk:et isl:is sqi:sq glg:gl eus:eu afr:af swh:sw tgl:tl bul:bg srp:sr mkd:mk bel:be kaz:kk";
const USUAL =
  "eng:en deu:de fra:fr spa:es ita:it por:pt nld:nl swe:sv dan:da nob:no fin:fi pol:pl ces:cs hun:hu ron:ro tur:tr cat:ca rus:ru ukr:uk";
const codes = (pairs: string) => new Map(pairs.split(" ").map((pair) => pair.split(":") as [string, string]));
const [rare, usual] = [codes(RARE), codes(USUAL)];
const COMPARED = [...rare.keys(), ...usual.keys()];

/** The language of samples of the text; where they do not decide, the language the file declares. */
export function languageOf(text: string, declared?: string | null): string | null {
  const code = /^([a-z]{2})(?:[-_]|$)/i.exec(declared?.trim() ?? "")?.[1]?.toLowerCase() ?? null;
  // A language that cannot be recognised is known only by its declaration; a short text is too little evidence against it.
  if (code && (!isRecognised(code) || text.length < ENOUGH_CHARS)) return code;
  const sample = sampleOf(text);
  const found = detectLanguage(sample, { chars: sample.length, ideographs: 4 });
  const unspaced = found === "zh" || found === "ja" || found === "ko";
  if (unspaced || sample.length < ENOUGH_CHARS) return found ?? code;
  const near = franc(sample, { only: COMPARED });
  return rare.get(near) ?? found ?? usual.get(near) ?? code;
}

/** Slices from all over a text, except its beginning and end: title pages and indexes. */
function sampleOf(text: string): string {
  if (text.length <= SLICES * SLICE_CHARS) return text;
  const step = (text.length * 0.9 - SLICE_CHARS) / (SLICES - 1);
  return Array.from({ length: SLICES }, (_, i) => {
    const start = Math.floor(text.length * 0.05 + i * step);
    return text.slice(start, start + SLICE_CHARS);
  }).join("\n");
}

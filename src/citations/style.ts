import { readFile } from "node:fs/promises";
import { oncePerKey } from "../kernel/once.js";
import { type CitationJs, citationJs } from "./citation-js.js";

/** The bundled styles, by the names people use. */
const STYLES = {
  apa: "apa",
  mla: "modern-language-association",
  "chicago-author-date": "chicago-author-date",
  /** The first note of a work in full, later ones short. */
  "chicago-notes": "chicago-fullnote-bibliography",
  "chicago-short-notes": "chicago-note-bibliography",
  harvard: "harvard-cite-them-right",
  ieee: "ieee",
  vancouver: "vancouver",
  ama: "american-medical-association",
  nature: "nature",
} as const;
export type StyleName = keyof typeof STYLES;
export const STYLE_NAMES = Object.keys(STYLES) as [StyleName, ...StyleName[]];

/** Locales that come with the formatter. */
export const LOCALES = ["en-US", "de-DE", "fr-FR", "es-ES", "nl-NL"] as const;
export type Locale = (typeof LOCALES)[number];

const xmlOf = oncePerKey((name: string) => readFile(new URL(`./styles/${name}.csl`, import.meta.url), "utf8"));

/** The formatter, and the name the style is registered under. */
export async function withStyle(style: StyleName): Promise<{ citation: CitationJs; template: string }> {
  const citation = await citationJs();
  const name = STYLES[style];
  // The formatter ships older versions of some styles under the plain names.
  const template = `bookwheel ${name}`;
  citation.addStyle(template, await xmlOf(name));
  return { citation, template };
}

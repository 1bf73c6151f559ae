import { isIsbn } from "../../ingest/isbn.js";
import { trimEndOf } from "../../kernel/trim-end.js";

/** A DOI for comparison: lower case, without URL or label; undefined if it is not a DOI or a placeholder. */
export function normalDoi(written: string | undefined): string | undefined {
  const named = (written ?? "")
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:dx\.)?doi\.org\//, "")
    .replace(/^doi:\s*/, "");
  const doi = trimEndOf(named, /[.,;)\]}>'"]/);
  if (!doi || !/^10\.\d{4,9}\/\S+$/.test(doi) || isPlaceholder(doi)) return undefined;
  return doi;
}

/** Placeholders that templates print instead of a DOI. */
function isPlaceholder(doi: string): boolean {
  const [prefix = "", suffix = ""] = doi.split(/\/(.*)/s);
  return (
    /^[nx0#y._\-/]+$/.test(suffix) ||
    prefix === "10.5555" ||
    /^xyz/.test(suffix) ||
    suffix === "1122445.1122456" ||
    suffix === "1234567890"
  );
}

const DOI_IN_TEXT = /\b10\.\d{4,9}\/[^\s"<>{}|\\^`]+/g;
export function doisIn(text: string): string[] {
  return unique([...text.matchAll(DOI_IN_TEXT)].map(([doi]) => normalDoi(doi)));
}

/** An ISBN as thirteen digits; undefined if the check digit is wrong. */
function normalIsbn(written: string): string | undefined {
  const digits = written.toUpperCase().replace(/[^0-9X]/g, "");
  if (!isIsbn(digits)) return undefined;
  if (digits.length === 13) return /^97[89]/.test(digits) ? digits : undefined;
  return [..."0123456789"].map((check) => `978${digits.slice(0, 9)}${check}`).find(isIsbn);
}

/** A field may hold several, with or without hyphens. */
export function isbnsInField(field: string | undefined): string[] {
  return unique((field?.match(/(?:97[89][- ]?)?\d(?:[- ]?\d){8}[- ]?[\dXx]/g) ?? []).map(normalIsbn));
}

export function isbnsIn(text: string): string[] {
  return unique(
    [...text.matchAll(/ISBN(?:-1[03])?:?\s*((?:97[89][- ]?)?\d(?:[- ]?\d){8}[- ]?[\dXx])/gi)].map((match) =>
      normalIsbn(match[1]!),
    ),
  );
}

const ARXIV =
  /(?:arxiv(?:\.org\/(?:abs|pdf)\/|[:.]\s?)|10\.48550\/arxiv\.)((?:\d{4}\.\d{4,5})|(?:[a-z-]+(?:\.[A-Z]{2})?\/\d{7}))/gi;
/** arXiv ids without their version. */
export function arxivIdsIn(text: string): string[] {
  return unique([...text.matchAll(ARXIV)].map((match) => match[1]!.toLowerCase()));
}

function unique(values: (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

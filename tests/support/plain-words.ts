import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { ROOT } from "./peers.js";

/** Patterns that engineers who learned English at work have to decode, each with what to write instead. */
export const NOT_PLAIN: readonly { pattern: RegExp; instead: string }[] = [
  { pattern: /\banew\b/gi, instead: "again" },
  { pattern: /\bmend(?:s|ed|ing)?\b/gi, instead: "fix" },
  { pattern: /\bnoughts?\b/gi, instead: "zero" },
  { pattern: /\bwhoever\b/gi, instead: "the caller, the reader, anyone who" },
  { pattern: /\btold\b/gi, instead: "reported, known, said, asked" },
  { pattern: /\bbehind (?:the|its|their|our|callers'|readers') ?\w*'? backs?\b/gi, instead: "in the background" },
  { pattern: /\bdearest?\b/gi, instead: "expensive" },
  { pattern: /\b(?:asked|used|read) longest ago\b/gi, instead: "least recently used" },
  { pattern: /\b(?:is|are) no more\b(?! than)/gi, instead: "no longer exists, was removed" },
  { pattern: /\bwhatever number of\b/gi, instead: "however many" },
  { pattern: /\bby whichever\b/gi, instead: "of any" },
  { pattern: /\bparted (?:by|from)\b/gi, instead: "separated by" },
  { pattern: /\blikeliest\b/gi, instead: "best, most probable" },
  { pattern: /\bgives? way to\b/gi, instead: "yields to" },
  { pattern: /\bset against\b/gi, instead: "aligned with, compared with" },
  { pattern: /\bin vain\b/gi, instead: "without effect" },
  { pattern: /\bvouch(?:es|ed)?\b/gi, instead: "evidence for" },
  { pattern: /\bdead weight\b/gi, instead: "unused" },
  { pattern: /\b(?!NOT_|IS_)[A-Z]+_AN?_[A-Z]+\b/g, instead: "PER in a name" },
  {
    pattern:
      /\bone (?!(?:at|of|to|in|on|for|with|by|as|or|and|is|if|when|has|was|from|than|that|like)\b)[a-z]+ an? [a-z]+\b/gi,
    instead: "one … per …",
  },
  {
    pattern:
      /\b\d(?:[\d,.]*\d)? (?:(?!for|when|where|in|of|to|at|as|or|is)\w+ )?an? (?:second|minute|hour|day|month|page|chunk|request|file|call)\b/gi,
    instead: "per",
  },
];

/** Where a person may quote or name such a word. */
const EXEMPT = [
  /^sandbox\/(?:sample\/|readwise\/words\.ts)/,
  /^bench\/RESULTS\.md$/,
  /plain-words\.ts$/,
  /^src\/text\/(?:stop-words|filler-words)\.ts$/,
  /^src\/web\/page\/reading\/marks\.ts$/,
];

export interface Finding {
  /** Path from the repository's root, with forward slashes. */
  path: string;
  line: number;
  found: string;
  instead: string;
}

/** Every place under these folders or files that is not plain. */
export function notPlainIn(...places: string[]): Finding[] {
  return places.flatMap((place) => filesAt(place).flatMap(findingsIn));
}

function filesAt(place: string): string[] {
  if (/\.\w+$/.test(place)) return [place];
  return readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs|md)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.includes("node_modules/") && !EXEMPT.some((exempt) => exempt.test(path)));
}

function findingsIn(path: string): Finding[] {
  return readFileSync(join(ROOT, path), "utf8")
    .split("\n")
    .flatMap((text, index) =>
      NOT_PLAIN.flatMap(({ pattern, instead }) =>
        [...text.matchAll(pattern)].map(([found]) => ({ path, line: index + 1, found, instead })),
      ),
    );
}

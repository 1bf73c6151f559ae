import { trimEndOf } from "../../kernel/trim-end.js";

const WORD = /\p{L}[\p{L}\p{M}’']*(?:-\p{L}[\p{L}\p{M}’']*)*/gu;
// Prefixes that keep their hyphen in any word.
const KEEPS_HYPHEN = new Set(
  "self well non half ex quasi cross all anti high low long short full ill vice semi so".split(" "),
);

type Joint = "join" | "keep" | "none";

/**
 * Decides whether a hyphen at a line end is part of the word or only marks the break. The document itself
 * is the dictionary: a form it uses elsewhere inside a line is correct.
 */
export function createHyphenation() {
  const words = new Map<string, number>();
  return {
    /** Collects words inside lines; a last word that ends in a hyphen is incomplete and ignored. */
    learn(line: string) {
      const printed = line.trimEnd();
      const whole = /[-\u2010\u00ad]$/.test(printed) ? trimEndOf(printed, /\S/) : printed;
      for (const [word] of whole.matchAll(WORD))
        words.set(word.toLowerCase(), (words.get(word.toLowerCase()) ?? 0) + 1);
    },
    joint(line: string, next: string): Joint {
      if (line.trimEnd().endsWith("\u00ad")) return "join";
      const first = firstHalf(line.trimEnd())?.toLowerCase();
      const second = /^[\p{L}\p{M}]+/u.exec(next)?.[0];
      if (!first || !second) return "none";
      // "Mercedes-|Benz" keeps its hyphen; "pre- |and" is not a word, but is printed without a space too.
      if (second[0] !== second[0]!.toLowerCase()) return "keep";
      if (/^(and|or|und|oder|et|ou|y|o|to|bis)$/.test(second) && !words.has(first + second)) return "none";
      const joined = words.get(first + second) ?? 0;
      const hyphenated = words.get(`${first}-${second}`) ?? 0;
      if (joined || hyphenated) return hyphenated > joined ? "keep" : "join";
      if (KEEPS_HYPHEN.has(first)) return "keep";
      const bothWords = (words.get(first) ?? 0) >= 2 && (words.get(second.toLowerCase()) ?? 0) >= 2;
      return bothWords && first.length > 2 && second.length > 2 ? "keep" : "join";
    },
  };
}

/** Returns "twentieth-cen" for "the twentieth-cen-". */
function firstHalf(line: string): string | undefined {
  if (!/[-\u2010]$/.test(line)) return undefined;
  const body = line.slice(0, -1);
  const tail = body.slice(trimEndOf(body, /[\p{L}\p{M}-]/u).length);
  if (tail.endsWith("-")) return undefined;
  const doubled = tail.lastIndexOf("--");
  return tail.slice(doubled < 0 ? 0 : doubled + 2).replace(/^-/, "") || undefined;
}

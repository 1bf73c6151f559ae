import { isDisjointWith, JS, NFA } from "refa";
import { analyse } from "scslre";
import { describe, expect, it } from "vitest";
import { lineOf, type Node, nodesOf, parsedSource } from "./support/parsed-source.js";

interface Pattern {
  where: string;
  source: string;
  flags: string;
}

const files = parsedSource();
const patterns: Pattern[] = files.flatMap((file) =>
  [...nodesOf(file.body)].flatMap((node) => {
    const regex = node.type === "Literal" ? (node.regex as { pattern: string; flags: string } | undefined) : undefined;
    return regex ? [{ where: `${file.path}:${lineOf(file, node)}`, source: regex.pattern, flags: regex.flags }] : [];
  }),
);

/** Patterns put together while the program runs, each with the reason why it is linear. */
const COMPOSED: Readonly<Record<string, string>> = {
  "src/citations/draft/citations-in.ts":
    "names, each part of bounded length, in the 160 characters before a parenthesis",
  "src/citations/draft/note-citations.ts": "names, each part of bounded length, at the beginning of a note",
  "src/catalog/doors.ts": "the names of tools, as they are",
  "src/citations/quote.ts": "alternatives of bounded patterns, repeated with nothing behind them that could fail",
  "src/cli/merge-settings.ts": "runs over the settings file of the person who starts the program",
  "src/ingest/passage-groups.ts":
    "a fixed name and a number of bounded length, in the first 80 characters of a paragraph",
  "src/ingest/readers/pdf-paragraphs.ts": "one character, and the white space on one side of it",
  "src/shelves/notebooks/backends/local/question.ts": "copies of literals, which are checked",
  "src/shelves/notebooks/backends/local/written-answer.ts": "one fixed sentence between two runs it cannot begin with",
  "src/web/page/reading/bare-tags.ts": "the name of an element from a fixed list, then everything up to the next '>'",
  "src/web/page/reading/marks.ts": "words with white space between them, in the reader's own tab",
};

/** The ways in which a pattern can take time with the square of its input, or worse. */
function faults({ source, flags }: Pick<Pattern, "source" | "flags">): string[] {
  const found = analyse(new RegExp(source, flags)).reports.map(({ type }) => type as string);
  if (found.length === 0 && restartsInside(source, flags)) found.push("Restart");
  return found;
}

/**
 * `<meta[^>]*charset`: every "<meta" starts a run to the end that can fail only there, and the run reads further
 * "<meta"s. So a beginning, then an endless part that can read the beginning again, then something that must follow.
 */
function restartsInside(source: string, flags: string): boolean {
  const parser = JS.Parser.fromLiteral({ source, flags });
  return parser.ast.pattern.alternatives.some(({ elements }) => {
    const endless = elements.findIndex(
      (element) => element.type === "Quantifier" && element.max === Number.POSITIVE_INFINITY,
    );
    const beginning = elements.slice(0, endless);
    if (endless < 1 || beginning.some(({ type }) => type === "Assertion")) return false;
    if (elements.slice(endless + 1).every((element) => element.type === "Quantifier" && element.min === 0))
      return false;
    const automaton = (parts: typeof elements) =>
      NFA.fromRegex(
        JS.Parser.fromLiteral({ source: parts.map(({ raw }) => raw).join(""), flags: flags.replace("y", "") }).parse({
          assertions: "disable",
          backreferences: "disable",
        }).expression,
        { maxCharacter: flags.includes("u") ? 0x10ffff : 0xffff },
      );
    return !isDisjointWith(automaton(beginning), automaton([elements[endless]!]));
  });
}

describe("every regular expression", () => {
  it("takes time in proportion to its input", () => {
    expect(patterns.length).toBeGreaterThan(300);
    const bad = patterns.flatMap((pattern) => {
      const found = faults(pattern);
      return found.length ? [`${pattern.where} /${pattern.source}/${pattern.flags} (${found.join(", ")})`] : [];
    });
    expect(bad, "use trimEndOf, trim, split or a loop instead").toEqual([]);
  });

  it("that is put together at run time is known, with a reason", () => {
    const composed = files.filter((file) =>
      [...nodesOf(file.body)].some(
        ({ type, callee }) =>
          (type === "NewExpression" || type === "CallExpression") &&
          (callee as Node & { name?: string }).name === "RegExp",
      ),
    );
    expect(composed.map(({ path }) => path).sort()).toEqual(Object.keys(COMPOSED).sort());
  });

  it("of these kinds is refused", () => {
    const slow = [
      /\s+$/,
      /(?:a+)+b/,
      /\s*[,;]\s*/,
      /<meta[^>]*charset/,
      /EncryptedData[\s\S]*html/i,
      /(?:[\s-]|\s*…\s*)+$/,
      /^(.*?)\s*$/s,
    ];
    for (const { source, flags } of slow) expect(faults({ source, flags }), source).not.toEqual([]);
    const quick = [/^\s+/, /[^\n]+/g, /<[^<>]+>/g, /\d{1,5}$/, /"([^"]*)"/g];
    for (const { source, flags } of quick) expect(faults({ source, flags }), source).toEqual([]);
  });
});

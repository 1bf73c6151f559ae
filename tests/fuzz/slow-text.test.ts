import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Node, parsedSource } from "../support/parsed-source.js";
import { ROOT } from "../support/peers.js";

/** Where functions take what callers, documents or upstreams wrote. */
const ROOMS =
  /^src\/(text|citations|ingest|kernel|catalog|shelves\/chunks|shelves\/notebooks\/backends\/local|shelves\/readwise|web\/page\/reading)\//;
/** Libraries build these documents' trees, in the reader process and within its limits. */
const BY_LIBRARIES = /^src\/ingest\/readers\/(docx|epub|html|jats|markdown|pdf|xml)\.ts$/;

/** Functions that are not measured alone, each with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  editDistance: "the product of two lengths by nature; its callers bound both",
  characterSimilarity: "the product of two lengths by nature; its callers bound both",
  sameDashes: "compares two spans of a few hundred characters",
  readProjectFile: "takes the name of a file",
  openDatabase: "takes the name of a file",
  loadTokenizer: "takes the name of a file",
  openLocalEmbedder: "takes the name of a folder",
  openModelFolder: "takes the name of a folder",
  readModelFolder: "takes the name of a folder",
  checkModelFiles: "takes the name of a folder",
  modelShelf: "takes the name of a folder",
  weightsHash: "takes the name of a file",
  weightsOf: "takes the name of a file",
  stampOf: "takes the name of a file",
  blocksOf: "runs in the browser, on its parser",
  openZip: "takes an archive; its limits have tests of their own",
  spansOf: "the product of a search and a text by nature; runs in the reader's own tab",
};

/** Strings made to be slow: long runs of one character, and almost-matches of what our patterns look for. */
const STRINGS: Readonly<Record<string, (size: number) => string>> = {
  "spaces inside": (size) => `the quick brown fox${" ".repeat(size)}x`,
  "spaces behind a bracket": (size) => `fox jumps over [${" ".repeat(size)}x`,
  "spaced ellipses": (size) => `the quick brown fox ${"… ".repeat(size / 2)}x`,
  "spaced dots": (size) => `Chapter one of the book ${". ".repeat(size / 2)}12`,
  dots: (size) => `Chapter one of the book ${".".repeat(size)}12`,
  "dots at the end": (size) => `the quick brown fox${". ".repeat(size / 2)}`,
  "open brackets": (size) => `a ${"[ (".repeat(size / 3)}`,
  newlines: (size) => `a${"\n".repeat(size)}b`,
  "carriage returns": (size) => `a${"\r\n".repeat(size / 2)}b`,
  "spaced newlines": (size) => `a${"\n \t".repeat(size / 3)}b`,
  "form feeds": (size) => `${"\f".repeat(size)}x`,
  "a heading with a gap": (size) => `# a${" ".repeat(size)}b`,
  "a heading and a hard space": (size) => `#${" ".repeat(size)}\u00a0\nword`,
  hashes: (size) => `# a ${"#".repeat(size)}x`,
  hyphens: (size) => `a${"-".repeat(size)}b`,
  "hyphenated letters": (size) => `${"a-".repeat(size / 2)}1`,
  "one long word": (size) => "a".repeat(size),
  "many short words": (size) => "ab ".repeat(size / 3),
  digits: (size) => `ISBN ${"9".repeat(size)}`,
  "digits and hyphens": (size) => `${"1-".repeat(size / 2)}x`,
  commas: (size) => `${"a , ".repeat(size / 4)}b`,
  "commas and spaces": (size) => `a,${" ".repeat(size)}b,c`,
  "quotation marks": (size) => `${'“"'.repeat(size / 2)}`,
  "combining marks": (size) => `a${"\u0301".repeat(size)}`,
  "less-than signs": (size) => "<".repeat(size),
  "open tags": (size) => "<a <b".repeat(size / 5),
  "meta tags": (size) => "<meta ".repeat(size / 6),
  "link tags": (size) => "<link ".repeat(size / 6),
  ampersands: (size) => "&amp".repeat(size / 4),
  "at signs": (size) => "@a{".repeat(size / 3),
  "DOI beginnings": (size) => "10.1000/".repeat(size / 8),
  slashes: (size) => `http://a${"/".repeat(size)}x`,
  "marks of notes": (size) => `a ${"[1 , ".repeat(size / 5)}`,
  "stars and underscores": (size) => "*a _b ".repeat(size / 6),
  pipes: (size) => `${"| a ".repeat(size / 4)}\n`,
  "unspaced script": (size) => "読書".repeat(size / 2),
  "unspaced sentences": (size) => "読書。".repeat(size / 3),
  "lone surrogates": (size) => "\ud800".repeat(size),
};

/** Exponential time shows in short strings; the steps are small so that the first slow one ends the test. */
const SHORT = [16, 24, 32, 48, 64, 96, 128, 256, 512];
const SHORT_MS = 500;
const [SIZE, LARGE] = [4_000, 64_000];
/** Sixteen times the text takes 16 times as long in linear time and 256 times in the square. */
const WORST_GROWTH = 80;
const TOO_QUICK_TO_JUDGE_MS = 50;

describe("text made to be slow", async () => {
  for (const { name, file, call } of await textFunctions())
    it(`costs ${name} (${file}) time in proportion to its length`, { timeout: 120_000 }, () => {
      for (const [kind, make] of Object.entries(STRINGS)) {
        for (const size of SHORT) expect(timeOf(call, make(size)), `${size} of ${kind}`).toBeLessThan(SHORT_MS);
        expect(growth(call, make), `${kind}, ${SIZE} to ${LARGE} characters`).toBeLessThan(WORST_GROWTH);
      }
    });
});

/** The least growth of three tries: a busy machine makes times longer, never shorter. */
function growth(call: (text: string) => unknown, make: (size: number) => string): number {
  const large = timeOf(call, make(LARGE));
  if (large < TOO_QUICK_TO_JUDGE_MS) return 0;
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least >= WORST_GROWTH; tries++)
    least = Math.min(least, Math.min(large, tries ? timeOf(call, make(LARGE)) : large) / average(call, make(SIZE)));
  return least;
}

/** Many runs as one, so that short times count too. */
function average(call: (text: string) => unknown, text: string): number {
  let [runs, total] = [0, 0];
  while (total < 10) {
    total += timeOf(call, text);
    runs++;
  }
  return total / runs;
}

/** Processor time in milliseconds: what other programs take of the machine is not counted. Errors are answers too. */
function timeOf(call: (text: string) => unknown, text: string): number {
  const start = process.cpuUsage();
  try {
    call(text);
  } catch {
    // a refusal, in whatever words
  }
  return process.cpuUsage(start).user / 1_000;
}

interface TextFunction {
  name: string;
  file: string;
  call(text: string): unknown;
}

/** Every exported function of these rooms that takes text first and is done when it returns. */
async function textFunctions(): Promise<TextFunction[]> {
  const found: TextFunction[] = [];
  for (const { path, text, body } of parsedSource()) {
    if (!ROOMS.test(path) || BY_LIBRARIES.test(path)) continue;
    for (const statement of body) {
      const declared = statement.declaration as
        | (Node & { id?: { name: string }; params: Node[]; async?: boolean })
        | null;
      if (statement.type !== "ExportNamedDeclaration" || declared?.type !== "FunctionDeclaration") continue;
      const name = declared.id!.name;
      const types = declared.params.map((parameter) => typeOf(parameter, text));
      if (declared.async || !/^(string\b|Uint8Array$)/.test(types[0] ?? "") || name in LEFT_OUT) continue;
      if (types.slice(1).some((type) => valueFor(type, "") === UNKNOWN)) continue;
      const module = (await import(join(ROOT, path))) as Record<string, (...args: unknown[]) => unknown>;
      found.push({
        name,
        file: path, // Where two texts are compared the first is a quotation, and its tool bounds it.
        call: (given) =>
          module[name]!(
            ...types.map((type, i) => {
              if (i > 0 && type === "string | null") return null; // a language
              return valueFor(type, i === 0 && types[1] === "string" ? given.slice(0, 2_000) : given);
            }),
          ),
      });
    }
  }
  return found;
}

const UNKNOWN = Symbol("a value this test cannot make");

function typeOf(parameter: Node, text: string): string {
  if (parameter.type === "AssignmentPattern") return "undefined";
  const annotation = parameter.typeAnnotation as Node | undefined;
  if (parameter.optional) return "undefined";
  return annotation ? text.slice(annotation.start + 1, annotation.end).trim() : "unknown";
}

function valueFor(type: string, text: string): unknown {
  if (type === "undefined") return undefined;
  if (/^string\b(?!\[)/.test(type)) return text;
  if (type === "Uint8Array") return new TextEncoder().encode(text);
  if (type === "number") return 100;
  if (/^(readonly )?string\[\]$/.test(type)) return ["en", "de"];
  if (/^ReadOptions\b/.test(type)) return { path: "a.txt" };
  return UNKNOWN;
}

import { addTo } from "../../kernel/collections.js";
import { foldedWords } from "../../text/analysis.js";
import { fold } from "../../text/fold.js";
import { firstName, yearOf } from "../csl.js";
import type { Entry } from "./entry.js";
import { arxivIdsIn, isbnsInField, normalDoi } from "./identifiers.js";

/** What is known about a document before its entry is found. */
interface Clues {
  doi?: string | undefined;
  isbn?: string | undefined;
  arxiv?: string | undefined;
  title?: string | undefined;
  authors?: readonly string[] | undefined;
  year?: number | undefined;
  path?: string | undefined;
  /** Text of the first pages: it shows title and authors, even if the metadata fields are wrong. */
  opening?: string | undefined;
}
type Method = "file" | "doi" | "arxiv" | "isbn" | "title" | "filename";
export interface Match {
  entry: Entry;
  method: Method;
}

const MIN_SCORE = 0.8;
const MIN_MARGIN = 0.05;
/** The title must begin within this many characters. */
const TITLE_AREA_CHARS = 800;

interface Known {
  entry: Entry;
  words: Set<string>;
  /** The title up to its colon. */
  shortWords: Set<string>;
  /** The title's words in order, whole and up to its colon. */
  phrase: string;
  shortPhrase: string;
  family: string[];
  year: number | undefined;
  work: string;
}

export function createMatcher(entries: readonly Entry[]) {
  const known = entries.map(describe);
  const byDoi = index(known, ({ entry }) => [normalDoi(entry.csl.DOI)]);
  const byIsbn = index(known, ({ entry }) => isbnsInField(entry.csl.ISBN));
  const byArxiv = index(known, ({ entry }) =>
    arxivIdsIn(
      [
        entry.csl.URL,
        entry.csl.DOI && `doi ${entry.csl.DOI}`,
        entry.csl.note,
        entry.csl.number,
        entry.csl.archive_location,
        entry.arxiv && `arxiv:${entry.arxiv}`,
      ]
        .filter(Boolean)
        .join(" "),
    ),
  );
  const byWord = index(known, ({ words }) => [...words]);
  const byFile = index(known, ({ entry }) => entry.files.map((file) => pathTail(file, 1)));

  return {
    match(clues: Clues): Match | undefined {
      return (
        ofFile(clues, true) ??
        byIdentifiers("doi", byDoi, [normalDoi(clues.doi)], clues) ??
        byIdentifiers("arxiv", byArxiv, [clues.arxiv?.toLowerCase().replace(/^arxiv:|v\d+$/g, "")], clues) ??
        byIdentifiers("isbn", byIsbn, isbnsInField(clues.isbn), clues) ??
        byTitle(clues) ??
        byOpening(clues) ??
        ofFile(clues, false) ??
        byFileName(clues)
      );
    },
    /** Whether the text holds the entry's title: an identifier in a reference list belongs to another work. */
    titleStandsIn(entry: Entry, text: string): boolean {
      const words = titleWords(entry.csl.title);
      if (words.size === 0) return false;
      return sharedBy(words, new Set(foldedWords(text))) / words.size >= 0.6;
    },
  };

  /** Matches the files named in the bibliography: with their folder, or by name alone if only one entry has that name. */
  function ofFile({ path }: Clues, withFolder: boolean): Match | undefined {
    if (!path) return undefined;
    const named = byFile.get(pathTail(path, 1)) ?? [];
    const fitting = withFolder
      ? named.filter(({ entry }) => entry.files.some((file) => pathTail(file, 2) === pathTail(path, 2)))
      : named;
    const [first] = fitting;
    return first && fitting.every((other) => other.work === first.work)
      ? { entry: first.entry, method: "file" }
      : undefined;
  }

  function byIdentifiers(
    method: Method,
    known: Map<string, Known[]>,
    ids: readonly (string | undefined)[],
    clues: Clues,
  ): Match | undefined {
    for (const id of ids) {
      const match = theOne(known.get(id ?? "") ?? [], method, clues);
      if (match) return match;
    }
    return undefined;
  }

  /** Several entries may share an identifier (a book and its chapters): the title decides, else the whole work wins. */
  function theOne(candidates: readonly Known[], method: Method, clues: Clues): Match | undefined {
    const wanted = wantedOf(clues);
    const [first, next] = candidates
      .map((each) => ({ each, score: titleScore(each, wanted) }))
      .sort((a, b) => b.score - a.score);
    if (!first) return undefined;
    const margin = first.score - (next?.score ?? 0);
    const works = new Set(candidates.map(({ work }) => work));
    const whole = candidates.filter(({ entry }) => entry.csl.type !== "chapter");
    if (works.size === 1 || (first.score >= MIN_SCORE && margin >= MIN_MARGIN))
      return { entry: first.each.entry, method };
    return new Set(whole.map(({ work }) => work)).size === 1 ? { entry: whole[0]!.entry, method } : undefined;
  }

  function byTitle(clues: Clues): Match | undefined {
    if (!clues.title) return undefined;
    const wanted = wantedOf(clues);
    return best(candidatesFor(wanted.words), (each) => titleScore(each, wanted), "title");
  }

  /** Matches the title and author printed on the first page: for files whose metadata is junk. */
  function byOpening({ opening }: Clues): Match | undefined {
    if (!opening) return undefined;
    const seen = new Set(foldedWords(opening));
    const top = ` ${foldedWords(plainTitle(opening.slice(0, TITLE_AREA_CHARS))).join(" ")} `;
    const topWords = new Set(top.trim().split(" "));
    return best(
      candidatesFor(topWords),
      (each) => {
        const author = each.family.length > 0 && each.family.every((word) => seen.has(word));
        if (!author) return 0;
        const whole = each.phrase.split(" ").length >= 3 && top.includes(` ${each.phrase} `);
        const main = each.shortPhrase.split(" ").length >= 4 && top.includes(` ${each.shortPhrase} `);
        // If two titles match, the longer one is the work's.
        return whole ? 0.9 + Math.min(0.1, each.words.size / 200) : main ? 0.85 : 0;
      },
      "title",
    );
  }

  /** File names often hold author, year and title, in any order. */
  function byFileName({ path }: Clues): Match | undefined {
    const stem = path
      ?.split(/[\\/]/)
      .at(-1)
      ?.replace(/\.[^.]{1,8}$/, "");
    if (!stem) return undefined;
    const words = new Set(foldedWords(stem.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replaceAll("_", " ")));
    const years = [...words].filter((word) => /^\d{4}$/.test(word)).map(Number);
    return best(
      candidatesFor(words),
      (each) => {
        const title = each.shortWords.size >= 2 ? each.shortWords : each.words;
        if (title.size === 0) return 0;
        const author = each.family.length > 0 && each.family.every((word) => words.has(word));
        const year = each.year !== undefined && years.includes(each.year);
        const strange = [...words].filter(
          (word) => !each.words.has(word) && !each.family.includes(word) && !/^\d+$/.test(word),
        ).length;
        const covered = sharedBy(title, words) / title.size;
        if (title.size < 3 && !author) return 0;
        return (
          covered * 0.8 +
          (author ? 0.1 : 0) +
          (year ? 0.1 : 0) +
          (strange === 0 ? 0.1 : 0) -
          Math.min(0.3, strange * 0.05) -
          (years.length > 0 && each.year !== undefined && !year ? 0.1 : 0)
        );
      },
      "filename",
    );
  }

  function candidatesFor(words: ReadonlySet<string>): Set<Known> {
    const found = new Set<Known>();
    for (const word of words) for (const each of byWord.get(word) ?? []) found.add(each);
    return found;
  }
}

function best(candidates: Iterable<Known>, score: (each: Known) => number, method: Method): Match | undefined {
  const ranked = [...candidates]
    .map((each) => ({ each, score: Math.min(1, score(each)) }))
    .sort(
      (a, b) =>
        b.score - a.score || Number(b.each.entry.citekey !== undefined) - Number(a.each.entry.citekey !== undefined),
    );
  const first = ranked[0];
  if (!first || first.score < MIN_SCORE) return undefined;
  // A second entry of the same work is not a competitor.
  const rival = ranked.find(({ each }) => each.work !== first.each.work);
  return first.score - (rival?.score ?? 0) >= MIN_MARGIN ? { entry: first.each.entry, method } : undefined;
}

interface Wanted {
  words: Set<string>;
  shortWords: Set<string>;
  opening: Set<string> | undefined;
  names: Set<string> | undefined;
  year: number | undefined;
}

function wantedOf({ title, authors, year, opening }: Clues): Wanted {
  return {
    words: titleWords(title),
    opening: opening ? new Set(foldedWords(opening)) : undefined,
    shortWords: titleWords(beforeColon(title)),
    names: authors?.length ? new Set(authors.flatMap((author) => foldedWords(author))) : undefined,
    year,
  };
}

function titleScore(each: Known, wanted: Wanted): number {
  const title = Math.max(
    jaccard(wanted.words, each.words),
    // Only one side has a subtitle: the main title must have a few words to count.
    each.shortWords.size >= 2
      ? 0.95 * Math.max(jaccard(wanted.words, each.shortWords), jaccard(wanted.shortWords, each.words))
      : 0,
  );
  if (title < 0.7) return 0;
  const { names, opening } = wanted;
  const isNamed = names && each.family.length > 0 ? each.family.some((word) => names.has(word)) : undefined;
  // The first page is more reliable than the file's author field.
  const isSeen = opening !== undefined && each.family.length > 0 && each.family.every((word) => opening.has(word));
  const author = isSeen || isNamed;
  const year = wanted.year !== undefined && each.year !== undefined ? Math.abs(wanted.year - each.year) : undefined;
  // Many works share a title of one or two words.
  if (each.words.size <= 2 && author !== true && !(author === undefined && year === 0)) return 0;
  let score = title;
  // The author field often names a program or a typist: a long matching title outweighs it.
  if (author === false) score -= title >= 0.95 && each.words.size >= 5 ? 0.1 : 0.25;
  if (author === true) score += 0.05;
  if (year !== undefined) score += year === 0 ? 0.03 : year === 1 ? 0 : author === true ? -0.05 : -0.1;
  return score;
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = sharedBy(a, b);
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}

function sharedBy(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared;
}

function describe(entry: Entry): Known {
  const { csl } = entry;
  const words = titleWords(csl.title);
  const family = foldedWords(firstName(csl) ?? "");
  const year = yearOf(csl);
  return {
    entry,
    words,
    shortWords: titleWords(csl["title-short"] ?? beforeColon(csl.title)),
    phrase: titlePhrase(csl.title),
    shortPhrase: titlePhrase(beforeColon(csl.title)),
    family,
    year,
    work: `${[...words].sort().join(" ")}|${family.join(" ")}|${year ?? ""}`,
  };
}

function beforeColon(title: string | undefined): string | undefined {
  return title?.split(/:|\s[–—-]\s|\. /)[0];
}

function titleWords(title: string | undefined): Set<string> {
  return new Set(foldedWords(plainTitle(title)));
}

const titlePhrase = (title: string | undefined) => foldedWords(plainTitle(title)).join(" ");

/** A title for comparison: without markup and version numbers, with "TeX" names as one word. */
function plainTitle(title: string | undefined): string {
  return (title ?? "")
    .replace(/<[^<>]+>/g, "")
    .replace(/\\([A-Za-z]+)/g, " $1")
    .replace(/[{}$]/g, "")
    .replace(/\bL ?A ?T ?E ?X\b/gi, "LaTeX")
    .replace(/\bB ?I ?B ?T ?E ?X\b/gi, "BibTeX")
    .replace(/\bT ?E ?X\b/g, "TeX")
    .replace(/[([]?(?:\b(?:version|release|revision|edition)[ :]?|\bv\.?)\d[\w.]{0,20}[)\]]?/giu, " ")
    .replace(/\b\d{1,3}(?:\.\d{1,4}){1,3}\b/g, " ");
}

/** The last `parts` segments of a path, for comparison; both kinds of slash are accepted. */
function pathTail(path: string, parts: number): string {
  return fold(path.normalize("NFC"))
    .split(/[\\/]+/)
    .filter(Boolean)
    .slice(-parts)
    .join("/");
}

function index(known: readonly Known[], keysOf: (each: Known) => (string | undefined)[]): Map<string, Known[]> {
  const map = new Map<string, Known[]>();
  for (const each of known) for (const key of new Set(keysOf(each))) if (key) addTo(map, key, each);
  return map;
}

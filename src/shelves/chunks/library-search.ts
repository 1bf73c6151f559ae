import { ShelfError } from "../../kernel/errors.js";
import type { Library } from "../readwise/library/library.js";
import { type AskedWords, askedWords } from "./asked-words.js";
import { clamp } from "./fusion.js";
import { fromChunk, fromDocument, fromHighlight, type LibraryHit, noteOn } from "./library-hit.js";
import type { Retrieval } from "./retrieval.js";

export interface LibrarySearchRequest {
  query: string;
  limit: number;
  project?: string | undefined;
}

interface Incomplete {
  what: string;
  code: string;
  message: string;
  retry_after?: number;
}

/** One shelf's answer. Hits come in the shelf's own order. */
interface Answer {
  hits: Candidate[];
  searched: number | null;
  incomplete: Incomplete[];
}
interface Candidate {
  hit: LibraryHit;
  /** How near the meaning is, where the shelf can tell, in [0,1]. */
  near: number;
  /** The highlight it is a note on. */
  noteOn?: number | null;
}

/** Deep enough that a hit low in two lists can still be the best together. */
const DEPTH = 50;
/** The eleventh of a list counts half of the first. */
const RANK_K = 10;
/** Filling a large library takes longer than anybody waits; what is there by then is kept for the next call. */
const PATIENCE_MS = 20_000;

/**
 * One question to every shelf. Ranks are fused, because each list has a scale of its own; how many of the asked words
 * stand in a hit, which is the same for all of them, keeps the best of a poor list behind the best of a good one.
 */
export async function searchLibrary(
  { retrieval, readwise }: { retrieval: Pick<Retrieval, "list" | "best">; readwise: Library },
  { query, limit, project }: LibrarySearchRequest,
  signal: AbortSignal,
) {
  const until = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const words = askedWords(query);
  const [highlights, documents, passages] = await Promise.all([
    answerOf("highlights", signal, () => askHighlights(readwise, query, until)),
    answerOf("documents", signal, () => askDocuments(readwise, query, until)),
    askProjects(retrieval, query, words, project, signal, until),
  ]);
  const hits = fused([highlights.hits, documents.hits, passages.hits], words);
  const results = hits.slice(0, limit);
  return {
    results,
    count: results.length,
    searched: { highlights: highlights.searched, documents: documents.searched, projects: passages.projects },
    incomplete: merged([...highlights.incomplete, ...documents.incomplete, ...passages.incomplete]),
    warnings: passages.warnings,
  };
}

/** A shelf that cannot answer is part of the answer; only the caller's own end of patience ends the call. */
async function answerOf(what: string, signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    return { hits: [], searched: null, incomplete: [incompleteOf(what, error)] };
  }
}

function incompleteOf(what: string, error: unknown): Incomplete {
  if (error instanceof ShelfError) {
    const { code, message, retry_after } = error;
    return { what, code, message, ...(retry_after === undefined ? {} : { retry_after }) };
  }
  if (error instanceof DOMException && error.name === "TimeoutError")
    return { what, code: "timeout", message: "It did not answer in time. What it has read so far is kept: ask again." };
  throw error;
}

interface Covered {
  searched: number;
  complete: boolean;
  retry_after?: number;
  hint?: string;
}
function coverage(what: string, { searched, complete, retry_after, hint }: Covered): Omit<Answer, "hits"> {
  if (complete) return { searched, incomplete: [] };
  const message = hint ?? `Only ${searched} are here so far.`;
  return { searched, incomplete: [{ what, code: "rate_limited", message, ...(retry_after ? { retry_after } : {}) }] };
}

async function askHighlights(readwise: Library, query: string, signal: AbortSignal): Promise<Answer> {
  const found = await readwise.searchHighlights({ query, limit: DEPTH }, signal);
  const hits = found.results.map(({ highlight, source_title, snippet }) => ({
    hit: fromHighlight(highlight, source_title, snippet),
    near: 0,
  }));
  return { hits, ...coverage("highlights", found) };
}

async function askDocuments(readwise: Library, query: string, signal: AbortSignal): Promise<Answer> {
  const found = await readwise.searchDocuments({ query, limit: DEPTH }, signal);
  const hits = found.results.map(({ document, snippet }) => ({ hit: fromDocument(document, snippet), near: 0 }));
  return { hits, ...coverage("documents", found) };
}

/** Every project is asked by itself, one after the other; together they are one list, by score. */
async function askProjects(
  retrieval: Pick<Retrieval, "list" | "best">,
  query: string,
  words: AskedWords,
  only: string | undefined,
  signal: AbortSignal,
  until: AbortSignal,
) {
  const projects = only === undefined ? (await retrieval.list()).map(({ id }) => id) : [only];
  const found: { candidate: Candidate; score: number }[] = [];
  const incomplete: Incomplete[] = [];
  const warnings = new Set<string>();
  const asked: string[] = [];
  for (const project of projects) {
    try {
      until.throwIfAborted();
      const answer = await retrieval.best(project, query, { limit: DEPTH, signal: until });
      asked.push(project);
      for (const warning of answer.warnings) warnings.add(warning);
      for (const { chunk, score, meaning } of answer.hits)
        found.push({
          candidate: {
            hit: fromChunk(chunk, project, words),
            noteOn: noteOn(chunk),
            near: clamp(meaning?.similarity ?? 0),
          },
          score,
        });
    } catch (error) {
      signal.throwIfAborted();
      if (only !== undefined && error instanceof ShelfError && error.code === "INVALID_PROJECT") throw error;
      incomplete.push(incompleteOf(`project ${project}`, error));
    }
  }
  found.sort((a, b) => b.score - a.score || order(a.candidate.hit, b.candidate.hit));
  return {
    hits: found.map(({ candidate }) => candidate),
    projects: asked,
    incomplete,
    warnings: [...warnings],
  };
}

function fused(lists: readonly (readonly Candidate[])[], words: AskedWords): LibraryHit[] {
  const byKey = new Map<string, LibraryHit>();
  for (const list of lists) {
    let rank = 0;
    const counted = new Set<string>();
    for (const { hit, near, ...candidate } of list) {
      // A highlight found by its note shows that note already.
      const noted = `highlight ${candidate.noteOn}`;
      const key = byKey.has(noted) ? noted : keyOf(hit);
      const known = byKey.get(key);
      // The same passage in several projects takes one place in the list and counts once.
      if (counted.has(key)) {
        if (known) join(known, hit);
        continue;
      }
      counted.add(key);
      const match = Math.max(near, coverageOf(hit, words));
      const share = (RANK_K / (RANK_K + rank++)) * (0.1 + 0.9 * match ** 2);
      if (known) {
        join(known, hit);
        known.score = 1 - (1 - known.score) * (1 - share);
      } else byKey.set(key, { ...hit, score: share });
    }
  }
  return [...byKey.values()]
    .map((hit) => ({ ...hit, score: Math.round(hit.score * 10_000) / 10_000 }))
    .sort((a, b) => b.score - a.score || order(a, b));
}

function coverageOf({ origin, title, text, author, note, tags }: LibraryHit, words: AskedWords): number {
  const around = [author, note, ...tags];
  // What a document is found by is its title as much as its summary; a passage is its text.
  if (origin === "document") return words.coverage(lines([title, text]), lines(around));
  return words.coverage(text, lines([title, ...around]));
}
const lines = (texts: readonly (string | null)[]) => texts.filter(Boolean).join("\n");

/** A highlight is the same wherever it is kept; other passages are when they read the same. */
function keyOf({ origin, id, highlight_id, text, title }: LibraryHit): string {
  if (highlight_id !== null) return `highlight ${highlight_id}`;
  return origin === "document" ? `document ${id}` : `text ${title}\n${text}`;
}

/** The highlight itself leads; what only the project knows (key, page) joins it. */
function join(known: LibraryHit, other: LibraryHit): void {
  for (const name of other.found_in) if (!known.found_in.includes(name)) known.found_in.push(name);
  known.project ??= other.project;
  known.chunk_id ??= other.chunk_id;
  known.doc_id ??= other.doc_id;
  known.citekey ??= other.citekey;
  known.page_span ??= other.page_span;
  known.author ??= other.author;
  known.snippet ??= other.snippet;
}

const order = (a: LibraryHit, b: LibraryHit) => {
  const [one, two] = [`${a.origin} ${a.project} ${a.id}`, `${b.origin} ${b.project} ${b.id}`];
  return one < two ? -1 : one > two ? 1 : 0;
};

/** The same trouble of both Readwise lists is told once. */
function merged(all: readonly Incomplete[]): Incomplete[] {
  const byMessage = new Map<string, Incomplete>();
  for (const each of all) {
    const known = byMessage.get(each.message);
    byMessage.set(each.message, known ? { ...known, what: `${known.what}, ${each.what}` } : each);
  }
  return [...byMessage.values()];
}

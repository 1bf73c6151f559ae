import { ShelfError } from "../../kernel/errors.js";
import { plural } from "../../kernel/plural.js";
import { type BestMatch, NEAREST_SHOWN } from "../../text/best-match.js";
import type { SearchingPart } from "../readwise/library/search.js";
import { type AskedWords, askedWords } from "./asked-words.js";
import type { StoredChunk } from "./chunk-store.js";
import { fromChunk, fromDocument, fromHighlight, noteOn, snippetIn } from "./library-hit.js";
import type { Retrieval } from "./retrieval.js";
import type { LibraryHit } from "./schemas.js";

interface LibrarySearchRequest {
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

/** One shelf's answer. */
interface Answer {
  hits: Candidate[];
  best_match: BestMatch;
  searched: number | null;
  /** Whether the shelf has more hits than it gave. */
  more: boolean;
  incomplete: Incomplete[];
}
/** A hit with a score that means the same on every shelf: all words asked for, or how near the meaning is. */
interface Candidate {
  hit: LibraryHit;
  /** Whether its meaning was compared: words alone leave much of a hit unknown. */
  weighed: boolean;
  /** The highlight it is a note on. */
  noteOn?: number | null;
  chunk?: StoredChunk;
}
/** A hit with the chunks it was found in; one of them has its snippet, if the hit itself has none. */
interface Merged {
  hit: LibraryHit;
  chunks: StoredChunk[];
}

/** Deep enough that a hit ranked low in two lists can still rank first in the fused one. */
const DEPTH = 50;
const MOST = 50;
const MORE = "ask more narrowly, or search_highlights, search_documents or query_hybrid";
/**
 * What was not highlighted counts this much of what it would. A person chose a highlight for what it says; a passage or
 * a summary is long and near to many questions. With these, highlights that are looked for in other words are found in
 * search_library about as often as in search_highlights.
 */
const UNMARKED = { passage: 0.75, document: 0.85 };
/** A passage with all the words that were asked for, before its meaning counts. */
const ALL_WORDS = 0.5;
const NEARLY_ALL = 0.9;
const PART = 0.2;
/** What has less than this share of the best score is not listed, where its meaning is known. */
const LEAST = 0.3;
/** A passage of a work that was asked for by its name. */
const NAMED = 0.9;
/** Loading a large library takes longer than a caller waits; what is loaded by then is kept for the next call. */
const PATIENCE_MS = 20_000;

/**
 * One question to every shelf. Every score is absolute (words that are all there, or the cosine of the meanings), so the
 * best of a poor list stays behind the best of a good one.
 */
export async function searchLibrary(
  { retrieval, readwise }: { retrieval: LibraryRetrieval; readwise: SearchingPart },
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
  const answers = [highlights, documents, passages];
  const best_match = bestOf(answers.map((answer) => answer.best_match));
  const hits = merged(worthListing(answers.flatMap((answer) => answer.hits)));
  const results = hits.slice(0, best_match === "none" ? Math.min(limit, NEAREST_SHOWN) : limit);
  const more = best_match !== "none" && (hits.length > results.length || answers.some((answer) => answer.more));
  const searched = {
    highlights: highlights.searched,
    documents: documents.searched,
    projects: passages.projects,
    notebooks: passages.notebooks,
  };
  return {
    results: results.map((each) => withSnippet(each, words)),
    count: results.length,
    best_match,
    truncated: more,
    ...(best_match === "none" && { hint: plainNo(searched, passages.passages, results.length) }),
    ...(more && { hint: `There are more than these ${results.length}: ${limit < MOST ? "raise limit" : MORE}.` }),
    searched,
    not_searched: notSearched(searched, project),
    incomplete: mergedTrouble([...highlights.incomplete, ...documents.incomplete, ...passages.incomplete]),
    warnings: passages.warnings,
  };
}

type LibraryRetrieval = Pick<Retrieval, "list" | "best" | "notebooks" | "authors">;

interface SearchedWhere {
  highlights: number | null;
  documents: number | null;
  projects: string[];
  notebooks: string[];
}

function bestOf(all: readonly BestMatch[]): BestMatch {
  return all.includes("good") ? "good" : all.includes("weak") ? "weak" : "none";
}

function plainNo({ highlights, documents }: SearchedWhere, passages: number, shown: number): string {
  const all = [plural(highlights ?? 0, "highlight"), plural(documents ?? 0, "document"), plural(passages, "passage")];
  const rest = shown > 0 ? " What is listed is only the nearest." : "";
  return `Nothing fits in ${all.join(", ")}.${rest} Try other words.`;
}

/** What a caller must not take for searched, and how to have it searched. */
function notSearched({ documents, highlights }: SearchedWhere, project: string | undefined): string[] {
  const missing: string[] = [];
  if (documents !== null)
    missing.push(
      "full texts and transcripts of Reader documents that are in no project: sync_library puts them into one",
    );
  if (highlights === null) missing.push("highlights: see incomplete");
  if (documents === null) missing.push("Reader documents: see incomplete");
  if (project !== undefined) missing.push(`other projects and notebooks than ${project}: leave project out`);
  return missing;
}

/** A shelf that cannot answer is named in the answer; only the caller's own signal ends the call. */
async function answerOf(what: string, signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    return { hits: [], best_match: "none", searched: null, more: false, incomplete: [incompleteOf(what, error)] };
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
  by_meaning: number;
  complete: boolean;
  truncated: boolean;
  retry_after?: number;
  hint?: string;
  best_match: BestMatch;
}
function coverage(what: string, readwise: SearchingPart, found: Covered): Omit<Answer, "hits"> {
  const { searched, complete, truncated, retry_after, hint, best_match } = found;
  const incomplete: Incomplete[] = [];
  const notByMeaning = readwise.notByMeaning(found);
  if (!complete) {
    const message = hint ?? `Only ${searched} are here so far.`;
    incomplete.push({ what, code: "rate_limited", message, ...(retry_after ? { retry_after } : {}) });
  } else if (notByMeaning) incomplete.push({ what, ...notByMeaning });
  return { searched, best_match, more: truncated, incomplete };
}

async function askHighlights(readwise: SearchingPart, query: string, signal: AbortSignal): Promise<Answer> {
  const found = await readwise.searchHighlights({ query, limit: DEPTH }, signal);
  const weighed = found.by_meaning > 0;
  const hits = found.results.map((result) => ({ hit: fromHighlight(result), weighed }));
  return { hits, ...coverage("highlights", readwise, found) };
}

async function askDocuments(readwise: SearchingPart, query: string, signal: AbortSignal): Promise<Answer> {
  const found = await readwise.searchDocuments({ query, limit: DEPTH }, signal);
  const hits = found.results.map((result) => {
    const hit = fromDocument(result);
    const score = hit.score < NAMED ? UNMARKED.document * hit.score : hit.score;
    return { hit: { ...hit, score }, weighed: found.by_meaning > 0 };
  });
  return { hits, ...coverage("documents", readwise, found) };
}

/** Every project and notebook is asked by itself, one after the other. */
async function askProjects(
  retrieval: LibraryRetrieval,
  query: string,
  words: AskedWords,
  only: string | undefined,
  signal: AbortSignal,
  until: AbortSignal,
) {
  const projects =
    only === undefined ? (await retrieval.list()).map(({ id }) => ({ id, name: null })) : [{ id: only, name: null }];
  const places: { id: string; name: string | null }[] = [
    ...projects,
    ...(only === undefined ? await retrieval.notebooks() : []),
  ];
  const hits: Candidate[] = [];
  const incomplete: Incomplete[] = [];
  const warnings = new Set<string>();
  const asked: { id: string; name: string | null }[] = [];
  const fits: BestMatch[] = [];
  let passages = 0;
  let more = false;
  for (const { id, name } of places) {
    try {
      until.throwIfAborted();
      const answer = await retrieval.best(id, query, { limit: DEPTH, signal: until });
      asked.push({ id, name });
      passages += answer.searched;
      more ||= answer.hits.length >= DEPTH && answer.searched > DEPTH;
      if (answer.hits.length > 0) fits.push(answer.best_match);
      for (const warning of answer.warnings) warnings.add(warning);
      const authors = await retrieval.authors(
        id,
        answer.hits.map(({ chunk }) => chunk),
      );
      answer.hits.forEach(({ chunk, meaning, named }, i) => {
        const hit = fromChunk(chunk, { id, notebook: name, author: authors[i] ?? null });
        const share = words.coverage(hit.text, [hit.title, hit.author, ...(hit.tags ?? [])].filter(Boolean).join("\n"));
        const near = Math.max(0, meaning?.similarity ?? 0);
        const fit = Math.max(near, share >= NEARLY_ALL ? ALL_WORDS : 0) + PART * share ** 2;
        const score = named ? NAMED + (1 - NAMED) * Math.min(1, fit) : UNMARKED.passage * Math.min(1, fit);
        hits.push({ hit: { ...hit, score }, weighed: meaning !== null, noteOn: noteOn(chunk), chunk });
      });
    } catch (error) {
      signal.throwIfAborted();
      if (only !== undefined && error instanceof ShelfError && error.code === "INVALID_PROJECT") throw error;
      incomplete.push(incompleteOf(name === null ? `project ${id}` : `notebook ${name}`, error));
    }
  }
  return {
    hits: hits.sort((a, b) => b.hit.score - a.hit.score || order(a.hit, b.hit)),
    best_match: bestOf(fits),
    searched: null,
    more,
    passages,
    projects: asked.filter(({ name }) => name === null).map(({ id }) => id),
    notebooks: asked.flatMap(({ name }) => (name === null ? [] : [name])),
    incomplete,
    warnings: [...warnings],
  };
}

function worthListing(candidates: readonly Candidate[]): Candidate[] {
  const best = candidates.reduce((most, { hit }) => Math.max(most, hit.score), 0);
  return candidates.filter(({ hit, weighed }) => !weighed || hit.score >= LEAST * best);
}

function merged(candidates: readonly Candidate[]): Merged[] {
  const byKey = new Map<string, Merged>();
  for (const { hit, chunk, ...candidate } of candidates) {
    const chunks = chunk ? [chunk] : [];
    // A highlight found by its note shows that note already.
    const noted = `highlight ${candidate.noteOn}`;
    const key = byKey.has(noted) ? noted : keyOf(hit);
    const known = byKey.get(key);
    if (known) {
      join(known.hit, hit);
      known.hit.score = Math.max(known.hit.score, hit.score);
      known.chunks.push(...chunks);
    } else byKey.set(key, { hit: { ...hit }, chunks });
  }
  return [...byKey.values()]
    .map(({ hit, chunks }) => ({ hit: { ...hit, score: Math.round(hit.score * 10_000) / 10_000 }, chunks }))
    .sort((a, b) => b.hit.score - a.hit.score || order(a.hit, b.hit));
}

/** Looked for last: most candidates are not shown. */
function withSnippet({ hit, chunks }: Merged, words: AskedWords): LibraryHit {
  let { snippet } = hit;
  for (const chunk of chunks) snippet ??= snippetIn(chunk, words);
  return { ...hit, snippet };
}

/** A highlight is the same wherever it is kept; other passages are when they read the same. */
function keyOf({ origin, id, highlight_id, text, title }: LibraryHit): string {
  if (highlight_id !== undefined) return `highlight ${highlight_id}`;
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
  known.date ??= other.date;
}

const order = (a: LibraryHit, b: LibraryHit) => {
  const [one, two] = [`${a.origin} ${a.project} ${a.id}`, `${b.origin} ${b.project} ${b.id}`];
  return one < two ? -1 : one > two ? 1 : 0;
};

/** A warning that both Readwise lists give is shown once. */
function mergedTrouble(all: readonly Incomplete[]): Incomplete[] {
  const byMessage = new Map<string, Incomplete>();
  for (const each of all) {
    const known = byMessage.get(each.message);
    byMessage.set(each.message, known ? { ...known, what: `${known.what}, ${each.what}` } : each);
  }
  return [...byMessage.values()];
}

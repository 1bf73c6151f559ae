import type { z } from "zod";
import type { Hit as ChunkHit } from "../../../shelves/chunks/schemas.js";
import type { Document, Highlight } from "../../../shelves/readwise/schemas.js";
import type { Hit } from "../reading/hits.js";
import { type LibraryAnswer, libraryHits, pandoc, withoutHeadings } from "../reading/library-hits.js";
import { pagesOf, placeOf } from "../reading/places.js";
import { plainWords } from "../reading/plain-words.js";
import { callTool, type Failure, offers } from "./connection.js";

type Passage = z.infer<typeof ChunkHit>;

export interface Found {
  hits: Hit[];
  /** What is still being fetched upstream, and what failed, in words. */
  remarks: string[];
  failures: Failure[];
  /** True where the server says that nothing fits and the hits are only the nearest. */
  nothingFits?: boolean;
}

/** The longest query the search takes. */
export const LONGEST_QUERY = 1_000;

const EACH = 20;

interface Coverage {
  complete: boolean;
  retry_after?: number;
}

/**
 * One tool searches everything. Where it is not on offer, every shelf that is gets asked at once, and what is there is
 * reported each time one of them answers; the order is by rank in each list.
 */
export async function searchEverywhere(
  query: string,
  signal: AbortSignal,
  tell: (found: Found) => void,
): Promise<void> {
  if (offers("search_library")) {
    const found = await library(query, signal);
    if (!signal.aborted) tell(found);
    return;
  }
  const lists: Found[] = [];
  const shelves = [
    offers("search_highlights") && highlights(query, signal),
    offers("search_documents") && documents(query, signal),
    offers("list_projects", "query_hybrid") && passages(query, signal),
  ].filter((shelf) => shelf !== false);
  await Promise.all(
    shelves.map(async (shelf) => {
      lists.push(await shelf);
      if (!signal.aborted) tell(together(lists));
    }),
  );
}

async function library(query: string, signal: AbortSignal): Promise<Found> {
  const answer = await callTool<LibraryAnswer>("search_library", { query, limit: 40 }, { signal });
  if (!answer.ok) return failed(answer.error);
  const { incomplete } = answer.data;
  return {
    hits: libraryHits(answer.data),
    remarks: incomplete.filter(({ code }) => code !== "auth_error").map(plainWords),
    failures: incomplete.filter(({ code }) => code === "auth_error"),
    nothingFits: answer.data.best_match === "none",
  };
}

function together(lists: readonly Found[]): Found {
  const ranked = lists.flatMap(({ hits }) => hits.map((hit, rank) => ({ hit, rank })));
  // Scores of different searches live on different scales: ranks are comparable, the score breaks ties.
  ranked.sort((a, b) => a.rank - b.rank || b.hit.score - a.hit.score);
  return {
    hits: ranked.map(({ hit }) => hit),
    remarks: lists.flatMap(({ remarks }) => remarks),
    failures: lists.flatMap(({ failures }) => failures),
  };
}

const failed = (error: Failure): Found => ({ hits: [], remarks: [], failures: [error] });

async function highlights(query: string, signal: AbortSignal): Promise<Found> {
  const answer = await callTool<
    Coverage & { results: { highlight: Highlight; source_title: string; relevance_score: number }[] }
  >("search_highlights", { query, limit: EACH }, { signal });
  if (!answer.ok) return failed(answer.error);
  const { results, ...coverage } = answer.data;
  return {
    hits: results.map(({ highlight, source_title, relevance_score }) => ({
      key: `highlight-${highlight.id}`,
      origin: "highlight",
      title: source_title,
      author: null,
      text: highlight.text,
      note: highlight.note,
      place: placeOf(highlight),
      tags: highlight.tags.map(({ name }) => name),
      score: relevance_score,
      path: highlight.book_id === null ? [] : ["sources", highlight.book_id],
      params: { highlight: String(highlight.id) },
    })),
    remarks: incomplete("Highlights", coverage),
    failures: [],
  };
}

async function documents(query: string, signal: AbortSignal): Promise<Found> {
  const answer = await callTool<
    Coverage & { results: { document: Document; relevance_score: number; snippet: { text: string } | null }[] }
  >("search_documents", { query, limit: EACH }, { signal });
  if (!answer.ok) return failed(answer.error);
  const { results, ...coverage } = answer.data;
  return {
    hits: results.map(({ document, relevance_score, snippet }) => ({
      key: `document-${document.id}`,
      origin: "document",
      title: document.title ?? "Untitled",
      author: document.author,
      text: document.summary || snippet?.text || "",
      note: document.notes || null,
      place: document.site_name,
      tags: Object.values(document.tags ?? {}).map(({ name }) => name),
      score: relevance_score,
      path: ["documents", document.id],
    })),
    remarks: incomplete("Documents", coverage),
    failures: [],
  };
}

async function passages(query: string, signal: AbortSignal): Promise<Found> {
  const listed = await callTool<{ projects: { id: string; hybrid_enabled: boolean }[] }>(
    "list_projects",
    {},
    { signal },
  );
  if (!listed.ok) return failed(listed.error);
  const found = await Promise.all(listed.data.projects.map((project) => searchProject(project, query, signal)));
  return {
    hits: found.flatMap(({ hits }) => hits).sort((a, b) => b.score - a.score),
    remarks: [],
    failures: found.flatMap(({ failures }) => failures),
  };
}

export async function searchProject(
  { id, hybrid_enabled }: { id: string; hybrid_enabled: boolean },
  query: string,
  signal: AbortSignal,
  topK = 6,
): Promise<Found> {
  const tool = hybrid_enabled ? "query_hybrid" : "find_chunks";
  const answer = await callTool<{ items: Passage[] }>(tool, { project: id, query, top_k: topK }, { signal });
  if (!answer.ok) return failed(answer.error);
  return { hits: answer.data.items.map((item) => passageHit(id, item)), remarks: [], failures: [] };
}

function passageHit(project: string, item: Passage): Hit {
  const title = item.section_path.at(0) ?? item.citekey ?? "Passage";
  return {
    key: `passage-${project}-${item.id}`,
    origin: "passage",
    title,
    author: item.citekey ? `@${item.citekey}` : null,
    text: withoutHeadings(item.render_text, [title, ...item.section_path]),
    note: null,
    place: [project, pagesOf(item.page_span), item.section_path.slice(1).join(" › ")].filter(Boolean).join(", "),
    tags: [],
    score: item.score,
    citation: item.citekey ? pandoc(item.citekey, pagesOf(item.page_span)) : undefined,
    path: ["projects", project, "passages", item.id],
  };
}

function incomplete(what: string, { complete, retry_after }: Coverage): string[] {
  if (complete) return [];
  return [`${what} are still being fetched from Readwise${retry_after ? `; more in ${retry_after} s` : ""}.`];
}

import type { z } from "zod";
import type { Hit as ChunkHit } from "../../../shelves/chunks/schemas.js";
import type { Document, Highlight } from "../../../shelves/readwise/schemas.js";
import type { Hit } from "../reading/hits.js";
import { type LibraryAnswer, libraryHits, pandoc, withoutHeadings } from "../reading/library-hits.js";
import { pagesOf, placeOf } from "../reading/places.js";
import { plainWords } from "../reading/plain-words.js";
import { type SearchTerm, searchTerms, termOf } from "../reading/search-terms.js";
import { callTool, type Failure, offers } from "./connection.js";
import { EVERYWHERE, everywhere } from "./everywhere.js";
import { places, projectName } from "./places.js";

type Passage = z.infer<typeof ChunkHit>;

export interface Found {
  hits: Hit[];
  /** In words: what is still being fetched from Readwise, and what failed. */
  remarks: string[];
  failures: Failure[];
  /** Seconds until the missing part can be requested again. */
  retryAfter?: number | undefined;
  /** True if nothing matches and the hits are only the nearest. */
  nothingFits?: boolean;
}

const EACH = 20;

interface Coverage {
  best_match?: "good" | "weak" | "none" | undefined;
  complete: boolean;
  retry_after?: number;
}

/**
 * One tool searches everything. If it is switched off, all available shelves are asked at once, and the hits so far are
 * reported each time one of them answers; they are ordered by their rank in each list.
 */
export async function searchEverywhere(
  query: string,
  signal: AbortSignal,
  tell: (found: Found) => void,
): Promise<void> {
  const { words, terms } = searchTerms(query);
  if (offers(EVERYWHERE) && terms.length === 0) {
    const found = await library(query, signal);
    if (!signal.aborted) tell(found);
    return;
  }
  const lists: Found[] = [];
  const where = within(terms);
  if (where.refused) return tell({ hits: [], remarks: [where.refused], failures: [] });
  const shelves = [
    where.highlights && offers("search_highlights") && highlights(words, signal, where.filter),
    where.documents && offers("search_documents") && documents(words, signal, where.documentFilter),
    where.passages && words && offers("list_projects", "query_hybrid") && passages(words, signal, where.projects),
  ].filter((shelf) => typeof shelf === "object");
  if (shelves.length === 0)
    tell({ hits: [], remarks: ["Add a word to look for: passages are found by words and meaning."], failures: [] });
  await Promise.all(
    shelves.map(async (shelf) => {
      lists.push(await shelf);
      if (!signal.aborted) tell(together(lists));
    }),
  );
}

async function library(query: string, signal: AbortSignal): Promise<Found> {
  const answer = await callTool<LibraryAnswer>(EVERYWHERE, everywhere(query), { signal });
  if (!answer.ok) return failed(answer.error);
  const { incomplete } = answer.data;
  return {
    hits: libraryHits(answer.data),
    remarks: [...new Set(incomplete.filter(({ code }) => code !== "auth_error").map(plainWords))],
    failures: incomplete.filter(({ code }) => code === "auth_error"),
    nothingFits: answer.data.best_match === "none",
    retryAfter: soonest(incomplete),
  };
}

function together(lists: readonly Found[]): Found {
  const ranked = lists.flatMap(({ hits }) => hits.map((hit, rank) => ({ hit, rank })));
  // Scores of different searches live on different scales: ranks are comparable, the score breaks ties.
  ranked.sort((a, b) => a.rank - b.rank || b.hit.score - a.hit.score);
  const fits = lists.filter(({ hits, nothingFits }) => hits.length > 0 && !nothingFits);
  // The merely nearest hits are shown only if there are no others.
  const shown = fits.length > 0 ? new Set(fits.flatMap(({ hits }) => hits)) : undefined;
  return {
    nothingFits: fits.length === 0 && ranked.length > 0,
    hits: ranked.map(({ hit }) => hit).filter((hit) => !shown || shown.has(hit)),
    remarks: lists.flatMap(({ remarks }) => remarks),
    failures: lists.flatMap(({ failures }) => failures),
    retryAfter: soonest(lists.map(({ retryAfter }) => ({ retry_after: retryAfter }))),
  };
}

const NOTHING: Found = { hits: [], remarks: [], failures: [] };
const failed = (error: Failure): Found => ({
  hits: [],
  remarks: [],
  failures: [error],
  retryAfter: error.retry_after,
});

const soonest = (pauses: readonly { retry_after?: number | undefined }[]): number | undefined => {
  const seconds = pauses.flatMap(({ retry_after }) => retry_after ?? []);
  return seconds.length > 0 ? Math.min(...seconds) : undefined;
};

/** The shelves that a search with these terms can ask. Only highlights and documents have tags, authors and dates. */
function within(terms: readonly SearchTerm[]) {
  const filter = terms.filter(({ key }) => key !== "in").map(({ text }) => text);
  const documentFilter = [...filter];
  let shelf: "highlights" | "documents" | "passages" | "works" | undefined;
  let projects: string[] | undefined;
  for (const { value, not } of terms.filter(({ key }) => key === "in")) {
    const name = value.toLowerCase();
    const project = places.value.projects.find((each) => `${each.id} ${each.name}`.toLowerCase().includes(name));
    if (not) return { refused: "“-in:” does not work; name the place to look in." };
    if (/^(highlights?|documents?|passages?)$/.test(name))
      shelf = `${name.replace(/s$/, "")}s` as "highlights" | "documents" | "passages";
    else if (READER_PLACES.has(name)) {
      shelf = "documents";
      documentFilter.push(`location:${name}`);
    } else if (project) {
      shelf = "passages";
      projects = [project.id];
    } else {
      shelf = "works";
      filter.push(termOf("source", value));
      documentFilter.push(termOf("title", value));
    }
  }
  if (shelf === "passages" && filter.length > 0)
    return { refused: "Passages have no tags, authors or dates of their own; look in highlights or documents." };
  return {
    filter: filter.join(" "),
    documentFilter: documentFilter.join(" "),
    projects,
    highlights: shelf !== "documents" && shelf !== "passages",
    documents: shelf !== "highlights" && shelf !== "passages",
    passages: shelf === "passages" || (shelf === undefined && filter.length === 0),
  };
}

const READER_PLACES = new Set(["inbox", "new", "later", "shortlist", "archive", "feed"]);

/** A filter on a property that a kind does not have finds nothing of that kind; this is not a failure. */
const nothingToFilter = ({ message }: Failure) => /^filter: \w+ have no /.test(message);

async function highlights(query: string, signal: AbortSignal, filter: string): Promise<Found> {
  const filtered = filter ? { filter } : {};
  const answer = query
    ? await callTool<Coverage & { results: { highlight: Highlight; source_title: string; relevance_score: number }[] }>(
        "search_highlights",
        { query, limit: EACH, ...filtered },
        { signal },
      )
    : await listedHighlights(filter, signal);
  if (!answer.ok) return nothingToFilter(answer.error) ? NOTHING : failed(answer.error);
  const { results, ...coverage } = answer.data;
  return {
    nothingFits: coverage.best_match === "none",
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
    retryAfter: coverage.complete ? undefined : coverage.retry_after,
    failures: [],
  };
}

const WHOLE: Coverage = { complete: true };

/** Without words, the newest items that pass the filter. */
async function listedHighlights(filter: string, signal: AbortSignal) {
  const answer = await callTool<{ results: (Highlight & { source_title?: string })[] }>(
    "list_highlights",
    { filter, page_size: EACH },
    { signal },
  );
  if (!answer.ok) return answer;
  return {
    ok: true as const,
    data: {
      ...WHOLE,
      results: answer.data.results.map((highlight) => ({
        highlight,
        source_title: highlight.source_title ?? "Highlights",
        relevance_score: 1,
      })),
    },
  };
}

async function documents(query: string, signal: AbortSignal, filter: string): Promise<Found> {
  const filtered = filter ? { filter } : {};
  const answer = query
    ? await callTool<
        Coverage & { results: { document: Document; relevance_score: number; snippet: { text: string } | null }[] }
      >("search_documents", { query, limit: EACH, ...filtered }, { signal })
    : await listedDocuments(filter, signal);
  if (!answer.ok) return nothingToFilter(answer.error) ? NOTHING : failed(answer.error);
  const { results, ...coverage } = answer.data;
  return {
    nothingFits: coverage.best_match === "none",
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
    retryAfter: coverage.complete ? undefined : coverage.retry_after,
    failures: [],
  };
}

async function listedDocuments(filter: string, signal: AbortSignal) {
  const answer = await callTool<{ results: Document[] }>("list_documents", { filter, limit: EACH }, { signal });
  if (!answer.ok) return answer;
  return {
    ok: true as const,
    data: {
      ...WHOLE,
      results: answer.data.results.map((document) => ({ document, relevance_score: 1, snippet: null })),
    },
  };
}

async function passages(query: string, signal: AbortSignal, only: readonly string[] | undefined): Promise<Found> {
  const listed = await callTool<{ projects: { id: string; hybrid_enabled: boolean }[] }>(
    "list_projects",
    {},
    { signal },
  );
  if (!listed.ok) return failed(listed.error);
  const wanted = listed.data.projects.filter(({ id }) => only === undefined || only.includes(id));
  const found = await Promise.all(wanted.map((project) => searchProject(project, query, signal)));
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
    place: [projectName(project), pagesOf(item.page_span), item.section_path.slice(1).join(" › ")]
      .filter(Boolean)
      .join(", "),
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

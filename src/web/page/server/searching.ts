import type { z } from "zod";
import type { Hit as ChunkHit } from "../../../shelves/chunks/schemas.js";
import type { ListedHighlight, ShownDocument, ShownHighlight } from "../../../shelves/readwise/schemas.js";
import type { Hit } from "../reading/hits.js";
import { type LibraryAnswer, libraryHits, pandoc, withoutHeadings } from "../reading/library-hits.js";
import { pagesOf, placeOf } from "../reading/places.js";
import { plainWords } from "../reading/plain-words.js";
import { type SearchTerm, searchTerms, termOf } from "../reading/search-terms.js";
import { tagNames } from "../reading/small-print.js";
import { type Args, callTool, type Failure, offers } from "./connection.js";
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
  /** Missing where a list is complete. */
  complete?: boolean;
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

const filterOf = (filter: string) => (filter ? { filter } : {});

/** One shelf of Readwise: by words, or without words the newest items that pass the filter. */
async function inReadwise<Row>(
  what: string,
  [tool, args]: [tool: string, args: Args],
  signal: AbortSignal,
  hitOf: (row: Row) => Hit,
): Promise<Found> {
  const answer = await callTool<Coverage & { results: Row[] }>(tool, args, { signal });
  if (!answer.ok) return nothingToFilter(answer.error) ? NOTHING : failed(answer.error);
  const { results, best_match, complete = true, retry_after } = answer.data;
  const pause = retry_after ? `; more in ${retry_after} s` : "";
  return {
    nothingFits: best_match === "none",
    hits: results.map(hitOf),
    remarks: complete ? [] : [`${what} are still being fetched from Readwise${pause}.`],
    retryAfter: complete ? undefined : retry_after,
    failures: [],
  };
}

type FoundHighlight = Pick<ListedHighlight, "source_title" | "author"> & {
  highlight: ShownHighlight;
  relevance_score: number;
};

const highlights = (query: string, signal: AbortSignal, filter: string): Promise<Found> =>
  inReadwise<FoundHighlight | ListedHighlight>(
    "Highlights",
    query
      ? ["search_highlights", { query, limit: EACH, ...filterOf(filter) }]
      : ["list_highlights", { filter, page_size: EACH }],
    signal,
    (row) => {
      const highlight = "highlight" in row ? row.highlight : row;
      return {
        key: `highlight-${highlight.id}`,
        origin: "highlight",
        title: row.source_title ?? "Highlights",
        author: row.author ?? null,
        text: highlight.text ?? "",
        note: highlight.note ?? null,
        place: placeOf(highlight),
        tags: tagNames(highlight),
        score: "highlight" in row ? row.relevance_score : 1,
        path: highlight.source_id === undefined ? [] : ["sources", highlight.source_id],
        params: { highlight: String(highlight.id) },
      };
    },
  );

type FoundDocument = { document: ShownDocument; relevance_score: number; snippet: { text: string } | null };

const documents = (query: string, signal: AbortSignal, filter: string): Promise<Found> =>
  inReadwise<FoundDocument | ShownDocument>(
    "Documents",
    query
      ? ["search_documents", { query, limit: EACH, ...filterOf(filter) }]
      : ["list_documents", { filter, limit: EACH }],
    signal,
    (row) => {
      const { document, relevance_score, snippet } =
        "document" in row ? row : { document: row, relevance_score: 1, snippet: null };
      return {
        key: `document-${document.id}`,
        origin: "document",
        title: document.title ?? "Untitled",
        author: document.author ?? null,
        text: document.summary || snippet?.text || "",
        note: document.notes || null,
        place: document.site_name ?? null,
        tags: tagNames(document),
        score: relevance_score,
        path: ["documents", document.id],
      };
    },
  );

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

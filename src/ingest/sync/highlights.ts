import { CSL_TYPES } from "../../shelves/readwise/kinds.js";
import type { ExportedSource } from "../../shelves/readwise/readwise-api.js";
import type { Highlight, Source } from "../../shelves/readwise/schemas.js";
import { languageOf } from "../meta.js";
import { splitAuthors } from "../names.js";
import { sha256 } from "../to-chunks.js";
import { asParagraphs, onPage, pageMarks } from "./paragraphs.js";
import type { Arrival, GivenNote, GivenPassage } from "./writing.js";

export const highlightsId = (source: number | string) => `readwise_${source}`;

/**
 * A source as a document of its highlights: its text is what was highlighted, in reading order, and every highlight is
 * a chunk. Undefined where nothing is highlighted.
 */
export function highlightsArrival({ source, highlights }: ExportedSource): Arrival | undefined {
  const live = highlights.filter((each) => !each.is_deleted).map(({ highlight }) => highlight);
  const inOrder = live.sort(
    (a, b) =>
      (a.location ?? Number.POSITIVE_INFINITY) - (b.location ?? Number.POSITIVE_INFINITY) ||
      (a.highlighted_at ?? "").localeCompare(b.highlighted_at ?? "") ||
      a.id - b.id,
  );
  const { text, edits, spans } = asParagraphs(inOrder);
  if (spans.length === 0) return undefined;
  const title = source.readable_title || source.title || "Untitled source";
  const id = highlightsId(source.id);
  const address = webAddress(source.source_url);
  const language = languageOf(text);

  const passages = spans.map<GivenPassage>(({ item: highlight, start, end }) => ({
    id: `${id}_${highlight.id}`,
    text: text.slice(start, end),
    start,
    end,
    url: addressOf(highlight, source),
    tags: tagsOf(highlight, source),
    ...onPage(pageOf(highlight)),
    section_path: [],
    metadata: { readwise: aboutHighlight(highlight, source) },
  }));
  const notes = notesOf(source, inOrder);

  return {
    id,
    kind: "highlights",
    title,
    origin: source.readwise_url,
    fingerprint: sha256(
      JSON.stringify([id, title, source.author, source.category, address, language, passages, notes]),
    ),
    meta: {
      title,
      authors: splitAuthors(source.author),
      type: CSL_TYPES[source.category ?? ""] ?? "document",
    },
    csl: { ...(address ? { URL: address } : {}) },
    readerId: source.external_id,
    extra: { source_id: source.id },
    notes,
    async read() {
      return { text, pages: pageMarks(spans, pageOf), headings: [], edits, language, warnings: [], passages };
    },
  };
}

function notesOf(source: Source, highlights: readonly Highlight[]): GivenNote[] {
  const about = (highlight_id: number | null) => ({ kind: "note", highlight_id, source_id: source.id });
  const notes = highlights.map((highlight) => ({
    id: `${highlightsId(source.id)}_${highlight.id}_note`,
    text: highlight.note ?? "",
    url: addressOf(highlight, source),
    tags: tagsOf(highlight, source),
    metadata: { readwise: about(highlight.id) },
  }));
  const onSource = {
    id: `${highlightsId(source.id)}_note`,
    text: source.document_note ?? "",
    url: source.readwise_url,
    tags: source.tags.map(({ name }) => name),
    metadata: { readwise: about(null) },
  };
  return [onSource, ...notes].filter(({ text }) => text.trim() !== "");
}

const addressOf = (highlight: Highlight, source: Source) =>
  highlight.url ?? highlight.readwise_url ?? source.readwise_url;
const tagsOf = (highlight: Highlight, source: Source) => [
  ...new Set([...highlight.tags, ...source.tags].map(({ name }) => name)),
];

function aboutHighlight(highlight: Highlight, source: Source) {
  return {
    kind: "highlight",
    highlight_id: highlight.id,
    source_id: source.id,
    location: highlight.location,
    location_type: highlight.location_type,
    color: highlight.color || null,
    highlighted_at: highlight.highlighted_at,
    readwise_url: highlight.readwise_url,
    favorite: highlight.is_favorite ?? false,
    discarded: highlight.is_discard ?? false,
  };
}

/** A page only where the source says it is one; Kindle locations and offsets are none. */
function pageOf({ location, location_type }: Highlight) {
  const isPage = location_type === "page" && location !== null && Number.isInteger(location) && location >= 1;
  return isPage ? { number: location, label: String(location) } : null;
}

/** Mail and uploads have addresses that lead nowhere. */
export function webAddress(address: string | null): string | undefined {
  return address !== null && /^https?:\/\//.test(address) ? address : undefined;
}

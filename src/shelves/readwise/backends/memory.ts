import { ShelfError } from "../../../kernel/errors.js";
import type {
  DocumentsQuery,
  ExportedSource,
  NewHighlight,
  PageOf,
  ReadwiseApi,
  Tagged,
  TouchedSource,
} from "../readwise-api.js";
import type { Document, Highlight, Source, Tag } from "../schemas.js";

export interface MemoryReadwiseOptions {
  clock?: () => number;
  /** Sources on a page of the export. */
  exportPageSize?: number;
}

interface Kept {
  source: Source;
  highlights: Map<number, { highlight: Highlight; is_deleted: boolean; changed: number }>;
}

/** A Readwise account in memory, for trials and tests: it does what the service is known to do, and forgets at the end. */
export function memoryReadwise({ clock = Date.now, exportPageSize = 100 }: MemoryReadwiseOptions = {}): ReadwiseApi {
  const sources = new Map<number, Kept>();
  const documents = new Map<string, { document: Document; html: string; changed: number }>();
  let ids = 1000;
  const stamp = () => new Date(clock()).toISOString();
  const missing = (what: string) => new ShelfError("not_found", `There is no ${what}.`);

  function keptSource(id: string): Kept {
    const kept = sources.get(Number(id));
    if (!kept) throw missing(`source ${id}`);
    return kept;
  }
  function keptHighlight(id: string) {
    for (const { highlights } of sources.values()) {
      const kept = highlights.get(Number(id));
      if (kept && !kept.is_deleted) return kept;
    }
    throw missing(`highlight ${id}`);
  }
  function keptDocument(id: string) {
    const kept = documents.get(id);
    if (!kept) throw missing(`document ${id}`);
    return kept;
  }
  const live = ({ highlights }: Kept) =>
    [...highlights.values()].filter(({ is_deleted }) => !is_deleted).map(({ highlight }) => highlight);
  /** As list and detail show a source: counted, without what only the export has. */
  const listed = (kept: Kept): Source => ({
    ...kept.source,
    highlight_count: live(kept).length,
    readable_title: null,
    unique_url: null,
    summary: null,
    external_id: null,
  });
  const detail = (highlight: Highlight): Highlight => ({
    ...highlight,
    created_at: null,
    is_favorite: null,
    is_discard: null,
    external_id: null,
    readwise_url: null,
  });

  function sourceFor({
    title = "Quotes",
    author = null,
    source_url = null,
    category,
    source_type,
  }: Partial<Record<keyof NewHighlight, string | null>>): Kept {
    for (const kept of sources.values())
      if (kept.source.title === title && kept.source.author === author && kept.source.source_url === source_url)
        return kept;
    const id = ++ids;
    const source: Source = {
      id,
      title,
      readable_title: title,
      author,
      category: category ?? (source_url ? "articles" : "books"),
      source: source_type ?? "api",
      cover_image_url: null,
      source_url,
      readwise_url: `https://readwise.io/bookreview/${id}`,
      unique_url: null,
      highlight_count: null,
      tags: [],
      document_note: null,
      summary: null,
      last_highlight_at: null,
      updated_at: stamp(),
      asin: null,
      external_id: null,
    };
    const kept: Kept = { source, highlights: new Map() };
    sources.set(id, kept);
    return kept;
  }

  function create(item: NewHighlight): { kept: Kept; id: number | undefined } {
    const kept = sourceFor({ ...item, location: null } as Partial<Record<keyof NewHighlight, string | null>>);
    if (live(kept).some(({ text }) => text === item.text)) return { kept, id: undefined };
    const id = ++ids;
    const at = stamp();
    const highlight: Highlight = {
      id,
      text: item.text,
      note: item.note ?? "",
      location: item.location ?? null,
      location_type: item.location_type ?? "order",
      color: "",
      highlighted_at: item.highlighted_at ?? at,
      created_at: at,
      updated_at: at,
      book_id: kept.source.id,
      url: item.highlight_url ?? null,
      readwise_url: `https://readwise.io/open/${id}`,
      tags: [],
      is_favorite: false,
      is_discard: false,
      external_id: null,
    };
    kept.highlights.set(id, { highlight, is_deleted: false, changed: clock() });
    kept.source.updated_at = at;
    return { kept, id };
  }

  function tagsOf(kind: Tagged, id: string): Tag[] {
    return kind === "source" ? keptSource(id).source.tags : keptHighlight(id).highlight.tags;
  }
  function touch(kind: Tagged, id: string): void {
    if (kind === "source") keptSource(id).source.updated_at = stamp();
    else Object.assign(keptHighlight(id), { changed: clock() });
  }

  function matching({ id, location, category, updatedAfter }: DocumentsQuery) {
    return [...documents.values()]
      .filter(({ document, changed }) => {
        if (id !== undefined && document.id !== id) return false;
        if (location !== undefined && document.location !== location) return false;
        if (category !== undefined && document.category !== category) return false;
        return updatedAfter === undefined || changed > Date.parse(updatedAfter);
      })
      .sort((a, b) => b.changed - a.changed || (a.document.id < b.document.id ? 1 : -1));
  }

  return {
    async sources({ page, pageSize, category, updatedAfter }) {
      const all = [...sources.values()]
        .map(listed)
        .filter(
          (source) =>
            (category === undefined || source.category === category) && isAfter(source.updated_at, updatedAfter),
        )
        .sort((a, b) => b.id - a.id);
      return pageOf(all, page, pageSize);
    },
    source: async (id) => listed(keptSource(id)),
    async highlights({ page, pageSize, sourceId, updatedAfter }) {
      const all = [...sources.values()]
        .filter(({ source }) => sourceId === undefined || source.id === Number(sourceId))
        .flatMap(live)
        .filter(({ updated_at }) => isAfter(updated_at, updatedAfter))
        .sort((a, b) => b.id - a.id);
      return pageOf(all.map(detail), page, pageSize);
    },
    highlight: async (id) => detail(keptHighlight(id).highlight),
    async exported({ updatedAfter, ids: wanted, includeDeleted = false, cursor }) {
      const since = updatedAfter === undefined ? Number.NEGATIVE_INFINITY : Date.parse(updatedAfter);
      const all = [...sources.values()]
        .filter(
          ({ source }) =>
            (wanted === undefined || wanted.includes(String(source.id))) && (!cursor || source.id < Number(cursor)),
        )
        .sort((a, b) => b.source.id - a.source.id)
        .map(
          ({ source, highlights }): ExportedSource => ({
            source: { ...source, highlight_count: null, updated_at: null },
            is_deleted: false,
            highlights: structuredClone(
              [...highlights.values()]
                .filter(({ is_deleted, changed }) => changed > since && (includeDeleted || !is_deleted))
                .map(({ highlight, is_deleted }) => ({ highlight, is_deleted })),
            ),
          }),
        )
        .filter(({ highlights }) => updatedAfter === undefined || highlights.length > 0);
      const page = all.slice(0, exportPageSize);
      return {
        sources: structuredClone(page),
        next: all.length > page.length ? String(page.at(-1)!.source.id) : null,
        skipped: 0,
      };
    },
    async review() {
      return { review_id: 1, review_url: "https://readwise.io/reviews/1", review_completed: false, highlights: [] };
    },

    tagsOf: async (kind, id) => structuredClone(tagsOf(kind, id)),
    async addTag(kind, id, name) {
      const tags = tagsOf(kind, id);
      const known = tags.find((tag) => tag.name === name);
      if (known) return { ...known };
      const tag = { id: ++ids, name };
      tags.push(tag);
      touch(kind, id);
      return { ...tag };
    },
    async deleteTag(kind, id, tag) {
      const tags = tagsOf(kind, id);
      const at = tags.findIndex((one) => one.id === Number(tag));
      if (at < 0) throw missing(`tag ${tag}`);
      tags.splice(at, 1);
      touch(kind, id);
    },

    async createHighlights(items) {
      const touched = new Map<number, TouchedSource>();
      for (const item of items) {
        const { kept, id } = create(item);
        const answer = touched.get(kept.source.id) ?? { ...listed(kept), modified_highlights: [] };
        if (id !== undefined) answer.modified_highlights.push(id);
        touched.set(kept.source.id, answer);
      }
      return [...touched.values()];
    },
    async updateHighlight(id, changes) {
      const kept = keptHighlight(id);
      for (const [field, value] of Object.entries(changes))
        if (value !== undefined) Object.assign(kept.highlight, { [field]: value });
      kept.highlight.updated_at = stamp();
      kept.changed = clock();
      return detail(kept.highlight);
    },
    async deleteHighlight(id) {
      Object.assign(keptHighlight(id), { is_deleted: true, changed: clock() });
    },

    async documents(query) {
      const { cursor, limit = 100, withContent = false } = query;
      const all = matching(query);
      const start = cursor ? all.findIndex(({ document }) => document.id === cursor) + 1 : 0;
      const page = all.slice(start, start + limit);
      return {
        documents: page.map(({ document, html }) =>
          structuredClone(withContent ? { ...document, content: html || document.content } : document),
        ),
        next: start + page.length < all.length ? page.at(-1)!.document.id : null,
        count: all.length,
        skipped: 0,
      };
    },
    async readerTags() {
      const tags = new Map<string, string>();
      for (const { document } of documents.values())
        for (const [key, { name }] of Object.entries(document.tags ?? {})) tags.set(key, name);
      return { tags: [...tags].map(([key, name]) => ({ key, name })), next: null };
    },
    async saveDocument({ url, title, author, summary, tags, location, category }) {
      const known = [...documents.values()].find(({ document }) => document.source_url === url);
      if (known) {
        known.changed = clock();
        return { id: known.document.id, url: known.document.url ?? "", created: false };
      }
      const id = `01m${String(++ids).padStart(23, "0")}`;
      const at = stamp();
      const document: Document = {
        id,
        url: `https://read.readwise.io/read/${id}`,
        source_url: url,
        title: title ?? url,
        author: author ?? null,
        source: "bookwheel",
        category: category ?? "article",
        location: location === "shortlist" || location === undefined ? "new" : location,
        tags: tagMap(tags ?? []),
        site_name: null,
        word_count: null,
        reading_time: null,
        listening_time: null,
        created_at: at,
        updated_at: at,
        published_date: null,
        summary: summary ?? null,
        image_url: null,
        notes: "",
        parent_id: null,
        reading_progress: 0,
        first_opened_at: null,
        last_opened_at: null,
        last_moved_at: at,
        saved_at: at,
        content: null,
        highlight_offset: null,
        highlight_location: null,
      };
      documents.set(id, { document, html: "", changed: clock() });
      return { id, url: document.url!, created: true };
    },
    async updateDocument(id, { title, author, summary, location, tags, seen }) {
      const kept = keptDocument(id);
      const { document } = kept;
      const at = stamp();
      if (title !== undefined) document.title = title;
      if (author !== undefined) document.author = author;
      if (summary !== undefined) document.summary = summary;
      if (location !== undefined) document.location = location === "shortlist" ? "new" : location;
      if (tags !== undefined) document.tags = tagMap(tags);
      if (seen !== undefined)
        [document.first_opened_at, document.last_opened_at] = seen
          ? [document.first_opened_at ?? at, at]
          : [null, null];
      document.updated_at = at;
      kept.changed = clock();
    },
    async deleteDocument(id) {
      keptDocument(id);
      documents.delete(id);
    },
  };
}

const isAfter = (moment: string | null, than: string | undefined) =>
  than === undefined || (moment !== null && Date.parse(moment) > Date.parse(than));

const tagMap = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name.trim().toLowerCase().replace(/\s+/g, "-"), { name }]));

function pageOf<T>(all: readonly T[], page: number, size: number): PageOf<T> {
  const start = (page - 1) * size;
  if (page > 1 && start >= all.length) throw new ShelfError("not_found", `There is no page ${page}.`);
  const results = structuredClone(all.slice(start, start + size));
  return {
    count: all.length,
    next: start + size < all.length ? `?page=${page + 1}` : null,
    previous: page > 1 ? `?page=${page - 1}` : null,
    results,
    skipped: 0,
  };
}

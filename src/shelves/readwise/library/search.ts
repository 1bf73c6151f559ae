import { parseQuery } from "../../../text/analysis.js";
import { type Snippet, snippetsOf } from "../../../text/snippet.js";
import type { Found, WordIndex } from "../../../text/word-index.js";
import { isNameOf, nameIn } from "../../../text/work-names.js";
import type { UpstreamList } from "../cache/datasets.js";
import { DOCUMENT_FIELDS, type DocumentSet } from "../cache/document-set.js";
import type { ItemSet } from "../cache/facts.js";
import { HIGHLIGHT_FIELDS, type HighlightSet } from "../cache/highlight-set.js";
import { documentList, exportList } from "../cache/upstream-lists.js";
import type { Passage } from "../meaning/meaning.js";
import type { Document, Highlight } from "../schemas.js";
import {
  type DocumentFilters,
  documentListing,
  documentsFor,
  documentTest,
  type HighlightFilters,
  highlightListing,
  highlightTest,
} from "./listing.js";
import { type Counted, type Covered, counted, coverageOf, notByMeaning, rankItems } from "./ranking.js";
import type { Shared } from "./shared.js";
import { fieldChoice, showDocument, showHighlight } from "./showing.js";

/** A hit ranked low by words can be best when combined with its meaning. */
const DEPTH = 100;

interface Ranked {
  relevance_score: number;
  snippet: Snippet | null;
}
export interface HighlightHit extends Ranked {
  highlight: Highlight;
  document_id: string | null;
  source_title: string;
  author: string | null;
}
export interface DocumentHit extends Ranked {
  document: Document;
}

interface SearchRequest {
  query: string;
  limit: number;
}

/** What a search has to know of one kind of items. */
interface Kind<Hit extends Ranked> {
  filter: Filter | undefined;
  order(a: number, b: number): number;
  /** The items whose work has this name; `found` are those with its words. */
  named(name: readonly string[], found: readonly number[]): readonly number[];
  passages(item: number): readonly Passage[];
  fields: readonly string[];
  hit(item: number): { texts: Iterable<string>; shown: Omit<Hit, keyof Ranked> };
  searched: Counted;
  /** Whether the list has all there are. */
  whole: boolean;
}
type Filter = (item: number) => boolean;

/** Made here because the meaning index keeps them: a function made in a search would keep that call's context too. */
const passagesOfHighlights = (view: HighlightSet) => (item: number) => highlightPassages(view.item(item));
const passagesOfDocuments = (view: DocumentSet) => (item: number) => documentPassages(view.item(item).document);

export function searchingPart(shared: Shared) {
  const { api, datasets, keyHash, meaning, now } = shared;

  /** By words, and by meaning as far as vectors exist. */
  async function search<V extends ItemSet, Hit extends Ranked>(
    list: UpstreamList<V>,
    { query, limit }: SearchRequest,
    signal: AbortSignal,
    kindOf: (view: V) => Kind<Hit>,
  ) {
    const opened = await datasets.open(list, signal);
    const { view } = opened;
    const index = await view.index(signal);
    datasets.account(list, view);
    const kind = kindOf(view);
    const { filter, passages } = kind;
    await meaning?.expect(query);
    const { found, phrased, absent } = byWords(index, query, {
      ...kind,
      limit: meaning ? Math.max(limit, DEPTH) : limit,
    });
    const also = found.hits.map(({ document }) => document);
    const near = await meaning?.near(
      { name: list.key, space: { keyHash, kind: list.of }, view, passages, whole: opened.complete && kind.whole },
      { query, limit, also, filter, signal },
    );
    const name = nameIn(query);
    const named = name ? kind.named(name, also).filter((item) => filter?.(item) ?? true) : [];
    const ranking = rankItems(found, near, {
      query,
      limit,
      named: new Set(named),
      mustHaveWords: phrased,
      atMost: absent.length > 0 ? "weak" : "good",
    });
    const snippetOf = snippetsOf(kind.fields, found.words);
    const results = ranking.hits.map(({ item, score }) => {
      const { texts, shown } = kind.hit(item);
      return { ...shown, relevance_score: score, snippet: snippetOf(texts) } as Hit;
    });
    const { searched } = kind;
    const coverage = coverageOf(opened, { ranking, near, absent, searched, shown: results.length, meaning });
    return { results, count: ranking.total, ...coverage };
  }

  const part = {
    /** The warning about items without vectors: that they are being computed, or why not. */
    notByMeaning: ({ by_meaning, searched }: Covered) => notByMeaning(meaning, { by_meaning, searched }),

    searchHighlights({ query, limit, ...filters }: SearchRequest & HighlightFilters, signal: AbortSignal) {
      const wanted = filters.source_id === undefined ? undefined : Number(filters.source_id);
      const isFiltered = Object.values(filters).some((value) => value !== undefined);
      return search<HighlightSet, HighlightHit>(exportList(api, keyHash), { query, limit }, signal, (view) => ({
        filter: isFiltered ? highlightTest(view, filters, now()) : undefined,
        order: (a, b) => view.highlightIdOf(b) - view.highlightIdOf(a),
        named: (name) => view.itemsNamed(name),
        passages: passagesOfHighlights(view),
        fields: HIGHLIGHT_FIELDS,
        hit(item) {
          const { highlight, title, author, documentId, texts } = view.item(item);
          return { texts, shown: { highlight, document_id: documentId, source_title: title, author: author || null } };
        },
        searched:
          wanted === undefined
            ? counted(view.liveCount, "highlight")
            : counted(view.highlightsOf(wanted).length, "highlight", ` of source ${wanted}`),
        whole: true,
      }));
    },

    async searchDocuments({ query, limit, ...filters }: SearchRequest & DocumentFilters, signal: AbortSignal) {
      const list = documentsFor(shared, filters);
      const found = await search<DocumentSet, DocumentHit>(list, { query, limit }, signal, (view) => ({
        filter: documentTest(view, filters, now()),
        order: (a, b) => (view.idOf(a) < view.idOf(b) ? 1 : -1),
        named: (name, items) =>
          items.filter((item) => {
            const { title, author } = view.item(item).document;
            return isNameOf(name, { title: title ?? "", author: author ?? "" });
          }),
        passages: passagesOfDocuments(view),
        fields: DOCUMENT_FIELDS,
        hit(item) {
          const { document, texts } = view.item(item);
          return { texts, shown: { document } };
        },
        searched: counted(view.liveCount, "document"),
        whole: list.key === documentList(api, keyHash).key,
      }));
      return {
        ...found,
        not_searched: ["full texts of documents: sync_library puts them into a project, query_hybrid searches it"],
      };
    },

    /** Search with filters; without a query only the filters select. */
    async findHighlights(
      { query, limit, ...filters }: Asked & HighlightFilters,
      mark: string | undefined,
      signal: AbortSignal,
    ) {
      if (query === undefined) {
        const { rows, next_cursor, answer } = await highlightListing(shared, filters, bounds(mark, limit), signal);
        const results = rows.map(({ highlight, title, documentId }) => ({
          highlight: chooseHighlight(showHighlight(highlight, documentId)),
          source_title: title,
        }));
        return { ...listed, ...answer, searched: answer.count, results, next_cursor };
      }
      const found = await part.searchHighlights({ query, limit, ...filters }, signal);
      return {
        ...found,
        not_searched: ["Reader documents, projects and notebooks: search_library searches all of them"],
        results: found.results.map(({ highlight, document_id, ...rest }) => ({
          ...rest,
          highlight: chooseHighlight(showHighlight(highlight, document_id)),
        })),
      };
    },

    async findDocuments(
      { query, limit, ...filters }: Asked & DocumentFilters,
      mark: string | undefined,
      signal: AbortSignal,
    ) {
      const show = (document: Document) => chooseDocument(showDocument(document));
      if (query === undefined) {
        const { rows, next_cursor, answer } = await documentListing(shared, filters, bounds(mark, limit), signal);
        const results = rows.map((document) => ({ document: show(document) }));
        return { ...listed, ...answer, searched: answer.count, results, next_cursor };
      }
      const found = await part.searchDocuments({ query, limit, ...filters }, signal);
      return {
        ...found,
        results: found.results.map(({ document, ...rest }) => ({ ...rest, document: show(document) })),
      };
    },
  };
  return part;
}

export type SearchingPart = ReturnType<typeof searchingPart>;

interface Asked extends Omit<SearchRequest, "query"> {
  query?: string | undefined;
}
const chooseHighlight = fieldChoice("highlight", undefined);
const chooseDocument = fieldChoice("document", undefined);
const listed = { complete: true, truncated: false };
const bounds = (mark: string | undefined, limit: number) => ({ offset: Number(mark ?? 0), limit });

/** A phrase that occurs nowhere is searched as words. */
function byWords(
  index: WordIndex,
  query: string,
  { limit, filter, order }: { limit: number } & Pick<Kind<Ranked>, "filter" | "order">,
): { found: Found; phrased: boolean; absent: string[] } {
  const { phrases, words } = parseQuery(query);
  const found = index.search(query, { limit, filter, order });
  const stands = (phrase: readonly string[]) =>
    phrases.length === 1 ? found.total > 0 : index.search(`"${phrase.join(" ")}"`, { limit: 1, order }).total > 0;
  const absent = phrases.filter((phrase) => !stands(phrase)).map((phrase) => phrase.join(" "));
  const asWords = absent.length > 0 && found.total === 0;
  return {
    found: asWords ? index.search(words.join(" "), { limit, filter, order }) : found,
    phrased: phrases.length > 0 && absent.length === 0,
    absent,
  };
}

function highlightPassages({ highlight, title, author }: ReturnType<HighlightSet["item"]>): Passage[] {
  const { text, note, tags } = highlight;
  const about = [text, note, tags.map(({ name }) => name).join(", ")].filter(Boolean).join("\n");
  return [
    { text, lead: "" },
    { text: about, lead: "" },
    { text: about, lead: [title, author].filter(Boolean).join(", ") },
  ];
}

function documentPassages({ title, author, summary, notes, content }: Document): Passage[] {
  const name = [title, author].filter(Boolean).join(", ");
  const about = [summary, notes, content].filter(Boolean).join("\n");
  if (!about) return [{ text: name, lead: "" }];
  return [
    { text: name || about, lead: "" },
    { text: about, lead: title ?? "" },
  ];
}

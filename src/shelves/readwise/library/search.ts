import { plural } from "../../../kernel/plural.js";
import { parseQuery } from "../../../text/analysis.js";
import type { BestMatch } from "../../../text/best-match.js";
import { type Snippet, snippetsOf } from "../../../text/snippet.js";
import type { Found, WordIndex } from "../../../text/word-index.js";
import { isNameOf, nameIn } from "../../../text/work-names.js";
import type { Opened, View } from "../cache/datasets.js";
import { DOCUMENT_FIELDS, type DocumentSet } from "../cache/document-set.js";
import { HIGHLIGHT_FIELDS, type HighlightSet } from "../cache/highlight-set.js";
import { documentList, exportList } from "../cache/upstream-lists.js";
import type { Near, Readable } from "../meaning/meaning.js";
import type { Document, Highlight } from "../schemas.js";
import { type DocumentFilters, documentsFor, documentTest, type HighlightFilters, highlightTest } from "./listing.js";
import { type Ranking, rankItems } from "./ranking.js";
import type { Shared } from "./shared.js";
import { skippedWarning, withWarnings } from "./showing.js";

/** A hit ranked low by words can be best when combined with its meaning. */
const DEPTH = 100;

export interface HighlightHit {
  highlight: Highlight;
  document_id: string | null;
  source_title: string;
  author: string | null;
  relevance_score: number;
  snippet: Snippet | null;
}
export interface DocumentHit {
  document: Document;
  relevance_score: number;
  snippet: Snippet | null;
}

export function searchingPart(shared: Shared) {
  const { api, datasets, keyHash, meaning, now } = shared;
  const highlights = exportList(api, keyHash);

  /** By words, and by meaning as far as vectors exist; a phrase that occurs nowhere is searched as words. */
  async function search(
    { index, query, limit, filter, order }: SearchRequest,
    near: (also: readonly number[], limit: number) => Promise<Near | undefined>,
    namedBy: (words: readonly string[], found: readonly number[]) => readonly number[],
  ): Promise<{ ranking: Ranking; words: Found["words"]; near: Near | undefined; absent: string[] }> {
    const depth = meaning ? Math.max(limit, DEPTH) : limit;
    const { phrases, words: plain } = parseQuery(query);
    await meaning?.expect(query);
    let found = index.search(query, { limit: depth, filter, order });
    const stands = (phrase: readonly string[]) =>
      phrases.length === 1 ? found.total > 0 : index.search(`"${phrase.join(" ")}"`, { limit: 1, order }).total > 0;
    const absent = phrases.filter((phrase) => !stands(phrase)).map((phrase) => phrase.join(" "));
    if (absent.length > 0 && found.total === 0) found = index.search(plain.join(" "), { limit: depth, filter, order });
    const items = found.hits.map(({ document }) => document);
    const known = await near(items, limit);
    const name = nameIn(query);
    const named = name ? namedBy(name, items).filter((item) => filter?.(item) ?? true) : [];
    const ranking = rankItems(found, known, {
      query,
      limit,
      named: new Set(named),
      mustHaveWords: phrases.length > 0 && absent.length === 0,
      atMost: absent.length > 0 ? "weak" : "good",
    });
    return { ranking, words: found.words, near: known, absent };
  }

  return {
    /** The warning about items without vectors: that they are being computed, or why not. */
    notByMeaning: ({ by_meaning, searched }: Covered) => notByMeaning(meaning, { by_meaning, searched }),

    async searchHighlights(
      { query, limit, ...filters }: { query: string; limit: number } & HighlightFilters,
      signal: AbortSignal,
    ) {
      const opened = await datasets.open(highlights, signal);
      const { view } = opened;
      const index = await view.index(signal);
      datasets.account(highlights, view);
      const wanted = filters.source_id === undefined ? undefined : Number(filters.source_id);
      const isFiltered = Object.values(filters).some((value) => value !== undefined);
      const filter = isFiltered ? highlightTest(view, filters, now()) : undefined;
      const order = (a: number, b: number) => view.highlightIdOf(b) - view.highlightIdOf(a);
      const { ranking, words, near, absent } = await search(
        { index, query, limit, filter, order },
        async (also, most) =>
          meaning?.near(
            {
              name: highlights.key,
              space: { keyHash, kind: "highlights" },
              view: readableHighlights(view),
              whole: opened.complete,
            },
            { query, limit: most, also, filter, signal },
          ),
        (name) => view.itemsNamed(name),
      );
      const results: HighlightHit[] = [];
      const snippetOf = snippetsOf(HIGHLIGHT_FIELDS, words);
      for (const { item, score } of ranking.hits) {
        const { highlight, title, author, documentId, texts } = view.item(item);
        results.push({
          highlight,
          document_id: documentId,
          source_title: title,
          author: author || null,
          relevance_score: score,
          snippet: snippetOf(texts),
        });
      }
      const searched = wanted === undefined ? view.highlightCount : view.highlightsOf(wanted).length;
      const within = wanted === undefined ? "" : ` of source ${wanted}`;
      return {
        results,
        count: ranking.total,
        ...coverage(opened, {
          ranking,
          near,
          absent,
          searched: counted(searched, "highlight", within),
          shown: results.length,
          meaning,
        }),
      };
    },

    async searchDocuments(
      { query, limit, ...filters }: { query: string; limit: number } & DocumentFilters,
      signal: AbortSignal,
    ) {
      const list = documentsFor(shared, filters);
      const opened = await datasets.open(list, signal);
      const { view } = opened;
      const index = await view.index(signal);
      datasets.account(list, view);
      const filter = documentTest(view, filters, now());
      const order = (a: number, b: number) => (view.idOf(a) < view.idOf(b) ? 1 : -1);
      const { ranking, words, near, absent } = await search(
        { index, query, limit, filter, order },
        async (also, most) =>
          meaning?.near(
            {
              name: list.key,
              space: { keyHash, kind: "documents" },
              view: readableDocuments(view),
              whole: list.key === documentList(api, keyHash).key && opened.complete,
            },
            { query, limit: most, also, filter, signal },
          ),
        (name, items) =>
          items.filter((item) => {
            const { title, author } = view.item(item).document;
            return isNameOf(name, { title: title ?? "", author: author ?? "" });
          }),
      );
      const results: DocumentHit[] = [];
      const snippetOf = snippetsOf(DOCUMENT_FIELDS, words);
      for (const { item, score } of ranking.hits) {
        const { document, texts } = view.item(item);
        results.push({ document, relevance_score: score, snippet: snippetOf(texts) });
      }
      return {
        results,
        count: ranking.total,
        ...coverage(opened, {
          ranking,
          near,
          absent,
          searched: counted(view.count, "document"),
          shown: results.length,
          meaning,
        }),
        not_searched: ["full texts of documents: sync_library puts them into a project, query_hybrid searches it"],
      };
    },
  };
}

export type SearchingPart = ReturnType<typeof searchingPart>;

interface SearchRequest {
  index: WordIndex;
  query: string;
  limit: number;
  filter: ((item: number) => boolean) | undefined;
  order(a: number, b: number): number;
}

/** One object per view, because vectors are cached by its identity. */
const readables = new WeakMap<View, Readable>();

function readableHighlights(view: HighlightSet): Readable {
  return readableOf(view, (item) => {
    const { highlight, title, author } = view.item(item);
    const { text, note, tags } = highlight;
    const about = [text, note, tags.map(({ name }) => name).join(", ")].filter(Boolean).join("\n");
    return [
      { text, lead: "" },
      { text: about, lead: "" },
      { text: about, lead: [title, author].filter(Boolean).join(", ") },
    ];
  });
}

function readableDocuments(view: DocumentSet): Readable {
  return readableOf(view, (item) => {
    const { title, author, summary, notes, content } = view.item(item).document;
    const name = [title, author].filter(Boolean).join(", ");
    const about = [summary, notes, content].filter(Boolean).join("\n");
    return about
      ? [
          { text: name || about, lead: "" },
          { text: about, lead: title ?? "" },
        ]
      : [{ text: name, lead: "" }];
  });
}

function readableOf(view: HighlightSet | DocumentSet, passages: Readable["passages"]): Readable {
  const known = readables.get(view);
  if (known) return known;
  const made: Readable = {
    get itemCount() {
      return view.itemCount;
    },
    isAlive: (item) => view.isAlive(item),
    passages,
  };
  readables.set(view, made);
  return made;
}

/** How much was searched, and the same in words: “1 highlight of source 5”. */
interface Counted {
  count: number;
  words: string;
  none: string;
}

function counted(count: number, one: "highlight" | "document", within = ""): Counted {
  return { count, words: `${plural(count, one)}${within}`, none: `no ${one}s${within}` };
}

interface Searched {
  ranking: Ranking;
  near: Near | undefined;
  absent: readonly string[];
  searched: Counted;
  shown: number;
  /** Undefined where it is switched off. */
  meaning: Shared["meaning"];
}

/** How much was searched and how, whether it is complete, the rating, and a hint. */
function coverage<V extends View>({ complete, retry_after, asOf, skipped }: Opened<V>, search: Searched) {
  const { ranking, near, absent, shown, meaning } = search;
  const { count: searched, words, none } = search.searched;
  const byMeaning = Math.min(searched, near?.covered ?? 0);
  const hints: string[] = [];
  if (!complete)
    hints.push(`Only ${words} came so far; Readwise's limit stopped the rest. Ask again in ${retry_after} s.`);
  else if (searched === 0) hints.push(`There are ${none} to search.`);
  if (absent.length > 0)
    hints.push(`${absent.map((phrase) => `"${phrase}"`).join(", ")} stands nowhere; its words were searched.`);
  if (searched > 0 && ranking.best_match === "none") hints.push(plainNo(words, shown, byMeaning));
  const notYet = notByMeaning(meaning, { by_meaning: byMeaning, searched });
  if (notYet) hints.push(notYet.message);
  const truncated = shown < ranking.total;
  if (truncated) hints.push(`${shown} of ${ranking.total} are listed: raise limit (at most 200) or narrow by filter.`);
  return {
    best_match: ranking.best_match satisfies BestMatch,
    searched,
    by_meaning: byMeaning,
    complete,
    ...(retry_after === undefined ? {} : { retry_after }),
    truncated,
    as_of: new Date(asOf).toISOString(),
    ...withWarnings(skippedWarning(skipped)),
    ...(hints.length ? { hint: hints.join(" ") } : {}),
  };
}

interface Covered {
  by_meaning: number;
  searched: number;
}

function notByMeaning(meaning: Shared["meaning"], { by_meaning, searched }: Covered) {
  if (!meaning || by_meaning >= searched) return undefined;
  const { trouble } = meaning;
  return trouble === undefined
    ? {
        code: "still_indexing",
        message: `By meaning ${by_meaning} of ${searched} are searched so far, the others by words: ask again soon.`,
      }
    : { code: "words_only", message: `By meaning ${by_meaning} of ${searched} are searched. ${trouble}` };
}

function plainNo(searched: string, shown: number, byMeaning: number): string {
  const how = byMeaning > 0 ? "by words and meaning" : "by words";
  const rest = shown > 0 ? " What is listed is only the nearest." : "";
  return `Nothing fits in ${searched}, searched ${how}.${rest} Try other words, or a prefix*.`;
}

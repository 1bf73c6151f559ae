import { MOST_CHARS } from "../catalog/answer-budget.js";
import type { Tool } from "../catalog/define-tool.js";

/**
 * Claude Code shows a model the names of tools only and lets it search for the rest. These two are always loaded: they answer the
 * two wishes people begin with.
 */
const ALWAYS_LOADED: ReadonlySet<string> = new Set(["search_library", "verify_quote"]);

/** Phrases of users who want the tool. They are searched together with the name and the description, and not shown. */
const SEARCH_HINTS: Readonly<Record<string, string>> = {
  list_sources: "my books, articles and podcasts with highlights; what have I read; most highlighted",
  get_source: "details of a book or article I highlighted",
  list_highlights: "my highlights and notes from a book, recent highlights, quotes I marked",
  get_highlight: "one highlight with its note, link and tags",
  export_highlights: "export, back up or go through all my highlights, everything I marked since a date",
  get_daily_review: "daily review, today's highlights, spaced repetition",
  list_source_tags: "tags on a book or article",
  list_highlight_tags: "tags on a highlight",
  search_highlights: "search my highlights and notes, find a quote I marked in a book, what did I read about a topic",
  list_documents: "reading list, queue, inbox, saved articles, read later, newsletters, unread, shortlist, archive",
  get_document: "read a saved article, email or PDF; full text of a document",
  list_reader_tags: "tags in Reader",
  search_documents: "find a saved article, newsletter, PDF or tweet by title or author",
  save_document: "save a link, bookmark a web page, add an article to read later",
  update_document: "archive, move to later or shortlist, tag, rename or mark a saved article as read",
  create_highlight: "save a quote, add a highlight or passage with a note",
  update_highlight: "edit a highlight, change its note or colour",
  add_source_tag: "tag a book or article",
  add_highlight_tag: "tag a highlight",
  bulk_create_highlights: "import many quotes or highlights, Kindle clippings",
  list_videos: "saved videos, YouTube",
  get_video: "transcript of a video, YouTube talk or lecture",
  get_video_position: "how far I watched a video",
  update_video_position: "remember where I stopped in a video",
  create_video_highlight: "quote or note at a moment of a video",
  delete_highlight: "remove a highlight",
  delete_highlight_tag: "untag a highlight",
  delete_source_tag: "untag a book or article",
  delete_document: "remove a saved article from Reader",
  health_check: "is NotebookLM connected, sign-in, status",
  list_notebooks: "my notebooks, NotebookLM",
  get_notebook: "details of a notebook",
  list_notebook_sources: "what is in a notebook, its documents",
  add_source: "add a web page, PDF or text to a notebook",
  ask: "ask a notebook a question, answer from my sources with citations, NotebookLM",
  create_notebook: "new notebook",
  rename_notebook: "change a notebook's name",
  get_source_text: "read a notebook's document in full",
  remove_source: "take a document out of a notebook",
  delete_notebook: "remove a notebook",
  query_hybrid: "find a quote or passage in my books and papers, literature search, evidence with page numbers",
  find_chunks: "passages about an idea in my books and papers, semantic search",
  list_projects: "my collections of books and papers, research projects",
  inspect_collection: "what is in a project, its documents, authors and size",
  store_chunks: "write passages with embeddings",
  create_project: "new collection for books and papers",
  ingest_documents: "add PDFs, e-books, papers or a folder of documents",
  sync_library: "bring highlights and articles into a project, refresh",
  read_passage: "read a page, the context around a quote, a chapter of a book",
  update_document_record: "correct a wrong author, year or title, fix metadata, change a citekey, bibliography entry",
  cite: "citation, reference, footnote, bibliography, APA, MLA, Chicago, BibTeX",
  check_draft: "check my essay, paper, thesis or draft, fact-check quotations, wrong citations, missing references",
  delete_chunks: "remove passages",
  delete_project: "remove a collection",
};

export type ClientHints = {
  "anthropic/alwaysLoad"?: true;
  "anthropic/searchHint"?: string;
  "anthropic/maxResultSizeChars"?: number;
};

/** Vendor-specific metadata of a tool, for clients that know these keys. */
export function clientHints({ name, sizes, list }: Pick<Tool, "name" | "sizes" | "list">): ClientHints {
  const searchHint = Object.hasOwn(SEARCH_HINTS, name) ? SEARCH_HINTS[name] : undefined;
  return {
    ...(ALWAYS_LOADED.has(name) ? { "anthropic/alwaysLoad": true } : {}),
    ...(searchHint ? { "anthropic/searchHint": searchHint } : {}),
    ...(list || Object.keys(sizes).length ? { "anthropic/maxResultSizeChars": MOST_CHARS } : {}),
  };
}

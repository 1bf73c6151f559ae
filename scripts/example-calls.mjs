// One call of every tool, in an order in which each finds what it needs; what is deleted was made here before.

const QUOTE = "The reader who knows how it ends sees how it was prepared.";
const OWN = "examples/own";

/** `seen` holds the answers so far by tool name. */
export const EXAMPLES = [
  { tool: "list_sources", request: () => ({ category: "books", page_size: 2 }) },
  { tool: "get_source", request: (seen) => ({ id: seen.list_sources.results[0].id }) },
  { tool: "list_highlights", request: (seen) => ({ source_id: seen.get_source.id, page_size: 2 }) },
  { tool: "get_highlight", request: (seen) => ({ id: seen.list_highlights.results[0].id }) },
  { tool: "export_highlights", request: () => ({ limit: 1 }) },
  { tool: "get_daily_review", request: () => ({}) },
  { tool: "list_source_tags", request: (seen) => ({ source_id: seen.get_source.id }) },
  {
    tool: "list_highlight_tags",
    request: (seen) => ({ highlight_id: seen.search_highlights.results[0].highlight.id }),
    after: "search_highlights",
  },
  { tool: "search_highlights", request: () => ({ query: "memory", limit: 2 }) },
  { tool: "list_documents", request: () => ({ location: "later", limit: 2 }) },
  {
    tool: "get_document",
    request: (seen) => ({ id: seen.list_documents.results[0].id, include_content: true, content_max_chars: 300 }),
  },
  { tool: "list_reader_tags", request: () => ({}) },
  { tool: "search_documents", request: () => ({ query: "tides", limit: 2 }) },
  {
    tool: "save_document",
    request: () => ({
      url: "https://essays.example.org/on-marginalia",
      title: "On Marginalia",
      author: "A. Reader",
      location: "later",
      tags: ["reading"],
    }),
  },
  {
    tool: "update_document",
    request: (seen) => ({ id: seen.save_document.id, location: "archive", tags: ["reading", "done"] }),
  },
  {
    tool: "create_highlight",
    request: () => ({
      text: "A margin is a place to answer back.",
      note: "For the introduction.",
      source_title: "On Marginalia",
      source_author: "A. Reader",
    }),
  },
  {
    tool: "update_highlight",
    request: (seen) => ({ id: idOf(seen.create_highlight), note: "For the conclusion.", color: "blue" }),
  },
  { tool: "add_highlight_tag", request: (seen) => ({ highlight_id: idOf(seen.create_highlight), name: "margins" }) },
  { tool: "add_source_tag", request: (seen) => ({ source_id: seen.update_highlight.book_id, name: "essays" }) },
  {
    tool: "bulk_create_highlights",
    request: () => ({
      highlights: [
        { text: "Reading twice is reading once and measuring once.", source_title: "On Marginalia" },
        { text: "An index is a promise.", source_title: "On Marginalia", note: "Compare the card catalogue." },
      ],
    }),
  },
  { tool: "list_videos", request: () => ({ limit: 2 }) },
  { tool: "get_video", request: (seen) => ({ id: seen.list_videos.results[1].id, content_max_chars: 300 }) },
  { tool: "get_video_position", request: (seen) => ({ id: seen.get_video.id ?? seen.list_videos.results[1].id }) },
  {
    tool: "update_video_position",
    request: (seen) => ({ id: seen.list_videos.results[1].id, position: 120, duration: 600 }),
  },
  {
    tool: "create_video_highlight",
    request: (seen) => ({
      id: seen.list_videos.results[1].id,
      text: "The wheel is heavier than it looks.",
      timestamp: 95,
    }),
  },
  {
    tool: "delete_highlight_tag",
    request: (seen) => ({ highlight_id: idOf(seen.create_highlight), tag_id: tagIdOf(seen.add_highlight_tag) }),
  },
  {
    tool: "delete_source_tag",
    request: (seen) => ({ source_id: seen.update_highlight.book_id, tag_id: tagIdOf(seen.add_source_tag) }),
  },
  { tool: "delete_highlight", request: (seen) => ({ id: idOf(seen.create_highlight) }) },
  { tool: "delete_document", request: (seen) => ({ id: seen.save_document.id }) },

  { tool: "health_check", request: () => ({}) },
  { tool: "list_notebooks", request: () => ({}) },
  { tool: "create_notebook", request: () => ({ name: "Margins" }) },
  {
    tool: "add_source",
    request: (seen) => ({
      notebook_id: seen.create_notebook.id,
      source_type: "text",
      title: "On margins",
      text: "A margin is a place to answer back. Renaissance readers filled it with pointing hands, summaries and quarrels, and their notes outlived many of the books.",
    }),
  },
  { tool: "get_notebook", request: (seen) => ({ notebook_id: seen.create_notebook.id }) },
  { tool: "list_notebook_sources", request: (seen) => ({ notebook_id: seen.create_notebook.id }) },
  {
    tool: "ask",
    request: (seen) => ({
      notebook_id: seen.list_notebooks.notebooks.find(({ name }) => /reading machines/.test(name)).id,
      question: "What did Ramelli's wheel do?",
    }),
  },
  { tool: "rename_notebook", request: (seen) => ({ notebook_id: seen.create_notebook.id, name: "Margins and notes" }) },
  {
    tool: "get_source_text",
    request: (seen) => ({ notebook_id: seen.create_notebook.id, source_id: seen.list_notebook_sources.sources[0].id }),
  },
  {
    tool: "remove_source",
    request: (seen) => ({ notebook_id: seen.create_notebook.id, source_id: seen.list_notebook_sources.sources[0].id }),
  },
  { tool: "delete_notebook", request: (seen) => ({ notebook_id: seen.create_notebook.id, name: "Margins and notes" }) },

  { tool: "list_projects", request: () => ({}) },
  { tool: "inspect_collection", request: () => ({ project: "demo/reading", sample: 1 }) },
  {
    tool: "query_hybrid",
    request: () => ({ project: "demo/reading", query: "why read a book a second time?", top_k: 2 }),
  },
  { tool: "find_chunks", request: () => ({ project: "demo/reading", query: "places where notes are kept", top_k: 2 }) },
  { tool: "verify_quote", request: () => ({ project: "demo/reading", quote: QUOTE }) },
  {
    tool: "check_draft",
    request: (seen) => ({
      project: "demo/reading",
      text: `One essay says that “the reader who knows how it ends sees how it was planned” ${seen.verify_quote.matches[0].cite}.`,
    }),
  },
  {
    tool: "read_passage",
    request: (seen) => ({ project: "demo/reading", chunk_id: seen.verify_quote.matches[0].chunk_id, neighbours: 0 }),
  },
  {
    tool: "cite",
    request: (seen) => ({
      project: "demo/reading",
      sources: [seen.verify_quote.matches[0].citekey],
      style: "apa",
      bibliography: "formatted",
    }),
  },
  {
    tool: "update_document_record",
    request: (seen) => ({
      project: "demo/reading",
      source: seen.verify_quote.matches[0].citekey,
      publisher: "Marginal Press",
    }),
  },
  { tool: "search_library", request: () => ({ query: "rereading", limit: 3 }) },
  { tool: "create_project", request: () => ({ project: OWN, description: "Made for the examples." }) },
  {
    tool: "store_chunks",
    request: () => ({
      project: OWN,
      items: [
        {
          id: "reader2026-p3",
          text: "A margin is a place to answer back.",
          metadata: {
            source: "reader2026.pdf",
            zotero: { citekey: "reader2026", year: 2026 },
            doc: { id: "reader2026", page_span: [3, 3], section_path: ["Margins"] },
          },
        },
      ],
    }),
  },
  {
    tool: "ingest_documents",
    request: () => ({
      project: OWN,
      texts: [
        {
          title: "On indexes",
          text: "An index is a promise that the book can be found again.\n\nWhoever makes one reads the book a second time.",
        },
      ],
    }),
  },
  { tool: "delete_chunks", request: () => ({ project: OWN, ids: ["reader2026-p3"] }) },
  { tool: "sync_library", request: () => ({ project: OWN, include: "highlights", max_documents: 2 }) },
  {
    tool: "delete_project",
    request: (seen) => ({ project: OWN, chunks: seen.ingest_documents.chunks + seen.sync_library.chunks }),
  },
];

const idOf = (answer) => answer.id ?? answer.highlight?.id ?? answer.highlights?.[0]?.id;
const tagIdOf = (answer) => answer.id ?? answer.tag?.id ?? answer.tags?.at(-1)?.id;

/** Runs all of them; every row has the request and the answer as they were. */
export async function runExamples(call, only = () => true) {
  const seen = {};
  const rows = [];
  for (const { tool, request } of inOrder(EXAMPLES)) {
    if (!only(tool)) continue;
    const args = withTextIds(request(seen));
    const answer = await call(tool, args);
    seen[tool] = answer;
    rows.push({ tool, request: args, answer });
  }
  return rows;
}

/** Readwise answers with numbers; a request names them as text. */
const withTextIds = (args) =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, /(^|_)id$/.test(name) ? String(value) : value]),
  );

function inOrder(examples) {
  const late = examples.filter(({ after }) => after);
  return examples
    .filter(({ after }) => !after)
    .flatMap((example) => [example, ...late.filter(({ after }) => after === example.tool)]);
}

/** A caller of a server's combined door. An error envelope is an answer too. */
export function caller(url) {
  return async (name, args) => {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
    });
    const text = await response.text();
    const message = JSON.parse(
      text.startsWith("{")
        ? text
        : text
            .split("\n")
            .findLast((line) => line.startsWith("data: {"))
            .slice(6),
    );
    if (message.error) throw new Error(`${name}: ${message.error.message}`);
    return message.result.structuredContent;
  };
}

const LONGEST_LIST = 2;
const LONGEST_TEXT = 280;

/** Cuts what is long, and says so where it was cut. */
export function trimmed(value) {
  if (typeof value === "string" && value.length > LONGEST_TEXT)
    return `${value.slice(0, LONGEST_TEXT)}… (${value.length - LONGEST_TEXT} more characters)`;
  if (Array.isArray(value)) {
    const kept = value.slice(0, LONGEST_LIST).map(trimmed);
    return value.length > LONGEST_LIST ? [...kept, `… (${value.length - LONGEST_LIST} more)`] : kept;
  }
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, trimmed(inner)]));
  return value;
}

/** Gives what differs from run to run (random ids, the time of day, durations) the same value in every run. */
export function settler() {
  const uuids = new Map();
  const uuid = (found) => {
    if (!uuids.has(found)) uuids.set(found, `00000000-0000-4000-8000-${String(uuids.size + 1).padStart(12, "0")}`);
    return uuids.get(found);
  };
  const began = Date.now() - 3_600_000;
  const ulid = (found) => (timeOf(found) > began ? `01exampe00${"0".repeat(15)}1` : found);
  const settle = (value, key) => {
    if (key === "latency_ms") return 12;
    if (typeof value === "string")
      return value
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, uuid)
        .replace(/\b01[0-9a-hjkmnp-tv-z]{24}\b/g, ulid)
        .replace(/http:\/\/127\.0\.0\.1:\d+(?=\/api\/)/g, "https://readwise.io")
        .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g, (found, fraction = "", zone) =>
          Date.parse(found) > began ? `2026-01-15T09:00:00${fraction.replace(/\d/g, "0")}${zone}` : found,
        );
    if (Array.isArray(value)) return value.map((inner) => settle(inner));
    if (value && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, settle(inner, name)]));
    return value;
  };
  return settle;
}

const ULID_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const timeOf = (ulid) => [...ulid.slice(0, 10)].reduce((time, digit) => time * 32 + ULID_DIGITS.indexOf(digit), 0);

import MiniSearch from "minisearch";
import { expect, it } from "vitest";
import { TOOLS } from "../../src/app/tools.js";
import { listTools } from "../../src/catalog/doors.js";
import { PROFILE_NAMES } from "../../src/catalog/profiles.js";
import { instructionsFor } from "../../src/mcp/instructions.js";
import { clientHints } from "../../src/mcp/tool-search.js";

/**
 * Claude Code shows a model tool names alone and searches the rest by words. What it ranks with is not public: this is plain BM25 over
 * names, titles, descriptions and hints, beside tools of other servers.
 */
const OTHERS = [
  ["ReadMcpResourceTool", "Reads a resource from an MCP server by its address."],
  ["ReadMcpResourceDirTool", "Lists what MCP servers have to read."],
  ["CronCreate", "Create a job that runs at a time, to check something again and again."],
  ["Monitor", "Watch a process and read what it says; have it checked."],
  ["WebSearch", "Search the web for pages."],
  ["NotebookEdit", "Edit a cell of a Jupyter notebook."],
] as const;

const index = new MiniSearch({
  fields: ["name", "title", "description", "hint"],
  tokenize: (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [],
});
index.addAll([
  ...TOOLS.map((tool) => ({
    id: tool.name,
    name: tool.name,
    title: tool.title,
    description: tool.description,
    hint: clientHints(tool)["anthropic/searchHint"] ?? "",
  })),
  ...OTHERS.map(([name, description]) => ({ id: name, name, title: name, description, hint: "" })),
]);
const always = TOOLS.filter((tool) => clientHints(tool)["anthropic/alwaysLoad"]).map(({ name }) => name);
const found = (wish: string) =>
  index
    .search(wish, { combineWith: "OR" })
    .slice(0, 5)
    .map(({ id }) => String(id));

it.each([
  ["what have I read about memory", ["search_highlights", "search_library"]],
  ["check quotation accuracy", ["check_draft", "verify_quote"]],
  ["find a quote in my books", ["query_hybrid", "search_highlights"]],
  ["search my highlights", ["search_highlights"]],
  ["bibliography citation APA", ["cite"]],
  ["my reading list inbox", ["list_documents"]],
  ["save a link for later", ["save_document"]],
  ["transcript of a video", ["get_video"]],
  ["ask my notebook a question", ["ask"]],
  ["fix a wrong author", ["update_document_record"]],
  ["add PDFs to my library", ["ingest_documents"]],
])("'%s' finds a tool that does it", (wish, wanted) => {
  // What is always loaded is in the model's sight already; the search itself must lead there too.
  expect(found(wish)).toEqual(expect.arrayContaining([wanted.find((name) => !always.includes(name))]));
});

it("the instructions, which are shown in full, name a tool for the usual wishes", () => {
  const offered = listTools(TOOLS, "all", { profiles: new Set(PROFILE_NAMES), readOnly: false });
  const text = instructionsFor(offered);
  for (const name of ["search_library", "verify_quote", "check_draft", "cite", "list_documents", "ask", "query_hybrid"])
    expect(text).toContain(name);
});

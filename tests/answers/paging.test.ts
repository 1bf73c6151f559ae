import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateLibrary } from "../../sandbox/readwise/generate.js";
import { TOOLS } from "../../src/app/tools.js";
import { MOST_CHARS, USUAL_CHARS } from "../../src/catalog/answer-budget.js";
import { callTool } from "../../src/catalog/call-tool.js";
import { closeReaders, KEY, openShelves, PROJECT, type Shelves } from "../fuzz/shelves.js";

type Data = Record<string, unknown>;
type Ids = (answer: Data) => unknown[];

interface ListTool {
  tool: string;
  args?: () => Data;
  /** Sizes to ask for beside the usual one. */
  sizes?: readonly Data[];
  ids: Ids;
  /** How many there are in all. */
  total(counted: number): number;
}

const idsIn =
  (field: string): Ids =>
  (answer) =>
    (answer[field] as { id: unknown }[]).map(({ id }) => id);

const library = generateLibrary({ seed: "paging", sources: 130, highlights: 900, documents: 140 });
const tagged = { source: [...library.books.keys()][0]!, highlight: [...library.highlights.keys()][0]! };
const TAGS = Array.from({ length: 700 }, (_, i) => ({ id: 5_000_000 + i, name: `tag ${i} of a reader who tags` }));
library.books.get(tagged.source)!.tags = [...TAGS];
library.highlights.get(tagged.highlight)!.tags = [...TAGS];

const kept = [...library.highlights.values()].filter((highlight) => !highlight.is_deleted).length;

let wholeCount = 0;
let shelves: Shelves;
let notebook: string;
const NOTEBOOKS = 120;
const SOURCES = 160;
const PROJECTS = 200;

/** Reader's tags are counted by the tags that are used; that they page is the catalog's own test. */
const UNLISTED = new Set(["list_reader_tags"]);
const LISTS: readonly ListTool[] = [
  {
    tool: "list_sources",
    sizes: [{ page_size: 7 }, { page_size: 1000 }],
    ids: idsIn("results"),
    total: () => library.books.size,
  },
  {
    tool: "list_highlights",
    sizes: [{ page_size: 50 }, { page_size: 1000 }],
    ids: idsIn("results"),
    total: () => kept,
  },
  {
    tool: "export_highlights",
    sizes: [{ limit: 3 }, { limit: 1000 }],
    ids: ({ results }) => (results as Data[]).flatMap(idsIn("highlights")),
    total: () => kept,
  },
  {
    tool: "list_documents",
    args: () => ({ category: "article" }),
    sizes: [{ limit: 5 }, { limit: 100 }],
    ids: idsIn("results"),
    total: () => [...library.documents.values()].filter(({ category }) => category === "article").length,
  },
  {
    tool: "list_videos",
    sizes: [{ limit: 2 }, { limit: 100 }],
    ids: idsIn("results"),
    // Also videos of subscriptions, which are posts to Reader; a whole answer counts them.
    total: (counted) => Math.max(counted, wholeCount),
  },
  {
    tool: "list_source_tags",
    args: () => ({ source_id: tagged.source }),
    ids: idsIn("tags"),
    total: () => TAGS.length,
  },
  {
    tool: "list_highlight_tags",
    args: () => ({ highlight_id: tagged.highlight }),
    ids: idsIn("tags"),
    total: () => TAGS.length,
  },
  {
    tool: "list_notebooks",
    sizes: [{ limit: 7 }, { limit: 100 }],
    ids: idsIn("notebooks"),
    total: () => NOTEBOOKS + 1,
  },
  {
    tool: "list_notebook_sources",
    args: () => ({ notebook_id: notebook }),
    ids: idsIn("sources"),
    total: () => SOURCES,
  },
  { tool: "list_projects", ids: idsIn("projects"), total: () => PROJECTS + 1 },
  {
    tool: "inspect_collection",
    args: () => ({ project: PROJECT, documents: true }),
    ids: idsIn("documents"),
    total: () => SOURCES + 1,
  },
];

beforeAll(async () => {
  shelves = await openShelves({ library });
  const { notebooks, ingestion, retrieval } = shelves.services;
  const signal = AbortSignal.timeout(60_000);
  for (let i = 0; i < NOTEBOOKS; i++) notebook = (await notebooks.create(`Notebook ${i} on tides`, signal)).id;
  const text = "Water keeps no straight lines.";
  for (let i = 0; i < SOURCES; i++)
    await notebooks.addSource(
      notebook,
      { source_type: "text", title: `On tides, part ${i}`, text: `${text} ${i}` },
      signal,
    );
  const texts = Array.from({ length: SOURCES }, (_, i) => ({ title: `On tides, ${i}`, text: `${text} ${i}` }));
  await ingestion.ingestTexts(PROJECT, texts, { signal });
  for (let i = 0; i < PROJECTS; i++)
    await retrieval.createProject({
      project: `papers/${i}`,
      description: "Papers on tides and moons.",
      hybrid_enabled: true,
    });
  const videos = LISTS.find(({ tool }) => tool === "list_videos")!;
  wholeCount = (await follow(videos, { limit: 100 }, MOST_CHARS)).counted;
}, 120_000);
afterAll(async () => {
  await shelves?.close();
  await closeReaders();
});

async function follow(
  { tool: name, ids }: ListTool,
  args: Data,
  most: number,
): Promise<{ seen: unknown[]; counted: number }> {
  const tool = TOOLS.find((candidate) => candidate.name === name)!;
  const seen: unknown[] = [];
  let counted = 0;
  let cursor: unknown;
  do {
    const context = { services: shelves.services, caller: { readwiseKey: KEY }, signal: AbortSignal.timeout(60_000) };
    const outcome = await callTool(tool, { ...args, ...(cursor ? { cursor } : {}) }, { ...context, progress() {} });
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect(JSON.stringify(outcome.data).length).toBeLessThanOrEqual(most);
    // One source here has more tags than fit into any answer; nothing else may be left out.
    expect(((outcome.data.left_out as string[]) ?? []).filter((what) => !what.includes(".tags:"))).toEqual([]);
    seen.push(...ids(outcome.data));
    counted = Number(outcome.data.count);
    cursor = outcome.data.next_cursor;
  } while (cursor);
  return { seen, counted };
}

describe("following next_cursor gives every item exactly once", () => {
  it("for every list tool there is", () => {
    const known = new Set(LISTS.map(({ tool }) => tool));
    const lists = TOOLS.map(({ name }) => name).filter((name) => name.startsWith("list_"));
    expect(lists.filter((name) => !known.has(name) && !UNLISTED.has(name))).toEqual([]);
  });

  const cases = LISTS.flatMap((list) => [{}, ...(list.sizes ?? [])].map((size) => ({ list, size })));
  it.each(cases.map(({ list, size }) => [list.tool, JSON.stringify(size), list, size] as const))(
    "%s %s",
    async (_tool, _size, list, size) => {
      const most = Object.keys(size).length ? MOST_CHARS : USUAL_CHARS;
      const { seen, counted } = await follow(list, { ...list.args?.(), ...size }, most);
      expect(new Set(seen).size, "each once").toBe(seen.length);
      expect(seen).toHaveLength(list.total(counted));
    },
    60_000,
  );
});

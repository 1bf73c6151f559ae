import { afterEach, describe, expect, it } from "vitest";
import { type Connected, connect } from "../../../../tests/support/connect.js";
import { fakeEmbedder, fakeEmbedders } from "../../../../tests/support/fake-embedders.js";
import { memoryChunkStore } from "../../../../tests/support/memory-chunk-store.js";
import { createCitations } from "../../../citations/citations.js";
import { createIngestJobs } from "../../../ingest/jobs.js";
import { createRetrieval } from "../retrieval.js";
import { createProject } from "./create-project.js";
import { deleteChunks } from "./delete-chunks.js";
import { deleteProject } from "./delete-project.js";
import { findChunks } from "./find-chunks.js";
import { inspectCollection } from "./inspect-collection.js";
import { listProjects } from "./list-projects.js";
import { queryHybrid } from "./query-hybrid.js";
import { storeChunks } from "./store-chunks.js";

const tools = [
  storeChunks,
  findChunks,
  queryHybrid,
  inspectCollection,
  listProjects,
  createProject,
  deleteProject,
  deleteChunks,
];
const open: Connected[] = [];
afterEach(async () => {
  for (const connection of open.splice(0)) await connection.close();
});

async function client(profiles?: Parameters<typeof connect>[0]["profiles"]) {
  const store = memoryChunkStore();
  const retrieval = createRetrieval({ store, embedders: fakeEmbedders(fakeEmbedder()) });
  await retrieval.createProject({ project: "citeloom/clean-arch", description: "On architecture" });
  const connection = await connect({
    services: { retrieval, ingestJobs: createIngestJobs() },
    tools,
    door: "chunks",
    ...(profiles ? { profiles } : {}),
  });
  open.push(connection);
  return { call: connection.call, client: connection.client, store };
}
const project = "citeloom/clean-arch";
const passage = {
  id: "chunk-abc123",
  text: "Entities and value objects are distinct.",
  metadata: {
    source: { path: "docs/clean-arch.pdf", title: "Clean Architecture" },
    zotero: { citekey: "cleanArchitecture2023", tags: ["architecture"], doi: "10.1000/xyz123" },
    doc: { page_span: [45, 46], section: "Entities", section_path: ["Part I", "Chapter 3"] },
  },
};

describe("the chunk tools", () => {
  it("keep the contract's path from storing to citing", async () => {
    const { call } = await client();
    expect(await call("store_chunks", { project, items: [passage] })).toMatchInlineSnapshot(`
      {
        "chunks_added": 1,
        "chunks_updated": 0,
        "chunks_written": 1,
        "embed_model": "fake-model",
        "project": "citeloom/clean-arch",
        "warnings": [],
      }
    `);
    expect(await call("query_hybrid", { project, query: "value objects" })).toMatchInlineSnapshot(`
      {
        "best_match": "good",
        "count": 1,
        "hybrid_enabled": true,
        "items": [
          {
            "cite": "[@cleanArchitecture2023, pp. 45–46]",
            "citekey": "cleanArchitecture2023",
            "doi": "10.1000/xyz123",
            "full_text": null,
            "id": "chunk-abc123",
            "matched_by": {
              "meaning": {
                "rank": 1,
                "similarity": 0.5148,
              },
              "words": {
                "bm25": 0.5754,
                "coverage": 0.4545,
                "rank": 1,
              },
            },
            "page_span": [
              45,
              46,
            ],
            "render_text": "Entities and value objects are distinct.",
            "score": 0.4847,
            "score_kind": "weighted",
            "section": "Entities",
            "section_path": [
              "Part I",
              "Chapter 3",
            ],
            "title": "Clean Architecture",
            "truncated": false,
          },
        ],
        "not_searched": [
          "other projects, notebooks, highlights and Reader documents: search_library searches all of them",
        ],
        "warnings": [],
      }
    `);
    expect(await call("inspect_collection", { project, sample: 1 })).toMatchInlineSnapshot(`
      {
        "collection": "proj-citeloom-clean-arch",
        "dimension": 32,
        "embed_model": "fake-model",
        "hybrid_enabled": true,
        "indexes": {
          "fulltext": [
            "fulltext",
          ],
          "keyword": [
            "project",
            "zotero.tags",
            "zotero.citekey",
            "zotero.year",
            "doc.id",
            "doc.section_path",
          ],
        },
        "languages": [
          "en",
        ],
        "migration": null,
        "payload_keys": [
          "project",
          "source",
          "zotero",
          "doc",
          "embed_model",
          "version",
          "fulltext",
        ],
        "project": "citeloom/clean-arch",
        "sample": [
          {
            "doc": {
              "page_span": [
                45,
                46,
              ],
              "section": "Entities",
              "section_path": [
                "Part I",
                "Chapter 3",
              ],
            },
            "id": "chunk-abc123",
            "project": "citeloom/clean-arch",
            "source": {
              "path": "docs/clean-arch.pdf",
              "title": "Clean Architecture",
            },
            "zotero": {
              "citekey": "cleanArchitecture2023",
              "doi": "10.1000/xyz123",
              "tags": [
                "architecture",
              ],
            },
          },
        ],
        "size": 1,
      }
    `);
    expect(await call("list_projects")).toMatchInlineSnapshot(`
      {
        "projects": [
          {
            "collection": "proj-citeloom-clean-arch",
            "description": "On architecture",
            "embed_model": "fake-model",
            "hybrid_enabled": true,
            "id": "citeloom/clean-arch",
          },
        ],
      }
    `);
  });

  it("keep what a caller sends with a passage: a source given as text, authors, and fields of their own, with a word about these", async () => {
    const { call, store } = await client();
    const metadata = {
      source: "The Harbour Master's Log",
      authors: ["Ada Quill", { family: "Marlowe", given: "Jon" }],
      zotero: { citekey: "quill2026", year: 2026, publisher: "Tide Press", translator: "Ines Roth" },
      mood: "grey",
    };
    const items = [{ id: "q1", text: "The ferryman knows the sandbanks by heart.", metadata }];
    expect(await call("store_chunks", { project, items })).toMatchObject({
      chunks_written: 1,
      warnings: [expect.stringMatching(/^Kept, but neither searched nor cited: metadata mood\./)],
    });
    expect(await call("query_hybrid", { project, query: "ferryman sandbanks" })).toMatchObject({
      items: [{ title: "The Harbour Master's Log", author: "Ada Quill, Jon Marlowe", citekey: "quill2026" }],
    });
    const citations = createCitations({ store });
    expect(await citations.cite(project, { sources: ["quill2026"], style: "apa" })).toMatchObject({
      citation: "(Quill & Marlowe, 2026)",
      incomplete: [],
    });
    const { bibliography } = await citations.cite(project, { sources: ["quill2026"], bibliography: "csl-json" });
    expect(JSON.parse(bibliography ?? "")).toMatchObject([
      { title: "The Harbour Master's Log", publisher: "Tide Press", translator: [{ family: "Roth", given: "Ines" }] },
    ]);
    expect(await call("inspect_collection", { project, sample: 1 })).toMatchObject({
      sample: [{ other: { mood: "grey" } }],
    });
  });

  it("take a source given as an address for a link", async () => {
    const { call } = await client();
    const items = [{ id: "w1", text: "Salt marshes breathe.", metadata: { source: "https://example.org/marsh" } }];
    expect(await call("store_chunks", { project, items })).toMatchObject({ warnings: [] });
    expect(await call("query_hybrid", { project, query: "marshes" })).toMatchObject({
      items: [{ url: "https://example.org/marsh" }],
    });
  });

  it("answer both searches in one shape", async () => {
    const { call } = await client();
    await call("store_chunks", { project, items: [passage] });
    const first = async (tool: string) =>
      ((await call(tool, { project, query: "entities" })) as { items: object[] }).items[0] ?? {};
    expect(Object.keys(await first("find_chunks"))).toEqual(Object.keys(await first("query_hybrid")));
  });

  it("name the projects there are when one is unknown", async () => {
    const { call } = await client();
    for (const [tool, args] of [
      ["store_chunks", { items: [passage] }],
      ["find_chunks", { query: "x" }],
      ["query_hybrid", { query: "x" }],
      ["inspect_collection", {}],
      ["delete_project", { chunks: 0 }],
      ["delete_chunks", { ids: ["x"] }],
    ] as const)
      expect(await call(tool, { project: "citeloom/unknown", ...args }), tool).toMatchObject({
        error: {
          code: "INVALID_PROJECT",
          message: "Project 'citeloom/unknown' not found. Available projects: ['citeloom/clean-arch']",
          details: { project_id: "citeloom/unknown", available_projects: ["citeloom/clean-arch"] },
        },
      });
  });

  it.each([
    ["an unknown filter", { query: "x", filters: { project: "other" } }],
    ["a filter of the wrong form", { query: "x", filters: { tags: { $in: ["x"] } } }],
    ["top_k over 20", { query: "x", top_k: 21 }],
    ["top_k of 0", { query: "x", top_k: 0 }],
    ["an empty query", { query: "   " }],
    ["an unknown parameter", { query: "x", limit: 3 }],
  ])("refuse %s in both searches", async (_what, args) => {
    const { call } = await client();
    for (const tool of ["find_chunks", "query_hybrid"])
      expect(await call(tool, { project, ...args })).toMatchObject({
        error: { code: "INVALID_INPUT", type: "validation_error" },
      });
  });

  it.each([
    ["no items", { items: [] }],
    ["an item without text", { items: [{ id: "1", text: "" }] }],
    ["an item without id", { items: [{ text: "x" }] }],
    [
      "more than 500 items",
      { items: Array.from({ length: 501 }, (_, i) => ({ id: `${i}`, text: "x", embedding: [1] })) },
    ],
    ["more text to embed than half a core can in time", { items: [{ id: "1", text: "word ".repeat(20_001) }] }],
    ["the same in a script of many tokens", { items: [{ id: "1", text: "\u66f8".repeat(25_001) }] }],
    ["more than 100 items to embed", { items: Array.from({ length: 101 }, (_, i) => ({ id: `${i}`, text: "x" })) }],
  ])("refuse to store %s", async (_what, args) => {
    const { call, store } = await client();
    expect(await call("store_chunks", { project, ...args })).toMatchObject({ error: { code: "INVALID_INPUT" } });
    expect(await store.count(project)).toBe(0);
  });

  it("refuse more samples than five", async () => {
    const { call } = await client();
    expect(await call("inspect_collection", { project, sample: 6 })).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
  });

  it("make projects whose names fit in a collection's name", async () => {
    const { call } = await client();
    expect(await call("create_project", { project: "new/one" })).toEqual({
      project: "new/one",
      collection: "proj-new-one",
      embed_model: "fake-model",
      hybrid_enabled: true,
      created: true,
    });
    for (const bad of ["", "a b", "a:b", "../up", "a\u0000b", "<script>"])
      expect(await call("create_project", { project: bad }), bad).toMatchObject({ error: { code: "INVALID_INPUT" } });
  });

  it("delete only where deleting was asked for", async () => {
    const { client: plain } = await client(["chunks"]);
    const names = (await plain.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual([
      "store_chunks",
      "find_chunks",
      "query_hybrid",
      "inspect_collection",
      "list_projects",
      "create_project",
    ]);
    const { call } = await client();
    await call("store_chunks", { project, items: [passage] });
    expect(await call("delete_chunks", { project, ids: [passage.id, "other"] })).toEqual({
      project,
      chunks_deleted: 1,
      not_found: 1,
    });
    expect(await call("delete_project", { project, chunks: 0 })).toEqual({ project, deleted: true, chunks_deleted: 0 });
    expect(await call("list_projects")).toEqual({ projects: [] });
  });
});

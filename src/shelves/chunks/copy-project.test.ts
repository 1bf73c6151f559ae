import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { startQdrantSandbox } from "../../../sandbox/qdrant/server.js";
import { documentOf, passage, project, towards } from "../../../tests/support/chunks.js";
import { migrateCommand } from "../../cli/migrate.js";
import type { ChunkStore } from "./chunk-store.js";
import { copyProject } from "./copy-project.js";
import { qdrantChunkStore } from "./stores/qdrant.js";
import { sqliteChunkStore } from "./stores/sqlite.js";

const shared = process.env.BOOKWHEEL_SHARED ?? fileURLToPath(new URL("../../../../shared", import.meta.url));
const openapi = `${shared}/reference/qdrant-openapi.json`;
if (!existsSync(openapi)) console.log(`Requests to the double are not checked: there is no ${openapi}.`);
const double = await startQdrantSandbox({ openapi });
const folder = await mkdtemp(join(tmpdir(), "bookwheel-migrate-"));
afterAll(async () => {
  await double.close();
  await rm(folder, { recursive: true, force: true });
});

let files = 0;
const newSqlite = () => sqliteChunkStore({ file: join(folder, `${files++}`, "shelf.db") });
const newQdrant = () => qdrantChunkStore({ url: double.url, pauseMs: 5, attempts: 1 });

/** Three documents of unlike length, and more loose passages than fit on a page. */
async function stock(store: ChunkStore): Promise<void> {
  await store.createProject(project("thesis", { description: "Mine" }));
  for (const [index, size] of [1, 5, 12].entries()) {
    const doc_id = `doc-${index}`;
    const chunks = Array.from({ length: size }, (_, n) =>
      passage({
        id: `${doc_id}-${n}`,
        doc_id,
        position: n,
        text: `Chapter ${n} of work ${index} on entities, value objects and dependency inversion.`,
        tags: n % 2 ? ["odd", "Ünïcode"] : [],
        page_span: [n + 1, n + 2],
        section_path: ["Part I", `Chapter ${n}`],
        metadata: { nested: { list: [1, null, "x"] }, b: 1, a: 2 },
        vectors: [towards(n % 8), towards((n + index) % 8, 0.3)],
      }),
    );
    await store.replaceDocument("thesis", documentOf({ id: doc_id, title: `Work ${index}` }), chunks);
  }
  const loose = Array.from({ length: 230 }, (_, n) =>
    passage({
      id: `loose-${n}`,
      text: `Loose passage number${n} about topic${n % 7}.`,
      vectors: n % 10 ? [towards(n % 8)] : [],
    }),
  );
  await store.upsert("thesis", loose);
}

/** What a reader could ask, as far as stores agree on it: scores, and the chunks in an order that ties do not change. */
async function answers(store: ChunkStore) {
  const words = await store.byWords("thesis", "topic3 dependency", { limit: 300 });
  const meaning = await store.byMeaning("thesis", towards(3), { limit: 300, filters: { tags: ["odd"] } });
  const rounded = (score: number) => Number(score.toFixed(4));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return {
    project: await store.project("thesis").then((found) => found && { ...found, created_at: "", updated_at: "" }),
    words: words.map(({ id, bm25, coverage }) => ({ id, bm25: rounded(bm25), coverage: rounded(coverage) })).sort(byId),
    meaning: meaning.map(({ id, similarity }) => ({ id, similarity: rounded(similarity) })).sort(byId),
    phrase: (await store.byWords("thesis", '"value objects and"', { limit: 50 })).map(({ id }) => id).sort(),
    documents: await store.documents("thesis"),
    document: await store.document("thesis", "doc-1"),
    chunks: await store.chunks("thesis", { doc_id: "doc-2" }),
    count: await store.count("thesis"),
  };
}

describe("moving a project to another store", () => {
  let sqlite: ChunkStore;
  let qdrant: ChunkStore;
  beforeEach(async () => {
    double.database.collections.clear();
    sqlite = newSqlite();
    qdrant = newQdrant();
    await stock(sqlite);
  });
  afterEach(async () => {
    double.faults.clear();
    await sqlite.close();
  });

  it("gives the same answers there, and back again", async () => {
    const before = await answers(sqlite);
    expect(before.words.length).toBeGreaterThan(40);
    const there = await copyProject({ project: "thesis", from: sqlite, to: qdrant });
    expect(there).toMatchObject({ documents: 3, chunks: 248, copied: 248 });
    expect(await answers(qdrant)).toEqual(before);

    const again = newSqlite();
    const back = await copyProject({ project: "thesis", from: qdrant, to: again });
    expect(back).toEqual(there);
    expect(await answers(again)).toEqual(before);
    await again.close();
  });

  it("goes on where it was cut short, and has nothing to do the second time", async () => {
    const stop = new AbortController();
    const cut = copyProject({
      project: "thesis",
      from: sqlite,
      to: qdrant,
      signal: stop.signal,
      progress: (done) => done >= 6 && stop.abort(),
    });
    await expect(cut).rejects.toThrow();
    const written = await qdrant.count("thesis");
    expect(written).toBeGreaterThanOrEqual(6);
    expect(written).toBeLessThan(248);

    double.faults.set("/points", { kind: "lost" }, { method: "put", skip: 2, times: 20 });
    await expect(copyProject({ project: "thesis", from: sqlite, to: newQdrant() })).rejects.toMatchObject({
      code: "INDEX_UNAVAILABLE",
    });
    double.faults.clear();

    const rest = await copyProject({ project: "thesis", from: sqlite, to: newQdrant() });
    expect(rest.chunks).toBe(248);
    expect(rest.copied).toBeLessThan(248 - 6 + 1);
    expect(await copyProject({ project: "thesis", from: sqlite, to: newQdrant() })).toMatchObject({ copied: 0 });
  });

  it("brings a copy up to date with what changed in the source", async () => {
    await copyProject({ project: "thesis", from: sqlite, to: qdrant });
    await sqlite.replaceDocument("thesis", documentOf({ id: "doc-2", text: "New text.", sha256: "2".repeat(64) }), [
      passage({ id: "doc-2-0", doc_id: "doc-2", text: "Shorter now." }),
    ]);
    await sqlite.upsert("thesis", [passage({ id: "loose-1", text: "Changed.", vectors: [towards(5)] })]);
    expect(await copyProject({ project: "thesis", from: sqlite, to: qdrant })).toMatchObject({
      copied: 2,
      chunks: 237,
    });
    expect(await qdrant.chunks("thesis", { ids: ["loose-1"] })).toMatchObject([{ text: "Changed." }]);
  });

  it("does not write over a project that has gone its own way", async () => {
    await copyProject({ project: "thesis", from: sqlite, to: qdrant });
    await qdrant.upsert("thesis", [passage({ id: "written-there" })]);
    await expect(copyProject({ project: "thesis", from: sqlite, to: qdrant })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { chunks: 1, documents: 0 },
    });
    await qdrant.deleteProject("thesis");
    await qdrant.createProject(project("thesis", { model: { ...project("x").model, id: "other-model" } }));
    await expect(copyProject({ project: "thesis", from: sqlite, to: qdrant })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("other-model"),
    });
  });

  it("notices a copy that is not the same", async () => {
    const forgetful: ChunkStore = { ...qdrant, upsert: async (id, chunks) => qdrant.upsert(id, chunks.slice(1)) };
    await expect(copyProject({ project: "thesis", from: sqlite, to: forgetful })).rejects.toMatchObject({
      details: { differing: 2, source: 248, target: 246 },
    });
  });

  it("is a command that says what it did, or what it lacks", async () => {
    const lines: string[] = [];
    const deps = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) };
    const kept = { ...sqlite, close: async () => {} };
    const open = async (name: string) => (name === "qdrant" ? newQdrant() : kept);
    expect(await migrateCommand({ positionals: ["thesis"], to: "qdrant" }, { ...deps, open })).toBe(0);
    expect(lines[0]).toBe("thesis: 248 chunks of 3 documents in qdrant, 248 copied now.");
    expect(await migrateCommand({ positionals: ["thesis"], to: "mars" }, { ...deps, open })).toBe(2);
    const without = async (name: string) => (name === "qdrant" ? undefined : kept);
    expect(await migrateCommand({ positionals: ["thesis"], to: "qdrant" }, { ...deps, open: without })).toBe(2);
    expect(lines.at(-1)).toContain("QDRANT_URL");
  });
});

it.skipIf(!double.checked)("every request and answer was as Qdrant's OpenAPI document says", () => {
  expect(double.violations).toEqual([]);
});

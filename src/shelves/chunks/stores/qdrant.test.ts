import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { startQdrantSandbox } from "../../../../sandbox/qdrant/server.js";
import {
  chunkStoreContract,
  documentOf,
  passage,
  project,
  testModel,
  towards,
} from "../../../../tests/support/chunk-store.contract.js";
import type { ChunkStore } from "../chunk-store.js";
import { qdrantChunkStore } from "./qdrant.js";

const shared = process.env.BOOKWHEEL_SHARED ?? fileURLToPath(new URL("../../../../../shared", import.meta.url));
const openapi = `${shared}/reference/qdrant-openapi.json`;
if (!existsSync(openapi)) console.log(`Requests to the double are not checked: there is no ${openapi}.`);

const double = await startQdrantSandbox({ openapi });
afterAll(() => double.close());
const open = (more: Partial<Parameters<typeof qdrantChunkStore>[0]> = {}) =>
  qdrantChunkStore({ url: double.url, pauseMs: 5, ...more });

chunkStoreContract("qdrant double", () => {
  double.database.collections.clear();
  return open();
});

const { QDRANT_URL, QDRANT_API_KEY } = process.env;
if (QDRANT_URL)
  chunkStoreContract("qdrant server", async () => {
    const store = qdrantChunkStore({ url: QDRANT_URL, apiKey: QDRANT_API_KEY });
    for (const { id, model } of await store.projects()) if (model.id === testModel.id) await store.deleteProject(id);
    return store;
  });
else console.log("The contract is not tried on a real Qdrant server: QDRANT_URL is not set.");

describe("a store in Qdrant", () => {
  let store: ChunkStore;
  beforeEach(async () => {
    double.database.collections.clear();
    store = open();
    await store.createProject(project("a"));
    double.calls.length = 0;
  });
  afterEach(() => double.faults.clear());

  it("binds the project to its model in the collection's metadata, and indexes it before anything is loaded", async () => {
    await store.upsert("a", [passage({ id: "chunk-abc123" })]);
    const collection = double.database.collections.get("proj-a");
    expect(collection?.metadata).toMatchObject({ project: "a", embed_model: "test-model", dim: 8, hybrid: true });
    expect(collection?.indexes.get("project")).toEqual({ type: "keyword", is_tenant: true });
    expect([...(collection?.points.keys() ?? [])]).toEqual(["d3684793-f13f-51a1-8508-9b72d8b0d719"]);
  });

  it("is the same for every process on the server", async () => {
    await store.upsert("a", [passage({ id: "1", text: "the dependency rule" })]);
    const other = open();
    expect(await other.byWords("a", "depend*", { limit: 5 })).toMatchObject([{ id: "1" }]);
    await other.deleteProject("a");
    await expect(store.byMeaning("a", towards(0), { limit: 1 })).rejects.toMatchObject({ code: "INVALID_PROJECT" });
    await other.createProject(project("a"));
    await store.upsert("a", [passage({ id: "2", text: "the dependency rule" })]);
    expect(await other.byWords("a", "depend*", { limit: 5 })).toMatchObject([{ id: "2" }]);
  });

  it("leaves collections alone that are not its own", async () => {
    const url = `${double.url}/collections/proj-theirs`;
    const headers = { "content-type": "application/json" };
    await fetch(url, {
      method: "PUT",
      headers,
      body: JSON.stringify({ vectors: { v: { size: 4, distance: "Dot" } } }),
    });
    expect((await store.projects()).map(({ id }) => id)).toEqual(["a"]);
    expect(await store.project("theirs")).toBeUndefined();
    await expect(store.createProject(project("theirs"))).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("not Bookwheel's"),
    });
    await expect(store.deleteProject("theirs")).rejects.toMatchObject({ code: "INVALID_PROJECT" });
    expect(double.database.collections.has("proj-theirs")).toBe(true);
  });

  it("makes up for a creation that was cut short", async () => {
    double.faults.set("/index", { kind: "status", status: 400, message: "Wrong input: no" }, { skip: 4 });
    await expect(store.createProject(project("b"))).rejects.toMatchObject({ code: "INVALID_INPUT" });
    const later = open();
    await later.replaceDocument("b", documentOf(), [passage({ doc_id: "doc-1", tags: ["t"] })]);
    expect(await later.byMeaning("b", towards(0), { limit: 1, filters: { tags: ["t"] } })).toHaveLength(1);
    expect(await later.document("b", "doc-1")).toMatchObject({ text: "Hello world." });
  });

  it("weighs words by the lengths of today, whatever they were when a chunk was written", async () => {
    const texts = ["dependency", "dependency rule of a longer text", "a text without it that is longer still"];
    for (const [index, text] of texts.entries()) await store.upsert("a", [passage({ id: `${index}`, text })]);
    const oneByOne = await store.byWords("a", "dependency longer", { limit: 5 });
    await store.createProject(project("b"));
    await store.upsert(
      "b",
      texts.map((text, index) => passage({ id: `${index}`, text })),
    );
    const together = await store.byWords("b", "dependency longer", { limit: 5 });
    expect(oneByOne.map(({ id }) => id)).toEqual(together.map(({ id }) => id));
    for (const [index, { bm25 }] of oneByOne.entries()) expect(bm25).toBeCloseTo(together[index]?.bm25 ?? 0, 5);
  });

  it("keeps a long document whole, in parts", async () => {
    const noise = Array.from({ length: 700_000 }, (_, i) => Math.sin(i).toString(36).slice(2, 9)).join(" ");
    await store.replaceDocument("a", documentOf({ text: noise }), []);
    expect((await store.document("a", "doc-1"))?.text).toBe(noise);
    await store.replaceDocument("a", documentOf({ text: "short now" }), []);
    expect((await store.document("a", "doc-1"))?.text).toBe("short now");
    const kinds = [...(double.database.collections.get("docs-a")?.points.values() ?? [])].map(
      ({ payload }) => payload.kind,
    );
    expect(kinds.sort()).toEqual(["document", "part"]);
  });

  it("stores half a surrogate pair, which Qdrant does not take, as what it stands for", async () => {
    await store.upsert("a", [passage({ id: "1", text: "broken \ud83d end", metadata: { "k\udc00": "v\ud800" } })]);
    expect(await store.chunks("a", { ids: ["1"] })).toMatchObject([
      { text: "broken \ufffd end", metadata: { "k\ufffd": "v\ufffd" } },
    ]);
    expect(await store.byMeaning("a", towards(0), { limit: 1, filters: { citekey: "\ud800" } })).toEqual([]);
  });

  it("stays with its model on a server that cannot hold another one's vectors beside it", async () => {
    const older = await startQdrantSandbox({ version: "1.17.2", openapi });
    const there = open({ url: older.url });
    await there.createProject(project("a"));
    await expect(there.migration?.start("a", { ...testModel, id: "next" })).rejects.toMatchObject({
      code: "INDEX_UNAVAILABLE",
      message: expect.stringContaining("1.18"),
    });
    expect(await there.project("a")).toMatchObject({ next_model: null });
    await older.close();
  });

  describe("when the server is in trouble", () => {
    it("waits as long as a throttle asks, and goes on", async () => {
      double.faults.set("/points", { kind: "throttle", retryAfter: 0.05 }, { method: "put", times: 2 });
      expect(await store.upsert("a", [passage()])).toEqual({ added: 1, updated: 0 });
      expect(double.calls.filter(({ status }) => status === 429)).toHaveLength(2);
    });

    it("does not wait longer than it may", async () => {
      double.faults.set("/points/query", { kind: "throttle", retryAfter: 60 });
      await expect(store.byMeaning("a", towards(0), { limit: 1 })).rejects.toMatchObject({
        code: "TIMEOUT",
        retry_after: 60,
      });
    });

    it("tries again after a failure, a lost answer and a broken connection, and writes once", async () => {
      double.faults.set(
        "/points",
        { kind: "status", status: 503, message: "Shard temporarily unavailable: x" },
        { method: "put" },
      );
      double.faults.set("/points", { kind: "lost" }, { method: "put" });
      double.faults.set("/points", { kind: "reset" }, { method: "put" });
      expect(await store.upsert("a", [passage()])).toEqual({ added: 1, updated: 0 });
      expect(await store.count("a")).toBe(1);
    });

    it.each([
      [500, "Service internal error: x", "INDEX_UNAVAILABLE"],
      [503, "Shard temporarily unavailable: x", "INDEX_UNAVAILABLE"],
      [507, "Insufficient storage: quota", "INDEX_UNAVAILABLE"],
      [403, "Forbidden: x", "INDEX_UNAVAILABLE"],
      [408, "Timeout: x", "TIMEOUT"],
      [400, "Wrong input: Vector dimension error: expected dim: 4, got 8", "EMBEDDING_MISMATCH"],
      [400, 'Bad request: Index required but not found for "x"', "INDEX_UNAVAILABLE"],
      [422, "Validation error in JSON body: [x]", "INVALID_INPUT"],
    ])("%i '%s' is %s", async (status, message, code) => {
      double.faults.set("/points/query", { kind: "status", status, message }, { times: 9 });
      await expect(store.byMeaning("a", towards(0), { limit: 1 })).rejects.toMatchObject({ code });
    });

    it("says when it cannot be reached, is too old, wants a key, or is something else", async () => {
      const gone = open({ url: "http://127.0.0.1:1", attempts: 2 });
      await expect(gone.projects()).rejects.toMatchObject({
        code: "INDEX_UNAVAILABLE",
        message: expect.stringContaining("127.0.0.1:1"),
      });
      double.faults.set("/points/query", { kind: "garbage" });
      await expect(store.byMeaning("a", towards(0), { limit: 1 })).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
      await expect(gone.ping()).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
      const old = await startQdrantSandbox({ version: "1.15.4" });
      await expect(open({ url: old.url }).projects()).rejects.toMatchObject({
        code: "INDEX_UNAVAILABLE",
        details: { version: "1.15.4", needed: "1.16" },
      });
      await old.close();
      const locked = await startQdrantSandbox({ apiKey: "secret-key" });
      const refused = await open({ url: locked.url, apiKey: "wrong-key" })
        .projects()
        .catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "INDEX_UNAVAILABLE", message: expect.stringContaining("QDRANT_API_KEY") });
      expect(JSON.stringify(refused) + String(refused)).not.toContain("wrong-key");
      expect(await open({ url: locked.url, apiKey: "secret-key" }).projects()).toEqual([]);
      await locked.close();
    });

    it("ends a call that is aborted, and the request with it", async () => {
      for (const target of ["/points/query", "/points/query/batch"]) double.faults.set(target, { kind: "silent" });
      await store.upsert("a", [passage()]);
      for (const search of [
        (signal: AbortSignal) => store.byMeaning("a", towards(0), { limit: 1, signal }),
        (signal: AbortSignal) => store.byWords("a", "entities", { limit: 1, signal }),
      ])
        await expect(search(AbortSignal.timeout(100))).rejects.toMatchObject({ name: "TimeoutError" });
      await expect.poll(() => double.calls.filter(({ aborted }) => aborted).length).toBe(2);
    });

    it("leaves a document that can be written again when it was cut short", async () => {
      const chunk = (n: number) => passage({ id: `d-${n}`, doc_id: "doc-1", position: n });
      await store.replaceDocument("a", documentOf(), [0, 1, 2].map(chunk));
      double.faults.set("/points/delete", { kind: "status", status: 400, message: "Wrong input: no" });
      const shorter = documentOf({ text: "Shorter.", sha256: "1".repeat(64) });
      await expect(store.replaceDocument("a", shorter, [chunk(0)])).rejects.toThrow();
      expect(await store.document("a", "doc-1")).toMatchObject({ sha256: "0".repeat(64) });
      expect(await store.replaceDocument("a", shorter, [chunk(0)])).toEqual({ added: 0, updated: 1, removed: 2 });
      expect(await store.count("a")).toBe(1);
    });
  });
});

it.skipIf(!double.checked)("every request and answer was as Qdrant's OpenAPI document says", () => {
  expect(double.violations).toEqual([]);
});

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { startQdrantSandbox } from "../../../../sandbox/qdrant/server.js";
import { chunkStoreContract } from "../../../../tests/support/chunk-store.contract.js";
import { documentOf, passage, project, testModel, towards } from "../../../../tests/support/chunks.js";
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

describe("a store in Qdrant", () => {
  let store: ChunkStore;
  beforeEach(async () => {
    double.database.collections.clear();
    store = open();
    await store.createProject(project("a"));
    double.calls.length = 0;
  });
  afterEach(() => double.faults.clear());

  const records = () => [...(double.database.collections.get("bookwheel-projects")?.points.values() ?? [])];
  const chunksIn = () => double.database.collections.get(String(records()[0]?.payload.chunks));

  /** A project in collections of its own, as versions before the shared collections made it. */
  const madeByOlder = async (id: string) => {
    const headers = { "content-type": "application/json" };
    const put = async (path: string, body: unknown) => {
      const { status } = await fetch(`${double.url}${path}`, { method: "PUT", headers, body: JSON.stringify(body) });
      expect(status).toBe(200);
    };
    const now = "2026-01-01T00:00:00.000Z";
    const metadata = {
      ...{ bookwheel: 1, project: id, kind: "project", name: "Old", description: null, hybrid: true },
      ...{ embed_model: testModel.id, dim: 8, model: testModel, vector: "dense", created_at: now, updated_at: now },
    };
    const name = id.replaceAll("/", "-");
    await put(`/collections/proj-${name}`, {
      vectors: { dense: { size: 8, distance: "Cosine", multivector_config: { comparator: "max_sim" } } },
      sparse_vectors: { bm25: { modifier: "idf" } },
      metadata,
    });
    await put(`/collections/docs-${name}`, { vectors: {} });
  };

  it("binds the project to its model in its record, and indexes it before anything is loaded", async () => {
    await store.upsert("a", [passage({ id: "chunk-abc123" })]);
    const [record] = records();
    expect(record?.payload).toMatchObject({ project: "a", embed_model: "test-model", dim: 8, hybrid: true });
    expect(chunksIn()?.indexes.get("project")).toEqual({ type: "keyword", is_tenant: true });
    const [point] = chunksIn()?.points.values() ?? [];
    expect(point?.payload).toMatchObject({ project: record?.payload.tenant, chunk_id: "chunk-abc123" });
  });

  it("has graphs of vectors built per project and for no other field", async () => {
    const graphs = [...(chunksIn()?.indexes ?? [])].filter(([, params]) => params.enable_hnsw !== false);
    expect(graphs.map(([field]) => field)).toEqual(["project"]);
  });

  it("searches a part of a project exactly, which the graph of the whole project would miss", async () => {
    await store.upsert("a", [passage({ id: "1", tags: ["x"], year: 1990, vectors: [towards(0)] })]);
    const paramsOf = async (filters: Parameters<ChunkStore["byMeaning"]>[2]["filters"]) => {
      double.calls.length = 0;
      expect(await store.byMeaning("a", towards(0), { limit: 5, filters })).toMatchObject([{ id: "1" }]);
      const query = double.calls.find(({ path }) => path.endsWith("/points/query"));
      return (query?.body as { params: unknown } | undefined)?.params;
    };
    expect(await paramsOf(undefined)).toEqual({ hnsw_ef: 512 });
    for (const filters of [{ tags: ["x"] }, { year_from: 0 }]) expect(await paramsOf(filters)).toEqual({ exact: true });
  });

  it("asks for answers that are not compressed, which takes longer than their bytes", async () => {
    await store.upsert("a", [passage({ id: "1", text: "the dependency rule" })]);
    await store.byWords("a", "dependency", { limit: 5 });
    expect(double.calls.map(({ encoding }) => encoding)).toEqual(double.calls.map(() => undefined));
  });

  it("searches without reading the project's record before each of its requests", async () => {
    await store.upsert("a", [passage({ id: "1", text: "the dependency rule" })]);
    double.calls.length = 0;
    await store.byMeaning("a", towards(0), { limit: 5 });
    await store.byWords("a", "dependency", { limit: 5 });
    await store.chunks("a", { ids: ["1"] });
    expect(double.calls.filter(({ path }) => path.includes("-projects"))).toEqual([]);
    expect(double.calls.flatMap(({ body }) => Object.keys(Object(body)))).not.toContain("with_vector");
  });

  it("counts the words of chunks that an older version wrote by their vectors", async () => {
    const texts = ["dependency dependency rule", "dependency rule", "a rule of thumb"];
    await store.upsert(
      "a",
      texts.map((text, index) => passage({ id: `${index}`, text })),
    );
    const before = await store.byWords("a", "dependency rule", { limit: 5 });
    for (const { payload } of chunksIn()?.points.values() ?? []) {
      payload.terms = [...new Set(String(payload.terms).split(" "))].join(" ");
      payload.bm25 = { ...(payload.bm25 as object), repeated: undefined };
    }
    const after = await store.byWords("a", "dependency rule", { limit: 5 });
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    for (const [index, { bm25 }] of after.entries()) expect(bm25).toBeCloseTo(before[index]?.bm25 ?? 0, 5);
  });

  it("makes no collection per project, and one per model", async () => {
    for (let i = 0; i < 20; i++) await store.createProject(project(`many/${i}`));
    expect(double.database.collections.size).toBe(3);
    await store.createProject(project("other", { model: { ...testModel, id: "another", dimension: 4 } }));
    expect(double.database.collections.size).toBe(4);
  });

  it("has nothing of an earlier project of the same name, even of one whose deletion was cut short", async () => {
    await store.upsert("a", [passage({ id: "1", text: "the dependency rule" })]);
    const left = structuredClone([...(chunksIn()?.points.entries() ?? [])]);
    await store.deleteProject("a");
    expect(chunksIn()?.points.size ?? 0).toBe(0);
    await store.createProject(project("a"));
    for (const [id, point] of left) chunksIn()?.points.set(id, point);
    expect(await store.count("a")).toBe(0);
    expect(await store.chunks("a", { ids: ["1"] })).toEqual([]);
    expect(await store.byWords("a", "dependency", { limit: 5 })).toEqual([]);
  });

  it("makes a project once, however many processes ask", async () => {
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => open().createProject(project("race"))));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await store.projects()).filter(({ id }) => id === "race")).toHaveLength(1);
  });

  it("does not touch a project that a newer version has written", async () => {
    for (const { payload } of records()) payload.bookwheel = 3;
    for (const use of [
      () => store.upsert("a", [passage()]),
      () => store.projects(),
      () => store.deleteProject("a"),
      () => store.createProject(project("a")),
    ])
      await expect(use()).rejects.toMatchObject({
        code: "INDEX_UNAVAILABLE",
        message: expect.stringContaining("Upgrade this server"),
      });
    expect(records()).toHaveLength(1);
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
    await expect(store.deleteProject("theirs")).rejects.toMatchObject({ code: "INVALID_PROJECT" });
    expect(double.database.collections.has("proj-theirs")).toBe(true);
  });

  it("makes up for a creation that was cut short", async () => {
    const other = project("b", { model: { ...testModel, id: "another" } });
    double.faults.set("/index", { kind: "status", status: 400, message: "Wrong input: no" }, { skip: 4 });
    await expect(store.createProject(other)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    const later = open();
    await later.createProject(other);
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
    const kinds = [...(double.database.collections.get("bookwheel-documents")?.points.values() ?? [])].map(
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

  it("lists a project once that an older version made beside it under the same name, and stays with its own", async () => {
    await store.upsert("a", [passage({ id: "mine", text: "the dependency rule" })]);
    await madeByOlder("a");
    expect((await store.projects()).map(({ id, name }) => [id, name])).toEqual([["a", "a"]]);
    expect(await store.byWords("a", "dependency", { limit: 5 })).toMatchObject([{ id: "mine" }]);
    expect(await open().count("a")).toBe(1);
  });

  it("goes on with a project that an older version gave collections of its own", async () => {
    await madeByOlder("old/one");
    const texts = ["the dependency rule", "a rule of thumb", "dependency inversion, a principle"];
    const chunks = texts.map((text, n) => passage({ id: `${n}`, text, doc_id: "doc-1", position: n }));
    await store.replaceDocument("old/one", documentOf(), chunks);
    await store.upsert("a", chunks);
    expect((await store.projects()).map(({ id, name }) => [id, name])).toEqual([
      ["a", "a"],
      ["old/one", "Old"],
    ]);
    expect(double.database.collections.get("proj-old-one")?.points.size).toBe(3);
    for (const query of ["dependency rule", "depend*", '"dependency inversion"']) {
      const [old, young] = await Promise.all(["old/one", "a"].map((id) => store.byWords(id, query, { limit: 5 })));
      expect(old?.map(({ id }) => id)).toEqual(young?.map(({ id }) => id));
      for (const [index, { bm25 }] of (old ?? []).entries()) expect(bm25).toBeCloseTo(young?.[index]?.bm25 ?? 0, 4);
    }
    expect(await store.document("old/one", "doc-1")).toMatchObject({ text: "Hello world." });
    await expect(store.createProject(project("old/one"))).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await store.deleteProject("old/one");
    expect(double.database.collections.has("proj-old-one")).toBe(false);
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

    it("whose disk is full is asked once, and the answer says what to do", async () => {
      const message = "Service internal error: No space left on device: WAL buffer size exceeds available disk space";
      double.faults.set("/points", { kind: "status", status: 500, message }, { method: "put" });
      await expect(store.upsert("a", [passage()])).rejects.toMatchObject({
        code: "INDEX_UNAVAILABLE",
        message: expect.stringContaining("no room left"),
      });
      expect(await store.upsert("a", [passage()])).toEqual({ added: 1, updated: 0 });
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
      double.faults.set("/points/query", { kind: "silent" }, { times: 2 });
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

import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { chunkStoreContract } from "../../../../tests/support/chunk-store.contract.js";
import { passage, project, testModel, towards } from "../../../../tests/support/chunks.js";
import {
  givenQdrant,
  type QdrantNode,
  qdrantIsInstalled,
  startQdrant,
} from "../../../../tests/support/qdrant-server.js";
import { unitOf } from "../../../kernel/vector.js";
import type { Chunk } from "../chunk-store.js";
import { type QdrantOptions, qdrantChunkStore } from "./qdrant.js";

const nodes: QdrantNode[] = [];
const prefixes: { server: Server; prefix: string }[] = [];
type Server = Pick<QdrantOptions, "url" | "apiKey">;

async function node(options: Parameters<typeof startQdrant>[0] = {}) {
  const started = await startQdrant(options);
  nodes.push(started);
  return started;
}
/** Collections of the test's own, on whichever server. */
function fresh(server: Server): Server & { prefix: string } {
  const prefix = `bookwheel-test-${randomUUID().slice(0, 8)}`;
  prefixes.push({ server, prefix });
  return { ...server, prefix };
}
/** Small enough that a test reaches it; as a server does by itself past some 13,000 chunks. */
async function makeGraphsEarly({ prefix, ...at }: Server & { prefix: string }): Promise<string> {
  const { collections } = await asked<{ collections: { name: string }[] }>(at, "/collections");
  const { name } = collections.find((each) => each.name.startsWith(`${prefix}-chunks`))!;
  await asked(at, `/collections/${name}`, {
    method: "PATCH",
    body: JSON.stringify({ optimizers_config: { indexing_threshold: 100 }, hnsw_config: { full_scan_threshold: 10 } }),
  });
  return name;
}
const graphOf = (at: Server, collection: string) =>
  asked<{ status: string; indexed_vectors_count: number }>(at, `/collections/${collection}`);

async function asked<T>({ url, apiKey }: Server, path: string, init: RequestInit = {}): Promise<T> {
  const headers = { "content-type": "application/json", ...(apiKey ? { "api-key": apiKey } : {}) };
  const answer = await fetch(url + path, { ...init, headers });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { result: T }).result;
}
async function removeCollections(at: Server, prefix: string) {
  const { collections } = await asked<{ collections: { name: string }[] }>(at, "/collections");
  for (const { name } of collections)
    if (name.startsWith(prefix)) await asked(at, `/collections/${name}`, { method: "DELETE" });
}

afterAll(async () => {
  for (const { server, prefix } of prefixes) await removeCollections(server, prefix).catch(() => {});
  for (const each of nodes) await each.close();
}, 60_000);

const server: Server | undefined = givenQdrant ?? (qdrantIsInstalled ? await node() : undefined);

if (server)
  chunkStoreContract("qdrant server", async () => {
    const { prefix, ...rest } = fresh(server);
    return qdrantChunkStore({ ...rest, prefix });
  });

describe.skipIf(!server)("a real server (QDRANT_TEST_URL, or qdrant on the PATH)", () => {
  it("has everything that several processes have written at once", async () => {
    const options = fresh(server!);
    await qdrantChunkStore(options).createProject(project("many"));
    const write = async (writer: number) => {
      const store = qdrantChunkStore(options);
      for (let batch = 0; batch < 5; batch++)
        await store.upsert(
          "many",
          Array.from({ length: 20 }, (_, n) =>
            passage({ id: `${writer}-${batch}-${n}`, text: `writer${writer} batch${batch} passage${n} on wheels` }),
          ),
        );
    };
    await Promise.all([1, 2, 3, 4].map(write));
    const store = qdrantChunkStore(options);
    expect(await store.count("many")).toBe(400);
    expect(await store.byWords("many", "writer3 batch4", { limit: 3 })).toMatchObject([{}, {}, {}]);
    expect(await store.byWords("many", "writer*", { limit: 400 })).toHaveLength(400);
  }, 60_000);

  it("finds the nearest of a few chunks also where it searches the rest by a graph", async () => {
    const options = fresh(server!);
    const store = qdrantChunkStore(options);
    const dimension = 64;
    await store.createProject(project("graph", { model: { ...testModel, dimension } }));
    const collection = await makeGraphsEarly(options);
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const vector = () => unitOf(Float32Array.from({ length: dimension }, () => random() - 0.5));
    const chunks = Array.from({ length: 4_000 }, (_, n) =>
      passage({ id: `g-${n}`, text: `number ${n}`, vectors: [vector()], tags: n % 25 === 0 ? ["few"] : ["rest"] }),
    );
    for (let from = 0; from < chunks.length; from += 500) await store.upsert("graph", chunks.slice(from, from + 500));
    await expect.poll(() => graphOf(options, collection), { timeout: 60_000 }).toMatchObject({ status: "green" });
    expect((await graphOf(options, collection)).indexed_vectors_count).toBeGreaterThan(3_000);

    const few = chunks.filter(({ tags }) => tags.includes("few"));
    for (let round = 0; round < 10; round++) {
      const query = vector();
      const cosine = ({ vectors: [own] }: Chunk) => own!.reduce((sum, value, i) => sum + value * query[i]!, 0);
      const nearest = few.toSorted((a, b) => cosine(b) - cosine(a)).slice(0, 10);
      const found = await store.byMeaning("graph", query, { limit: 10, filters: { tags: ["few"] } });
      expect(found.map(({ id }) => id)).toEqual(nearest.map(({ id }) => id));
    }
  }, 120_000);

  it("makes a project once, however many processes ask", async () => {
    const options = fresh(server!);
    const made = await Promise.allSettled(
      Array.from({ length: 8 }, () => qdrantChunkStore(options).createProject(project("race"))),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await qdrantChunkStore(options).projects()).toHaveLength(1);
  }, 60_000);
});

/** Writes until `stop`, and remembers what was acknowledged and what was refused. */
function writing(options: Parameters<typeof qdrantChunkStore>[0]) {
  const store = qdrantChunkStore({ ...options, attempts: 2, pauseMs: 50 });
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  let stopped = false;
  const work = (async () => {
    for (let n = 0; !stopped; n++) {
      const ids = Array.from({ length: 5 }, (_, i) => `w-${n}-${i}`);
      try {
        await store.upsert(
          "kept",
          ids.map((id) => passage({ id, text: `passage ${id}`, vectors: [towards(n % 8)] })),
        );
        acknowledged.push(...ids);
      } catch (error) {
        refused.push(error);
      }
    }
  })();
  return {
    acknowledged,
    refused,
    async stop() {
      stopped = true;
      await work;
    },
  };
}
const SAID = /cannot be reached|in trouble|did not answer|did not say|Call again/;

describe.skipIf(!qdrantIsInstalled)("a server that dies (qdrant on the PATH)", () => {
  it("in the middle of writes loses nothing it had acknowledged, and is used again when it is back", async () => {
    const single = await node();
    const options = fresh({ url: single.url });
    const store = qdrantChunkStore({ ...options, attempts: 2, pauseMs: 20 });
    await store.createProject(project("kept"));
    const writer = writing(options);
    for (let round = 0; round < 2; round++) {
      const before = writer.acknowledged.length;
      await expect.poll(() => writer.acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(before + 50);
      await single.kill();
      await expect(store.ping()).rejects.toMatchObject({
        code: "INDEX_UNAVAILABLE",
        message: expect.stringMatching(/cannot be reached/),
      });
      await single.start();
    }
    const before = writer.acknowledged.length;
    await expect.poll(() => writer.acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(before + 50);
    await writer.stop();
    await store.ping();
    const kept = new Set((await store.chunks("kept", { ids: writer.acknowledged })).map(({ id }) => id));
    expect(writer.acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    expect(writer.refused.length).toBeGreaterThan(0);
    for (const error of writer.refused) expect(String(error)).toMatch(SAID);
  }, 120_000);
});

describe.skipIf(!qdrantIsInstalled)("a cluster of three (qdrant on the PATH)", () => {
  it("that loses a node and has it back keeps what it had acknowledged", async () => {
    const first = await node({ cluster: true });
    const others = [await node({ cluster: true, first: first.peer }), await node({ cluster: true, first: first.peer })];
    const peers = async () => {
      const { result } = (await (await fetch(`${first.url}/cluster`)).json()) as { result: { peers?: object } };
      return Object.keys(result.peers ?? {}).length;
    };
    await expect.poll(peers, { timeout: 60_000 }).toBe(3);
    const options = fresh({ url: first.url });
    const store = qdrantChunkStore(options);
    await store.createProject(project("kept"));
    const made = await (await fetch(`${first.url}/collections/${options.prefix}-projects`)).json();
    expect(made).toMatchObject({
      result: { config: { params: { replication_factor: 2, write_consistency_factor: 2 } } },
    });
    const writer = writing(options);
    await expect.poll(() => writer.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(50);
    await others[1]!.kill();
    // Reads go on from the replica that is left; `/ready` asks with a ping.
    await store.ping();
    const held = [...writer.acknowledged];
    expect((await store.chunks("kept", { ids: held })).length).toBe(held.length);
    await others[1]!.start();
    const before = writer.acknowledged.length;
    await expect.poll(() => writer.acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before + 50);
    await writer.stop();
    for (const { url } of [first, ...others]) {
      const there = qdrantChunkStore({ ...options, url });
      const found = async () => (await there.chunks("kept", { ids: writer.acknowledged })).length;
      await expect.poll(found, { timeout: 60_000 }).toBe(writer.acknowledged.length);
    }
    for (const error of writer.refused) expect(String(error)).toMatch(SAID);
  }, 240_000);
});

import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { generateLibrary } from "../../../../../sandbox/readwise/generate.js";
import { type ReadwiseSandbox, startReadwiseSandbox } from "../../../../../sandbox/readwise/server.js";
import { cacheStoreContract } from "../../../../../tests/support/cache-store.contract.js";
import { type RedisServer, redisIsInstalled, startRedis } from "../../../../../tests/support/redis-server.js";
import { silentLog } from "../../../../../tests/support/silent-log.js";
import { openRedis, type RedisLink } from "../../../../redis/redis-link.js";
import { httpReadwise } from "../../backends/http.js";
import { createReadwiseShelf, type ReadwiseShelf } from "../../library/library.js";
import { hashOfKey } from "../cache.js";
import type { CacheStore } from "../cache-store.js";
import { createMemoryLimit } from "../memory-limit.js";
import { redisCacheStore } from "./redis.js";

const EXPORT = "GET /api/v2/export/";
const bytes = (text: string) => new TextEncoder().encode(text);

describe.skipIf(!redisIsInstalled)("with a real Redis", () => {
  let server: RedisServer;
  const links: RedisLink[] = [];
  const closing: (() => Promise<void>)[] = [];
  const { signal } = new AbortController();

  beforeAll(async () => {
    server = await startRedis();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    for (const link of links.splice(0)) await link.close();
  });
  afterAll(() => server?.close());

  function connect(): RedisLink {
    const link = openRedis({ url: server.url, log: silentLog, patienceMs: 1_000, probeEveryMs: 50 });
    links.push(link);
    return link;
  }
  function openStore(link = connect()): CacheStore {
    return redisCacheStore({ link, limit: createMemoryLimit(50_000_000, Date.now), clock: Date.now });
  }

  cacheStoreContract("Redis", () => openStore());

  it("shares entries, journals and turns between processes", async () => {
    const [a, b] = [openStore(), openStore()];
    const key = randomUUID();
    await a.write(key, { head: "one", parts: [bytes("a")] }, 60_000);
    expect(await b.append(key, { head: "two", parts: [bytes("b")] }, 60_000)).toBe(true);
    expect((await a.read(key))?.parts).toHaveLength(2);
    await a.note(key, "from a");
    expect((await b.journal(key)).notes).toEqual(["from a"]);
    let running = 0;
    let most = 0;
    const run = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running--;
    };
    await Promise.all([a, b, a, b].map((store) => store.alone(key, signal, run)));
    expect(most).toBe(1);
  });

  it("refuses what a process writes whose turn is over", async () => {
    const [slow, next] = [openStore(), openStore()];
    const key = randomUUID();
    await slow.alone(key, signal, async () => {
      await slow.write(key, { head: "slow", parts: [bytes("1")] }, 60_000);
      // As if it had been asleep until its lock ran out.
      await server.redis.del(`bookwheel:1:lock:{${key}}`);
      await next.alone(key, signal, () => next.write(key, { head: "next", parts: [bytes("2")] }, 60_000));
      expect(await slow.append(key, { head: "slow", parts: [bytes("3")] }, 60_000)).toBe(false);
      await slow.write(key, { head: "slow", parts: [] }, 60_000);
      await slow.remove(key);
    });
    expect(await next.head(key)).toBe("next");
    expect((await next.read(key))?.parts).toHaveLength(1);
  });

  it("keeps values compressed, and neither keys nor text readable in their names", async () => {
    const store = openStore();
    const key = randomUUID();
    await store.write(key, { head: "h", parts: [bytes("the same words again and again ".repeat(1_000))] }, 60_000);
    expect(Number(await server.redis.call("MEMORY", "USAGE", `bookwheel:1:entry:{${key}}`))).toBeLessThan(2_000);
    const { shelf } = await replica(await sandboxOf());
    await shelf.forKey("my-secret-key").searching.searchHighlights({ query: "the", limit: 1 }, signal);
    const names = (await server.redis.keys("*")).join("\n");
    expect(names).not.toContain("my-secret-key");
    expect(names).not.toContain(hashOfKey("my-secret-key"));
  });

  async function sandboxOf(): Promise<ReadwiseSandbox> {
    const library = new Map<string, ReturnType<typeof generateLibrary>>();
    const sandbox = await startReadwiseSandbox({
      limits: false,
      exportPageSize: 10,
      library(token) {
        const mine =
          library.get(token) ?? generateLibrary({ seed: token, sources: 60, highlights: 400, documents: 20 });
        library.set(token, mine);
        return mine;
      },
    });
    closing.push(() => sandbox.close());
    return sandbox;
  }
  async function replica(sandbox: ReadwiseSandbox): Promise<{ shelf: ReadwiseShelf; link: RedisLink }> {
    const link = connect();
    const shelf = createReadwiseShelf({
      api: httpReadwise({ baseUrl: sandbox.url, timeoutMs: 5_000 }),
      cache: { enabled: true, maxBytes: 64 * 1024 * 1024, ttlMs: 300_000 },
      store: ({ limit }) => redisCacheStore({ link, limit, clock: Date.now }),
    });
    closing.push(() => shelf.close());
    return { shelf, link };
  }
  const search = (shelf: ReadwiseShelf, key: string, query: string) =>
    shelf.forKey(key).searching.searchHighlights({ query, limit: 5 }, signal);

  it("fetches an export once for all replicas, and a page of sources too", async () => {
    const sandbox = await sandboxOf();
    const key = randomUUID();
    const shelves = [await replica(sandbox), await replica(sandbox), await replica(sandbox)].map(({ shelf }) => shelf);
    const answers = await Promise.all([...shelves, ...shelves].map((shelf) => search(shelf, key, "the")));
    for (const answer of answers) expect(answer).toEqual({ ...answers[0], as_of: expect.any(String) });
    expect(answers[0]).toMatchObject({ complete: true, truncated: true });
    expect(sandbox.requests.count(EXPORT)).toBe(6);
    await Promise.all(
      shelves.map((shelf) => shelf.forKey(key).highlights.listSources({ page: 1, page_size: 20 }, undefined, signal)),
    );
    expect(sandbox.requests.count("GET /api/v2/books/")).toBe(1);
  });

  it("shows on one replica what was written through another", async () => {
    const sandbox = await sandboxOf();
    const key = randomUUID();
    const [{ shelf: a }, { shelf: b }] = [await replica(sandbox), await replica(sandbox)];
    expect(await search(a, key, "zyzzyva")).toMatchObject({ count: 0 });
    expect(await search(b, key, "zyzzyva")).toMatchObject({ count: 0 });
    const highlight = { text: "A zyzzyva is a weevil.", source_title: "Weevils" };
    const { id } = await a.forKey(key).writing.createHighlight(highlight, signal);
    expect(await search(b, key, "zyzzyva")).toMatchObject({ count: 1, results: [{ highlight: { id } }] });
    expect(sandbox.requests.count(EXPORT)).toBe(8);
    await b.forKey(key).writing.deleteHighlight(String(id), signal);
    expect(await search(a, key, "zyzzyva")).toMatchObject({ count: 0 });
  });

  it("goes on from the pages of a replica that was stopped by a limit", async () => {
    const sandbox = await sandboxOf();
    const key = randomUUID();
    const [{ shelf: a }, { shelf: b }] = [await replica(sandbox), await replica(sandbox)];
    sandbox.faults.set({ kind: "throttle", endpoint: EXPORT, nth: 4, times: 1, retry_after_s: 1 });
    expect(await search(a, key, "the")).toMatchObject({ complete: false });
    expect(await search(b, key, "the")).toMatchObject({ complete: true });
    expect(sandbox.requests.count(EXPORT)).toBe(7);
  });

  it("works by itself while Redis is away, says so, and makes up for it afterwards", async () => {
    const sandbox = await sandboxOf();
    const key = randomUUID();
    const { shelf: a, link } = await replica(sandbox);
    expect(await search(a, key, "zyzzyva")).toMatchObject({ count: 0, complete: true });
    expect(link.problem()).toBeUndefined();

    await server.kill();
    expect(await search(a, key, "zyzzyva")).toMatchObject({ count: 0, complete: true });
    expect(link.problem()).toMatch(/^degraded: Redis cannot be used/);
    const highlight = { text: "A zyzzyva is a weevil.", source_title: "Weevils" };
    const { id } = await a.forKey(key).writing.createHighlight(highlight, signal);
    expect(await search(a, key, "zyzzyva")).toMatchObject({ count: 1 });
    const before = sandbox.requests.count(EXPORT);
    await search(a, key, "the");
    expect(sandbox.requests.count(EXPORT)).toBe(before);

    await server.start();
    await expect.poll(() => link.problem(), { timeout: 10_000 }).toBeUndefined();
    // Redis still has the export of before; what was written meanwhile must show in it, here and elsewhere.
    const { shelf: b } = await replica(sandbox);
    for (const shelf of [b, a])
      expect(await search(shelf, key, "zyzzyva")).toMatchObject({ results: [{ highlight: { id } }] });
    expect(sandbox.requests.count(EXPORT) - before).toBe(1);
  }, 30_000);

  it("does not wait for a Redis that no longer answers", async () => {
    const sandbox = await sandboxOf();
    const { shelf, link } = await replica(sandbox);
    await search(shelf, "x", "the");
    server.freeze();
    try {
      expect(await search(shelf, randomUUID(), "the")).toMatchObject({ complete: true });
      expect(link.problem()).toMatch(/degraded/);
    } finally {
      server.thaw();
    }
    await expect.poll(() => link.problem(), { timeout: 10_000 }).toBeUndefined();
  });

  it("starts without Redis, too", async () => {
    const link = openRedis({ url: "redis://127.0.0.1:1", log: silentLog, patienceMs: 500, probeEveryMs: 50 });
    links.push(link);
    const store = openStore(link);
    const key = randomUUID();
    await store.write(key, { head: "h", parts: [] }, 60_000);
    expect(await store.head(key)).toBe("h");
    expect(await store.alone(key, signal, async () => "ran")).toBe("ran");
  });

  it("keeps two keys apart on every replica", async () => {
    const sandbox = await sandboxOf();
    const replicas = [await replica(sandbox), await replica(sandbox)];
    const texts = async (key: string) => {
      const answers = await Promise.all(replicas.map(({ shelf }) => search(shelf, key, "the")));
      return answers.flatMap(({ results }) => results.map(({ highlight }) => highlight.text));
    };
    const [one, other] = await Promise.all([texts("key-one"), texts("key-other")]);
    expect(one.filter((text) => other.includes(text))).toEqual([]);
  });
});

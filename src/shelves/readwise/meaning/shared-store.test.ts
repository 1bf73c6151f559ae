import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { meaningStoreContract } from "../../../../tests/support/meaning-store.contract.js";
import { memoryMeaningStore } from "../../../../tests/support/memory-meaning-store.js";
import { type RedisServer, redisIsInstalled, startRedis } from "../../../../tests/support/redis-server.js";
import { silentLog } from "../../../../tests/support/silent-log.js";
import { openRedis, type RedisLink } from "../../../redis/redis-link.js";
import type { Space } from "./meaning-store.js";
import { sharedMeaningStore } from "./shared-store.js";

const ann: Space = { keyHash: "a".repeat(64), kind: "highlights", model: "m 1" };
const hash = (digit: string) => digit.repeat(32);
const rowsOf = (...digits: string[]) =>
  new Map(digits.map((digit) => [hash(digit), Uint8Array.of(Number(digit), 0, 255)]));

describe.skipIf(!redisIsInstalled)("vectors shared by replicas through a real Redis", () => {
  let server: RedisServer;
  const links: RedisLink[] = [];
  const replica = () => {
    const link = openRedis({ url: server.url, log: silentLog, patienceMs: 1_000, probeEveryMs: 50 });
    links.push(link);
    const own = memoryMeaningStore();
    return { own, link, store: sharedMeaningStore(own, link) };
  };
  beforeAll(async () => {
    server = await startRedis();
  });
  beforeEach(async () => {
    await replica().store.forget();
  });
  afterAll(async () => {
    await Promise.all(links.map((link) => link.close()));
    await server.close();
  });

  meaningStoreContract("shared", () => {
    const { store } = replica();
    return store;
  });

  it("made on one machine are kept on the other when it asks for them, byte by byte", async () => {
    const [a, b] = [replica(), replica()];
    await a.store.write(ann, rowsOf("1", "2"));
    expect(b.own.rows).toBe(0);
    const rows = await b.store.read(ann, [hash("1"), hash("2"), hash("3")]);
    expect([...rows].map(([name, row]) => [name, [...row]])).toEqual(
      [...rowsOf("1", "2")].map(([name, row]) => [name, [...row]]),
    );
    expect(b.own.rows).toBe(2);
  });

  it("are made by one machine at a time, until it has finished", async () => {
    const [a, b] = [replica(), replica()];
    const ann: Space = { keyHash: "c".repeat(64), kind: "documents", model: "m 1" };
    expect([await a.store.claim(ann), await b.store.claim(ann), await a.store.claim(ann)]).toEqual([true, false, true]);
    await b.store.release(ann);
    expect(await b.store.claim(ann)).toBe(false);
    await a.store.release(ann);
    expect(await b.store.claim(ann)).toBe(true);
    await b.store.close();
    expect(await a.store.claim(ann)).toBe(true);
  });

  it("never go from one key to another", async () => {
    const [a, b] = [replica(), replica()];
    await a.store.write(ann, rowsOf("1"));
    expect((await b.store.read({ ...ann, keyHash: "b".repeat(64) }, [hash("1")])).size).toBe(0);
  });

  it("are gone from Redis too when they are forgotten", async () => {
    const [a, b] = [replica(), replica()];
    await a.store.write(ann, rowsOf("1"));
    await a.store.forget(ann.keyHash);
    expect((await b.store.read(ann, [hash("1")])).size).toBe(0);
  });

  it("are each machine's own while Redis is away, and it says what was not forgotten", async () => {
    const { store, link } = replica();
    await store.claim(ann);
    await link.close();
    expect(await store.claim(ann)).toBe(true);
    expect(await store.write(ann, rowsOf("1"))).toBe(true);
    expect((await store.read(ann, [hash("1"), hash("2")])).size).toBe(1);
    await expect(store.forget()).rejects.toThrow("expires within a day");
    expect((await store.read(ann, [hash("1")])).size).toBe(0);
  });
});

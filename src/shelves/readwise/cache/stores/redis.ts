import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import type { Redis } from "ioredis";
import { REDIS_PREFIX } from "../../../../redis/redis-keys.js";
import type { RedisLink } from "../../../../redis/redis-link.js";
import type { CacheStore } from "../cache-store.js";
import type { MemoryLimit } from "../memory-limit.js";
import { memoryCacheStore } from "./memory.js";

/** Longer than any entry is kept, so that no entry outlives the journal it is compared with. */
const JOURNAL_MS = 48 * 3600_000;
const MAX_NOTES = 1_000;
/** The others wait this long for a process that died. */
const LOCK_MS = 8_000;
const FIRST_LOOK_MS = 20;
const LAST_LOOK_MS = 250;

const compressed = promisify(brotliCompress);
const decompressed = promisify(brotliDecompress);
const pack = (part: Uint8Array) => compressed(part, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

/** An entry is one list: its head, then its parts. KEYS: entry, lock. ARGV: fence or nothing, lifetime, head, parts. */
const FENCED = "if ARGV[1] ~= '' and redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end ";
const PUSH =
  "for i = 4, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1";
const WRITE = `${FENCED} redis.call('UNLINK', KEYS[1]) redis.call('RPUSH', KEYS[1], ARGV[3]) ${PUSH}`;
const APPEND = `${FENCED} if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end redis.call('LSET', KEYS[1], 0, ARGV[3]) ${PUSH}`;
const REMOVE = `${FENCED} return redis.call('UNLINK', KEYS[1])`;

/** A journal is one list: its id, then its notes. ARGV: an id for a new one, lifetime, then a note and the most there may be. */
const OPEN_JOURNAL =
  "if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('RPUSH', KEYS[1], ARGV[1]) end redis.call('PEXPIRE', KEYS[1], ARGV[2]) ";
const JOURNAL = `${OPEN_JOURNAL} return redis.call('LRANGE', KEYS[1], 0, -1)`;
const NOTE = `if redis.call('LLEN', KEYS[1]) > tonumber(ARGV[4]) then redis.call('DEL', KEYS[1]) end ${OPEN_JOURNAL} return redis.call('RPUSH', KEYS[1], ARGV[3])`;

const RENEW = "return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('PEXPIRE', KEYS[1], ARGV[2])";
const RELEASE = "return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1])";

// Related keys have the same part in braces: a Redis cluster keeps them on one node.
const entryKey = (key: string) => `${REDIS_PREFIX}entry:{${key}}`;
const lockKey = (name: string) => `${REDIS_PREFIX}lock:{${name}}`;
const journalKey = (name: string) => `${REDIS_PREFIX}journal:{${name}}`;

/** The right to write an entry: a lock in Redis with its fence, or this process alone. */
type Holder = { fence: string } | "memory";

/**
 * Cached bytes shared by all replicas. While Redis is unreachable, each process continues in memory; writes sent
 * upstream in that time are noted in Redis before anything is read from it again.
 */
export function redisCacheStore({
  link,
  limit,
  clock,
}: {
  link: RedisLink;
  limit: MemoryLimit;
  clock: () => number;
}): CacheStore {
  const memory = memoryCacheStore({ limit, clock });
  const holders = new Map<string, Holder>();
  let owed: { name: string; text: string }[] = [];

  // The memory belongs to one outage of Redis: the next outage must start empty.
  link.onAway(() => void memory.close());
  link.onBack(async (redis) => {
    while (owed[0]) {
      await noteIn(redis, owed[0].name, owed[0].text);
      owed.shift();
    }
    await memory.close();
  });

  const noteIn = (redis: Redis, name: string, text: string) =>
    redis.eval(NOTE, 1, journalKey(name), randomUUID(), JOURNAL_MS, text, MAX_NOTES);

  /** Runs a script that changes an entry, if we hold the right to. */
  async function change(script: string, key: string, args: (string | number | Buffer)[]): Promise<boolean | "away"> {
    const holder = holders.get(key);
    // Work begun in memory ends in memory, even if Redis is back: another process may hold the lock there.
    if (holder === "memory") return link.up ? false : "away";
    const done = await link.ask(
      (redis) => redis.eval(script, 2, entryKey(key), lockKey(key), holder?.fence ?? "", ...args),
      () => "away" as const,
    );
    if (done !== "away") return done === 1;
    // With a lock, the entry was begun in Redis: memory has no entry to add to.
    return holder === undefined ? "away" : false;
  }

  /** A fence if we got the lock, undefined if Redis is unreachable. */
  async function lock(name: string, signal: AbortSignal): Promise<string | undefined> {
    const fence = randomUUID();
    for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 1.5, LAST_LOOK_MS)) {
      signal.throwIfAborted();
      const got = await link.ask(
        (redis) => redis.set(lockKey(name), fence, "PX", LOCK_MS, "NX"),
        () => "away" as const,
      );
      if (got === "away") return undefined;
      if (got === "OK") return fence;
      await delay(wait * (0.75 + Math.random() / 2), undefined, { signal });
    }
  }

  return {
    local: false,
    head: (key) =>
      link.ask(
        async (redis) => (await redis.lindex(entryKey(key), 0)) ?? undefined,
        () => memory.head(key),
      ),
    async read(key, from = 0) {
      const list = await link.ask(
        async (redis) => {
          const answers = await redis
            .multi()
            .lrangeBuffer(entryKey(key), 0, 0)
            .lrangeBuffer(entryKey(key), from + 1, -1)
            .exec();
          return (answers ?? []).flatMap(([error, items]) => {
            if (error) throw error;
            return items as Buffer[]; // lrangeBuffer gives nothing else
          });
        },
        () => undefined,
      );
      if (list === undefined) return memory.read(key, from);
      const [head, ...parts] = list;
      return head && { head: head.toString(), parts: await Promise.all(parts.map((part) => decompressed(part))) };
    },
    async write(key, { head, parts }, ttlMs) {
      const done = await change(WRITE, key, [Math.ceil(ttlMs), head, ...(await Promise.all(parts.map(pack)))]);
      if (done === "away") await memory.write(key, { head, parts }, ttlMs);
    },
    async append(key, { head, parts }, ttlMs) {
      const done = await change(APPEND, key, [Math.ceil(ttlMs), head, ...(await Promise.all(parts.map(pack)))]);
      return done === "away" ? memory.append(key, { head, parts }, ttlMs) : done;
    },
    async remove(key) {
      if ((await change(REMOVE, key, [])) === "away") await memory.remove(key);
    },
    async journal(name) {
      const list = await link.ask(
        (redis) => redis.eval(JOURNAL, 1, journalKey(name), randomUUID(), JOURNAL_MS) as Promise<string[]>, // LRANGE
        () => undefined,
      );
      if (list === undefined) return memory.journal(name);
      const [id = "", ...notes] = list;
      return { id, notes };
    },
    note: (name, text) =>
      link.ask(
        async (redis) => void (await noteIn(redis, name, text)),
        () => {
          owed.push({ name, text });
          return memory.note(name, text);
        },
      ),
    // First the lock of this process, then the lock of all processes.
    alone: (name, signal, run) =>
      memory.alone(name, signal, async () => {
        const fence = await lock(name, signal);
        holders.set(name, fence === undefined ? "memory" : { fence });
        const ask = (script: string) =>
          link.ask(
            (redis) => redis.eval(script, 1, lockKey(name), fence ?? "", LOCK_MS),
            () => undefined,
          );
        const renewing = fence && setInterval(() => void ask(RENEW), LOCK_MS / 4);
        try {
          return await run();
        } finally {
          clearInterval(renewing || undefined);
          holders.delete(name);
          if (fence !== undefined) await ask(RELEASE);
        }
      }),
    async close() {
      owed = [];
      await memory.close();
    },
  };
}

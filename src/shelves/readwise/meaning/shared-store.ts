import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { ShelfError } from "../../../kernel/errors.js";
import { REDIS_PREFIX } from "../../../redis/redis-keys.js";
import type { RedisLink } from "../../../redis/redis-link.js";
import type { MeaningStore, Space } from "./meaning-store.js";

/** How long what was made last is there for others to take. */
const LIFETIME_MS = 24 * 3600_000;
/** Longer than a process needs for a few texts, short enough to go on soon after one was killed. */
const CLAIM_MS = 30_000;
const CLAIM =
  "local owner = redis.call('GET', KEYS[1]) if owner and owner ~= ARGV[1] then return 0 end redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1";
const RELEASE = "return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1])";

const ROWS = `${REDIS_PREFIX}meaning:`;
const rowsKey = ({ keyHash, kind, model }: Space) => `${ROWS}{${keyHash}}:${kind}:${model}`;
const claimKey = (space: Space) => `${REDIS_PREFIX}meaning-claim:{${space.keyHash}}:${space.kind}:${space.model}`;
const FIELDS_AT_ONCE = 1_000;
const fieldOf = (hash: string) => Buffer.from(hash, "hex");

/**
 * Lets replicas on several machines share the work: a row that one has made passes through Redis to the stores of the
 * others, which keep it and search it themselves. While Redis is away each makes its own.
 */
export function sharedMeaningStore(own: MeaningStore, link: RedisLink): MeaningStore {
  const me = randomUUID();
  const claimed = new Map<string, Space>();

  async function release(space: Space): Promise<void> {
    claimed.delete(claimKey(space));
    await own.release(space);
    await link.ask(
      async (redis) => void (await redis.eval(RELEASE, 1, claimKey(space), me)),
      () => {},
    );
  }

  const madeElsewhere = (space: Space, hashes: readonly string[]) =>
    link.ask(
      async (redis) => {
        const rows = await redis.hmgetBuffer(rowsKey(space), ...hashes.map(fieldOf));
        return new Map(hashes.flatMap((hash, i) => (rows[i] ? [[hash, rows[i] as Uint8Array] as const] : [])));
      },
      () => new Map<string, Uint8Array>(),
    );

  return {
    async read(space, hashes) {
      const rows = await own.read(space, hashes);
      const missing = hashes.filter((hash) => !rows.has(hash));
      if (missing.length === 0) return rows;
      const taken = await madeElsewhere(space, missing);
      // What does not fit here cannot be searched here either.
      if (taken.size === 0 || !(await own.write(space, taken))) return rows;
      return new Map([...rows, ...taken]);
    },
    async write(space, rows) {
      const fits = await own.write(space, rows);
      if (fits && rows.size > 0)
        await link.ask(
          async (redis) => {
            const key = rowsKey(space);
            const fields = [...rows].flatMap(([hash, row]) => [fieldOf(hash), Buffer.from(row)]);
            await redis
              .multi()
              .hset(key, ...fields)
              .pexpire(key, LIFETIME_MS)
              .exec();
          },
          () => {},
        );
      return fits;
    },
    async claim(space) {
      claimed.set(claimKey(space), space);
      const granted = await link.ask(
        async (redis) => (await redis.eval(CLAIM, 1, claimKey(space), me, CLAIM_MS)) === 1,
        () => true,
      );
      return granted && (await own.claim(space));
    },
    release,
    async keepOnly(space, hashes) {
      await own.keepOnly(space, hashes);
      await link.ask(
        async (redis) => {
          const fields = await redis.hkeysBuffer(rowsKey(space));
          const gone = fields.filter((field) => !hashes.has(field.toString("hex")));
          for (let i = 0; i < gone.length; i += FIELDS_AT_ONCE)
            await redis.hdel(rowsKey(space), ...gone.slice(i, i + FIELDS_AT_ONCE));
        },
        () => {},
      );
    },
    async forget(keyHash) {
      const dropped = await own.forget(keyHash);
      await link.ask(
        (redis) => forgetIn(redis, keyHash),
        () => {
          throw new ShelfError(
            "upstream_error",
            "Forgotten here, but Redis cannot be reached: what it holds expires within a day. Run it again to delete it now.",
          );
        },
      );
      return dropped;
    },
    async close() {
      for (const space of [...claimed.values()]) await release(space);
      await own.close();
    },
  };
}

async function forgetIn(redis: Redis, keyHash: string | undefined): Promise<void> {
  const match = keyHash === undefined ? `${ROWS}*` : `${ROWS}{${keyHash}}:*`;
  for (let cursor = "0", first = true; first || cursor !== "0"; first = false) {
    const [next, keys] = await redis.scan(cursor, "MATCH", match, "COUNT", 1000);
    if (keys.length > 0) await redis.unlink(...keys);
    cursor = next;
  }
}

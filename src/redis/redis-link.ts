import { Redis } from "ioredis";
import type { Log } from "../kernel/log.js";
import { REDIS_PREFIX } from "./redis-keys.js";

export type RedisLink = ReturnType<typeof openRedis>;

interface RedisLinkOptions {
  url: string;
  log: Log;
  /** How long Redis may take to answer before it counts as away. */
  patienceMs?: number;
  /** How often an unreachable Redis is tried again. */
  probeEveryMs?: number;
}

/** One connection to Redis, for everything replicas share. Its users must be able to do without. */
export function openRedis({ url, log, patienceMs = 3_000, probeEveryMs = 500 }: RedisLinkOptions) {
  const redis = new Redis(url, {
    connectTimeout: patienceMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  const awayListeners: (() => void)[] = [];
  const backListeners: ((redis: Redis) => Promise<void>)[] = [];
  let state: "opening" | "up" | "away" | "closed" = "opening";
  let reason = "";
  let probe: NodeJS.Timeout | undefined;

  const tellBack = async () => {
    for (const listener of backListeners) await listener(redis);
  };

  function goAway(error: Error): void {
    if (state === "away" || state === "closed") return;
    state = "away";
    reason = error.message;
    log.warn("Redis cannot be used: every process keeps its own cache and limits until it is back", { error: reason });
    for (const listener of awayListeners) listener();
    lookLater();
  }
  function lookLater(): void {
    probe = setTimeout(() => void comeBack(), probeEveryMs);
    probe.unref();
  }
  async function comeBack(): Promise<void> {
    try {
      // A write, because a Redis that is full, loading or a read-only replica answers PING all the same.
      await inTime(redis.set(`${REDIS_PREFIX}probe`, "1", "PX", 1_000), patienceMs);
      await tellBack();
    } catch (error) {
      reason = (error as Error).message;
      if (state === "away") lookLater();
      return;
    }
    if (state !== "away") return;
    state = "up";
    log.info("Redis is back");
    tellBack().catch(goAway);
  }

  redis.on("error", (error: Error) => goAway(error));
  redis.on("close", () => goAway(new Error("the connection was closed")));
  const opened = new Promise<void>((resolve) => {
    redis.once("ready", () => {
      if (state === "opening") state = "up";
      resolve();
    });
    awayListeners.push(resolve);
  });

  return {
    get up() {
      return state === "up";
    },
    /** The answer of Redis, or the result of `otherwise` if Redis is unreachable. */
    async ask<T>(question: (redis: Redis) => Promise<T>, otherwise: () => T | Promise<T>): Promise<T> {
      if (state === "opening") await opened;
      if (state !== "up") return otherwise();
      try {
        return await inTime(question(redis), patienceMs);
      } catch (error) {
        // Whatever Redis cannot do, the process can do for itself.
        goAway(error as Error);
        return otherwise();
      }
    },
    onAway: (listener: () => void) => void awayListeners.push(listener),
    /** Runs before Redis is used again, and once more right after. */
    onBack: (listener: (redis: Redis) => Promise<void>) => void backListeners.push(listener),
    /** For /ready: undefined where all is well. */
    problem(): string | undefined {
      if (state !== "away") return undefined;
      return `degraded: Redis cannot be used (${reason}); this process keeps its own cache and limits`;
    },
    async close() {
      state = "closed";
      clearTimeout(probe);
      redis.disconnect();
    },
  };
}

const LOOKS = 6;

/**
 * Fails where an answer does not come in time. Time is counted in several short waits: a process that was itself too
 * busy to read the answer gets to read it in between, and does not take its own lateness for Redis's.
 */
function inTime<T>(answer: Promise<T>, patienceMs: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let looks = 0;
    const look = () => {
      if (++looks > LOOKS) reject(new Error(`no answer within ${patienceMs} ms`));
      else timer = setTimeout(look, patienceMs / LOOKS);
    };
    let timer = setTimeout(look, 0);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

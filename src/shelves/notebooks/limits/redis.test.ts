import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rateLimiterContract } from "../../../../tests/support/rate-limiter.contract.js";
import { type RedisServer, redisIsInstalled, startRedis } from "../../../../tests/support/redis-server.js";
import { silentLog } from "../../../../tests/support/silent-log.js";
import { openRedis, type RedisLink } from "../../../redis/redis-link.js";
import { memoryRateLimiter } from "./rate-limiter.js";
import { redisRateLimiter } from "./redis.js";

rateLimiterContract("memory", () => memoryRateLimiter());

describe.skipIf(!redisIsInstalled)("with a real Redis", () => {
  let server: RedisServer;
  const links: RedisLink[] = [];
  const open = () => {
    const link = openRedis({ url: server.url, log: silentLog, patienceMs: 1_000, probeEveryMs: 50 });
    links.push(link);
    return redisRateLimiter({ link });
  };
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => {
    for (const link of links) await link.close();
    await server?.close();
  });

  rateLimiterContract("Redis", open);

  it("counts the calls of all replicas together, and each by itself while Redis is away", async () => {
    const replicas = [open(), open(), open()];
    const claims = [{ bucket: randomUUID(), limit: 10 }];
    const calls = () => Promise.all([...Array(8)].flatMap(() => replicas.map((one) => one.take(claims, 60_000))));
    expect((await calls()).filter(({ allowed }) => allowed)).toHaveLength(10);
    await server.kill();
    expect((await calls()).filter(({ allowed }) => allowed)).toHaveLength(24);
  });
});

import { randomUUID } from "node:crypto";
import { REDIS_PREFIX } from "../../../redis/redis-keys.js";
import type { RedisLink } from "../../../redis/redis-link.js";
import { memoryRateLimiter, type RateLimiter } from "./rate-limiter.js";

/**
 * One sorted set per bucket, by Redis's own clock. KEYS: the buckets. ARGV: window, a name for this call, a limit per bucket.
 * Answers nothing where there was room in all of them, else the limit that was reached and how long it stays so.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = tonumber(ARGV[1])
local wait, limit = -1, 0
for i, key in ipairs(KEYS) do
  local most = tonumber(ARGV[i + 2])
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  local taken = redis.call('ZCARD', key)
  if taken >= most then
    local first = redis.call('ZRANGE', key, taken - most, taken - most, 'WITHSCORES')
    local left = tonumber(first[2]) + window - now
    if left > wait then wait, limit = left, most end
  end
end
if wait >= 0 then return {limit, wait} end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now, ARGV[2])
  redis.call('PEXPIRE', key, window)
end
return {}`;

/** Limits all replicas count together; each for itself while Redis is away. */
export function redisRateLimiter({ link, now = Date.now }: { link: RedisLink; now?: () => number }): RateLimiter {
  const memory = memoryRateLimiter(now);
  return {
    async take(claims, windowMs) {
      const keys = claims.map(({ bucket }) => `${REDIS_PREFIX}limit:{notebooks}:${bucket}`);
      const limits = claims.map((claim) => claim.limit);
      const refusal = await link.ask(
        (redis) => redis.eval(TAKE, keys.length, ...keys, windowMs, randomUUID(), ...limits) as Promise<number[]>, // the script's own answer
        () => undefined,
      );
      if (refusal === undefined) return memory.take(claims, windowMs);
      const [limit, retryAfterMs] = refusal;
      return limit === undefined || retryAfterMs === undefined
        ? { allowed: true }
        : { allowed: false, limit, retryAfterMs };
    },
  };
}

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { RateLimiter } from "../../src/shelves/notebooks/limits/rate-limiter.js";

/** What every rate limiter does. Buckets are new each time, so that one Redis may serve all of it. */
export function rateLimiterContract(name: string, open: () => RateLimiter) {
  describe(`${name} rate limiter`, () => {
    it("lets as many through as there is room for, however many come at once", async () => {
      const limiter = open();
      const claims = [{ bucket: randomUUID(), limit: 5 }];
      const verdicts = await Promise.all(Array.from({ length: 12 }, () => limiter.take(claims, 60_000)));
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(5);
      const refusal = verdicts.find(({ allowed }) => !allowed);
      expect(refusal).toMatchObject({ allowed: false, limit: 5 });
      expect((refusal as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(0);
      expect((refusal as { retryAfterMs: number }).retryAfterMs).toBeLessThanOrEqual(60_000);
    });

    it("takes no place anywhere where one bucket is full", async () => {
      const limiter = open();
      const [wide, narrow] = [
        { bucket: randomUUID(), limit: 3 },
        { bucket: randomUUID(), limit: 1 },
      ];
      expect(await limiter.take([wide, narrow], 60_000)).toEqual({ allowed: true });
      for (let i = 0; i < 4; i++)
        expect(await limiter.take([wide, narrow], 60_000)).toMatchObject({ allowed: false, limit: 1 });
      expect(await limiter.take([wide], 60_000)).toEqual({ allowed: true });
      expect(await limiter.take([wide], 60_000)).toEqual({ allowed: true });
      expect(await limiter.take([wide], 60_000)).toMatchObject({ allowed: false, limit: 3 });
    });

    it("has room again when the window has passed", async () => {
      const limiter = open();
      const claims = [{ bucket: randomUUID(), limit: 1 }];
      await limiter.take(claims, 80);
      await expect.poll(() => limiter.take(claims, 80)).toEqual({ allowed: true });
    });
  });
}

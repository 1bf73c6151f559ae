import { steadyNow } from "../../../kernel/time.js";
/** Counts calls in sliding windows. One adapter counts in this process; one that replicas share needs only this. */
export interface RateLimiter {
  /** Takes a place in every bucket, or in none of them where one is full. */
  take(claims: readonly Claim[], windowMs: number): Promise<Verdict>;
}
export interface Claim {
  bucket: string;
  limit: number;
}
export type Verdict = { allowed: true } | { allowed: false; limit: number; retryAfterMs: number };

export function memoryRateLimiter(now: () => number = steadyNow): RateLimiter {
  const taken = new Map<string, number[]>();
  return {
    async take(claims, windowMs) {
      const at = now();
      let refusal: Extract<Verdict, { allowed: false }> | undefined;
      for (const { bucket, limit } of claims) {
        const recent = (taken.get(bucket) ?? []).filter((time) => at - time < windowMs);
        taken.set(bucket, recent);
        if (recent.length < limit) continue;
        const retryAfterMs = recent[recent.length - limit]! + windowMs - at;
        if (!refusal || retryAfterMs > refusal.retryAfterMs) refusal = { allowed: false, limit, retryAfterMs };
      }
      if (refusal) return refusal;
      for (const { bucket } of claims) taken.get(bucket)?.push(at);
      return { allowed: true };
    },
  };
}

export interface ThrottleOptions {
  windowMs?: number;
  /** Requests per window for some endpoints instead of their own; `false` for no limit anywhere. */
  limits?: Record<string, number> | false;
}

/** A sliding window per token and endpoint. A refused request does not count. */
export function createThrottle({ windowMs = 60_000, limits = {} }: ThrottleOptions) {
  const admitted = new Map<string, number[]>();

  return {
    /** Null when the request may pass, else the whole seconds until one may. */
    check(token: string, endpoint: string, ownLimit: number, now: number): number | null {
      if (limits === false) return null;
      const key = `${token}\n${endpoint}`;
      const recent = (admitted.get(key) ?? []).filter((at) => at > now - windowMs);
      admitted.set(key, recent);
      const limit = limits[endpoint] ?? ownLimit;
      if (recent.length >= limit) {
        const freesAt = (recent[recent.length - limit] ?? now) + windowMs;
        return Math.max(1, Math.ceil((freesAt - now) / 1000));
      }
      recent.push(now);
      return null;
    },
    clear: () => admitted.clear(),
  };
}

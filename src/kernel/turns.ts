import { setImmediate } from "node:timers/promises";

/** Long work in slices: each call lets others run once the work since the last time took `ms`. */
export function createTurns(ms = 8): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < ms) return;
    await setImmediate();
    since = performance.now();
  };
}

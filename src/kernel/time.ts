import { setImmediate } from "node:timers/promises";

/** Milliseconds since 1970 that only go forward: setting the machine's clock while we run does not move them. */
export const steadyNow = () => performance.timeOrigin + performance.now();

/** Long work in slices: each call lets others run once the work since the last time took `ms`. */
export function createTurns(ms = 8): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < ms) return;
    await setImmediate();
    since = performance.now();
  };
}

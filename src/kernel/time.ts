import { setImmediate } from "node:timers/promises";

/** Milliseconds since 1970 that only go forward: setting the machine's clock while we run does not move them. */
export const steadyNow = () => performance.timeOrigin + performance.now();

/** Long work in slices: each call lets others run once the work since the last time took 8 ms. */
export function createTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < 8) return;
    await setImmediate();
    since = performance.now();
  };
}

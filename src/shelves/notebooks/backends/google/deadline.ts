import { setTimeout as delay } from "node:timers/promises";
import { ShelfError } from "../../../../kernel/errors.js";

/** A step's time limit within the call's limit: the first to expire wins, and the error says which. */
export function within(signal: AbortSignal, ms: number, message: string): AbortSignal {
  const own = new AbortController();
  const timer = setTimeout(() => own.abort(new ShelfError("TIMEOUT", message)), ms);
  timer.unref();
  return AbortSignal.any([signal, own.signal]);
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

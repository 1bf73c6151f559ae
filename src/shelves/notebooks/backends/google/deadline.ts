import { ShelfError } from "../../../../kernel/errors.js";
import { orAborted } from "../../../../kernel/or-aborted.js";

/** A step's time limit within the call's limit: the first to expire wins, and the error says which. */
export function within(signal: AbortSignal, ms: number, message: string): AbortSignal {
  const own = new AbortController();
  const timer = setTimeout(() => own.abort(new ShelfError("TIMEOUT", message)), ms);
  timer.unref();
  return AbortSignal.any([signal, own.signal]);
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  let timer: NodeJS.Timeout | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await orAborted(slept, signal).finally(() => clearTimeout(timer));
}

import { ShelfError } from "../../../../kernel/errors.js";

/** A step's own time limit inside the call's: what ends first wins, and says which it was. */
export function within(signal: AbortSignal, ms: number, message: string): AbortSignal {
  const own = new AbortController();
  const timer = setTimeout(() => own.abort(new ShelfError("TIMEOUT", message)), ms);
  timer.unref();
  return AbortSignal.any([signal, own.signal]);
}

/** Settles with the work, or at once with the signal's reason; the work itself is ended by whoever started it. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop) signal.removeEventListener("abort", stop);
  }
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  let timer: NodeJS.Timeout | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await orAborted(slept, signal).finally(() => clearTimeout(timer));
}

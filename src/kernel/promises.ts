/** Settles with the work, or at once with the signal's reason. The work itself is not stopped; its later result is dropped. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

type SerialQueue = <T>(key: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Work under one key runs one at a time, in the order of the calls; a failure does not stop what comes after it. A
 * caller whose signal aborts leaves at once, and work that has not begun by then never begins.
 */
export function createSerialQueue(): SerialQueue {
  const last = new Map<string, Promise<void>>();
  return (key, work, signal) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(() => {
      signal?.throwIfAborted();
      return work();
    });
    const ended = turn.then(
      () => {},
      () => {},
    );
    last.set(key, ended);
    void ended.then(() => last.get(key) === ended && last.delete(key));
    return signal ? orAborted(turn, signal) : turn;
  };
}

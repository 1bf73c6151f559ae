import { orAborted } from "./or-aborted.js";

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

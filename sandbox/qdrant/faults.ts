export type Fault =
  /** Refused by strict mode's limiter, with the seconds to wait. */
  | { kind: "throttle"; retryAfter: number }
  | { kind: "status"; status: number; message: string }
  /** Answers after `ms`; nothing is done before. */
  | { kind: "slow"; ms: number }
  /** Never answers. */
  | { kind: "silent" }
  /** Done, and the connection reset before a byte of the answer. */
  | { kind: "lost" }
  /** Not done, and the connection reset. */
  | { kind: "reset" }
  | { kind: "garbage" };

/** What goes wrong, and how often. A target is the end of a path, such as `/points/query`, or "" for everything. */
export class Faults {
  readonly #set: { target: string; method: string | undefined; fault: Fault; skip: number; left: number }[] = [];

  set(
    target: string,
    fault: Fault,
    { times = 1, skip = 0, method }: { times?: number; skip?: number; method?: string } = {},
  ): void {
    this.#set.push({ target, method, fault, skip, left: times });
  }
  take(method: string, path: string): Fault | undefined {
    const found = this.#set.find(
      (entry) => entry.left > 0 && path.endsWith(entry.target) && (!entry.method || entry.method === method),
    );
    if (!found) return undefined;
    if (found.skip > 0) {
      found.skip--;
      return undefined;
    }
    found.left--;
    return found.fault;
  }
  clear(): void {
    this.#set.length = 0;
  }
}

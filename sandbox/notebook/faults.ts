export type Fault =
  /** Refused with a google.rpc status, nothing done. */
  | { kind: "status"; status: readonly unknown[] }
  /** Done, and answered with a status all the same. */
  | { kind: "accepted"; status: readonly unknown[] }
  /** Done, and the connection dropped while the reply was on its way. */
  | { kind: "lost" }
  /** Nothing done, and the connection dropped while the reply was on its way. */
  | { kind: "dropped" }
  /** Done, and the connection reset before a byte of the reply: browsers then send the request again by themselves. */
  | { kind: "reset" }
  /** Done, and answered with rows that state no status. */
  | { kind: "no-status" }
  | { kind: "http"; code: number; headers?: Record<string, string> }
  | { kind: "drift" }
  | { kind: "html" }
  | { kind: "er"; code: number }
  | { kind: "null" }
  | { kind: "bookkeeping" }
  /** Line ends as CRLF. */
  | { kind: "crlf" }
  /** Does the work at once, answers after `ms`. */
  | { kind: "slow"; ms: number }
  | { kind: "truncated" }
  /** A stream that ends with a final frame without text. */
  | { kind: "blank" }
  | { kind: "thinking-only" };

/** Pages that Google shows instead of the app. */
export type WallName = "region" | "cookies" | "chooser" | "confirm" | "enterprise";

export type Cohort = "A" | "B" | "C";

/**
 * What goes wrong, and how often. Targets are RPC ids, "stream" for the asked question, "upload" for
 * files.
 */
export class Faults {
  /** Every app page and call redirects to the sign-in page. */
  expired = false;
  /** The app host serves a page without session data (consent, new terms). */
  interstitial = false;
  /** Every app page redirects there. */
  wall: WallName | null = null;
  /** Calls answer status 16 until the browser has loaded the page again. */
  staleCookies = false;
  /** How long the app's page takes to come. */
  homeDelayMs = 0;
  /** Calls answer 400 until the home page has been fetched again. */
  staleCsrf = false;
  /** The sign-in page signs in by itself, as a person would, after this many ms. */
  autoSignInMs: number | null = null;
  rejectCohorts = new Set<Cohort>();
  /** The newest question form with nine slots is refused. */
  rejectNineSlots = false;
  /** The home page moves there with a 302, as to the new host. */
  redirectTo: string | null = null;
  /** Statuses that sources added from now on go through: the first at once, one more at each look. */
  sourcePlan: number[] | null = null;
  /** Added sources do not show up before this many looks at the notebook. */
  hiddenLooks = 0;
  readonly #queues = new Map<string, { fault: Fault; left: number }[]>();

  set(target: string, fault: Fault, times = Number.POSITIVE_INFINITY): void {
    const queue = this.#queues.get(target) ?? [];
    queue.push({ fault, left: times });
    this.#queues.set(target, queue);
  }

  take(target: string): Fault | undefined {
    const queue = this.#queues.get(target);
    const first = queue?.[0];
    if (!queue || !first) return undefined;
    first.left--;
    if (first.left <= 0) queue.shift();
    return first.fault;
  }

  clear(): void {
    this.expired = false;
    this.interstitial = false;
    this.wall = null;
    this.staleCookies = false;
    this.homeDelayMs = 0;
    this.staleCsrf = false;
    this.autoSignInMs = null;
    this.rejectCohorts.clear();
    this.rejectNineSlots = false;
    this.redirectTo = null;
    this.sourcePlan = null;
    this.hiddenLooks = 0;
    this.#queues.clear();
  }
}

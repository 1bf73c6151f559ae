export const FAULT_KINDS = [
  "throttle",
  "throttle_date",
  "status",
  "html_page",
  "slow_headers",
  "no_answer",
  "slow_body",
  "truncated",
  "reset",
  "reset_body",
  "empty_html",
  "redirect",
  "malformed",
] as const;

export interface Fault {
  /**
   * - `throttle`: 429 with `retry_after_s` (16).
   *   `throttle_date`: the same with `Retry-After` as a date and nothing in the body.
   * - `status`: `status` (500) with a `detail`; 403 with a good key is this one.
   * - `html_page`: an error page as a CDN sends it, with `status` (502).
   * - `slow_headers`: the answer begins `delay_ms` (1000) late. `no_answer`: it never begins.
   * - `slow_body`: the headers and half the body, the rest `delay_ms` (1000) later.
   * - `truncated`: half the JSON, then a regular end.
   * - `reset`: the connection is reset before the request has any effect.
   * - `reset_body`: it is reset in the middle of the answer; a write has happened by then.
   * - `empty_html`: documents come without their text, as right after a save.
   * - `redirect`: `status` (301) to the address `to`.
   * - `malformed`: the first record of the answer has a tag without an id, or no id at all.
   */
  kind: (typeof FAULT_KINDS)[number];
  /** An endpoint's name, such as `GET /api/v2/export/`; any endpoint when absent. */
  endpoint?: string;
  /** Any token when absent. */
  token?: string;
  /** Strikes from the n-th matching request on, counted from when the fault was set; 1 when absent. */
  nth?: number;
  /** How many requests it strikes; all further ones when absent. */
  times?: number;
  status?: number;
  delay_ms?: number;
  retry_after_s?: number;
  detail?: string;
  to?: string;
}

export function createFaults() {
  let active: { fault: Fault; seen: number }[] = [];
  return {
    set(fault: Fault): void {
      active.push({ fault, seen: 0 });
    },
    clear(): void {
      active = [];
    },
    /** Those that can still strike. */
    list(): Fault[] {
      return active.map(({ fault }) => fault);
    },
    /** Every matching fault counts the request; the one set first strikes. */
    strike(endpoint: string, token: string): Fault | null {
      let struck: Fault | null = null;
      for (const entry of active) {
        const { fault } = entry;
        if ((fault.endpoint ?? endpoint) !== endpoint || (fault.token ?? token) !== token) continue;
        entry.seen++;
        if (entry.seen >= (fault.nth ?? 1)) struck ??= fault;
      }
      active = active.filter(
        ({ fault, seen }) => seen < (fault.nth ?? 1) - 1 + (fault.times ?? Number.POSITIVE_INFINITY),
      );
      return struck;
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;

/** The complaint about a fault that came as JSON, or null when it is a good one. */
export function faultProblem(value: Record<string, unknown>, endpoints: string[]): string | null {
  if (!FAULT_KINDS.some((kind) => kind === value.kind)) return `kind must be one of ${FAULT_KINDS.join(", ")}`;
  if (value.endpoint !== undefined && !endpoints.includes(String(value.endpoint)))
    return `endpoint must be one of: ${endpoints.join("; ")}`;
  for (const key of ["nth", "times", "status", "delay_ms", "retry_after_s"])
    if (value[key] !== undefined && !(typeof value[key] === "number" && value[key] >= 0))
      return `${key} must be a number`;
  for (const key of ["token", "detail", "to"])
    if (value[key] !== undefined && typeof value[key] !== "string") return `${key} must be text`;
  return null;
}

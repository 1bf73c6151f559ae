import type { Library } from "./library.js";
import type { Unknowns } from "./unknowns.js";

/** A request that has passed authentication and throttling. */
export interface Call {
  library: Library;
  query: URLSearchParams;
  /** What stood in the path where the pattern has `:name`. */
  params: Record<string, string>;
  body: unknown;
  now: number;
  /** Scheme and host as the client sees them, for links in answers. */
  origin: string;
  path: string;
  unknowns: Unknowns;
  exportPageSize: number;
  /** True when the empty-html fault strikes this request. */
  withoutHtml: boolean;
}

export interface Answer {
  status: number;
  body?: unknown;
  /** An answer that is not JSON. */
  html?: string;
  headers?: Record<string, string>;
}

export interface Endpoint {
  /** `METHOD /path/:id/`, the name that limits, faults and the request log use. */
  name: string;
  perMinute: number | ((unknowns: Unknowns) => number);
  handle(call: Call): Answer;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const noContent: Answer = { status: 204 };
export const notFound: Answer = { status: 404, body: { detail: "Not found." } };
export const badRequest = (body: unknown): Answer => ({ status: 400, body });

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const ISO = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Epoch milliseconds; null when it is not ISO 8601. Without an offset it is UTC, as on the service. */
export function parseDate(text: string): number | null {
  const match = ISO.exec(text);
  if (!match) return null;
  const zoned = match[1] && !match[4] ? `${text}Z` : text;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? null : time;
}

/** Thrown where a request turns out to be wrong; the server answers with it. */
export class Refusal extends Error {
  constructor(readonly answer: Answer) {
    super(`refused with ${answer.status}`);
  }
}

/** Django decodes a bare `+` as a space, and so does URLSearchParams: a date with one is refused. */
export function dateQuery<Name extends string>(
  query: URLSearchParams,
  ...names: Name[]
): Partial<Record<Name, number>> {
  const dates: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const text = query.get(name);
    if (text === null || text === "") continue;
    const time = parseDate(text);
    if (time === null) throw new Refusal(badRequest({ [name]: ["Enter a valid date/time."] }));
    dates[name] = time;
  }
  return dates;
}

/** v2's page envelope: absolute links with sorted parameters, null at the ends, 404 past the last page. */
export function page<T>(call: Call, items: T[], shape: (item: T) => unknown): Answer {
  const size = clampInt(call.query.get("page_size"), 100, 1, 1000);
  const asked = call.query.get("page") ?? "1";
  const number = /^\d+$/.test(asked) ? Number(asked) : 0;
  const pages = Math.max(1, Math.ceil(items.length / size));
  if (number < 1 || number > pages) return { status: 404, body: { detail: "Invalid page." } };
  const link = (to: number) => {
    const query = new URLSearchParams(call.query);
    if (to === 1) query.delete("page");
    else query.set("page", String(to));
    query.sort();
    const text = query.toString();
    return `${call.origin}${call.path}${text ? `?${text}` : ""}`;
  };
  return ok({
    count: items.length,
    next: number < pages ? link(number + 1) : null,
    previous: number > 1 ? link(number - 1) : null,
    results: items.slice((number - 1) * size, number * size).map(shape),
  });
}

export function clampInt(text: string | null, fallback: number, min: number, max: number): number {
  if (text === null || !/^-?\d+$/.test(text)) return fallback;
  return Math.min(max, Math.max(min, Number(text)));
}

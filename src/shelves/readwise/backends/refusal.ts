import { LONGEST_WAIT_SECONDS, ShelfError } from "../../../kernel/errors.js";
import { jsonOrUndefined } from "../../../kernel/json.js";

export interface Refused {
  status: number;
  retryAfter: string | null;
  body: string;
  endpoint: string;
  /** The message for a 404, with the way out. */
  missing: string | undefined;
  now: number;
}

/** Translates an error status into our error, with the way out. */
export function refusal({ status, retryAfter, body, endpoint, missing, now }: Refused): ShelfError {
  const details = { endpoint, status };
  if (status === 401)
    return new ShelfError(
      "auth_error",
      "Readwise refused the key: it does not know it. Check it, or make a new one at readwise.io/access_token.",
      { details: { ...details, reason: "key" } },
    );
  if (status === 403) return isWebPage(body) ? webPageInstead(endpoint, status) : forbidden(body, details);
  if (status === 404) return new ShelfError("not_found", missing ?? "Readwise has no such item.", { details });
  if (status === 429) {
    const retry_after = secondsToWait(retryAfter, body, now);
    return new ShelfError("rate_limited", `Readwise throttles this key. Call again in ${retry_after} s.`, {
      details,
      retry_after,
    });
  }
  if (status >= 400 && status < 500 && !isWebPage(body)) {
    const reasons = describeRejection(body);
    return new ShelfError("upstream_rejected", `Readwise refused the request: ${reasons.message}`, {
      details: { ...details, ...reasons.details },
    });
  }
  return new ShelfError("upstream_error", `Readwise answered with an error (HTTP ${status}). Call again later.`, {
    details,
  });
}

/** A 403 also occurs with valid keys: the message of Readwise decides what to do. */
function forbidden(body: string, details: Record<string, unknown>): ShelfError {
  const { message: said } = describeRejection(body);
  if (/subscri|trial|upgrade|payment/i.test(said))
    return new ShelfError(
      "auth_error",
      `Readwise knows the key but no subscription that covers this: "${said}". Check the account at readwise.io.`,
      { details: { ...details, reason: "subscription" } },
    );
  if (/token|credential/i.test(said))
    return new ShelfError(
      "auth_error",
      `Readwise refused the key: "${said}". Check it, or make a new one at readwise.io/access_token.`,
      { details: { ...details, reason: "key" } },
    );
  return new ShelfError(
    "auth_error",
    `Readwise refused the request (HTTP 403: ${said}). The key may still be good: check that the account has an active subscription and that no firewall stands in between, then the key at readwise.io/access_token.`,
    { details: { ...details, reason: "forbidden" } },
  );
}

/** An HTML page instead of data: a proxy between here and Readwise answered. */
export function webPageInstead(endpoint: string, status: number): ShelfError {
  return new ShelfError(
    "upstream_error",
    `A web page came instead of Readwise's answer (HTTP ${status}): Readwise is in trouble, or a proxy, firewall or sign-in page blocks the way. The key was not checked. Call again later.`,
    { details: { endpoint, status, reason: "blocked" } },
  );
}

export function redirected(endpoint: string, status: number, to: URL | undefined, sameHost: boolean): ShelfError {
  const where = to?.host ?? "an unreadable address";
  const why = sameHost
    ? "in a way that cannot be followed"
    : `to ${where}, where the key must not go: a proxy or sign-in page may stand in between, or READWISE_API_URL needs another address`;
  return new ShelfError("upstream_error", `Readwise's address redirects ${why}.`, {
    details: { endpoint, status, reason: sameHost ? "redirect" : "blocked", to: where },
  });
}

export const isWebPage = (body: string) => body.trimStart().startsWith("<");

/** The header in seconds or as a date; otherwise the number in the message; otherwise a minute. */
function secondsToWait(header: string | null, body: string, now: number): number {
  const given = header?.trim() ?? "";
  if (/^\d+$/.test(given)) return reasonable(Number(given));
  const until = Date.parse(given);
  if (!Number.isNaN(until)) return reasonable((until - now) / 1000);
  const sentence = /available in (\d+) second/.exec(body);
  return sentence ? reasonable(Number(sentence[1])) : 60;
}

const reasonable = (seconds: number) => Math.min(LONGEST_WAIT_SECONDS, Math.max(1, Math.ceil(seconds)));

/**
 * The reasons in the body of a 400: `{field: [messages]}`, `{detail}`, or, if a list was sent, one such object for
 * each of its items, empty for the good ones.
 */
function describeRejection(body: string): { message: string; details: Record<string, unknown> } {
  const raw = jsonOrUndefined(body);
  if (Array.isArray(raw)) {
    const items = raw.flatMap((entry, index) => {
      const fields = reasons(entry);
      return fields.length ? [{ index, fields: Object.fromEntries(fields) }] : [];
    });
    if (items.length) {
      const message = items.map(({ index, fields }) => `item ${index}: ${sentence(Object.entries(fields))}`).join("; ");
      return { message, details: { items } };
    }
  }
  const fields = reasons(raw);
  return fields.length
    ? { message: sentence(fields), details: { fields: Object.fromEntries(fields) } }
    : { message: "it gave no reason.", details: {} };
}

function reasons(value: unknown): [string, string][] {
  if (typeof value === "string") return [["detail", value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).map(([field, messages]) => [
    field,
    (Array.isArray(messages) ? messages : [messages]).map(String).join(" ").slice(0, 300),
  ]);
}

const sentence = (fields: [string, string][]) =>
  fields
    .map(([field, message]) => (field === "detail" || field === "non_field_errors" ? message : `${field}: ${message}`))
    .join("; ");

import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { isLoopback } from "../config/config.js";
import { steadyNow } from "../kernel/time.js";

/** Why a request is turned away before it reaches a tool. */
export interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

/**
 * A page on another site must not drive this server through a visitor's browser (DNS rebinding, cross-site requests):
 * the Host must be one of ours, and a browser's Origin must be the page this server itself serves.
 */
export function hostGuard({ listening, allowed }: { listening: string; allowed: readonly string[] }) {
  const names = new Set(allowed.map((name) => name.toLowerCase()));
  const open = !isLoopback(listening) && names.size === 0;
  // Callers name the same host again and again; parsing it costs more than the rest of this guard.
  let last: { host: string | undefined; name: string | undefined } = { host: undefined, name: undefined };
  return (request: IncomingMessage): Refusal | undefined => {
    const { host, origin } = request.headers;
    if (host !== last.host) last = { host, name: hostName(host) };
    const { name } = last;
    if (!name || hasSeveralHosts(request.rawHeaders))
      return { status: 400, message: "The Host header is missing, malformed or there twice." };
    if (!open && !isLoopback(name) && !names.has(name))
      return {
        status: 403,
        message: `This server does not answer to '${name}'. Add it to ALLOWED_HOSTS if it should.`,
      };
    if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host))
      return { status: 403, message: "Only the page this server serves may call it from a browser." };
    return undefined;
  };
}

function hostName(host: string | undefined): string | undefined {
  // A name and a port, nothing else: "a@localhost" and "localhost/x" are other parts of an address.
  if (!host || /[@/\\?#\s]/.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname;
}

/** Node keeps the first of two; a proxy may have checked the other. */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === "host") hosts++;
  return hosts > 1;
}

export const TOKEN_NEEDED =
  "This server needs its token: send 'Authorization: Bearer <BOOKWHEEL_TOKEN>', and a Readwise key, where you use one, as 'X-Readwise-Token'.";

const FAILURES_ALLOWED = 20;
const FAILURE_WINDOW_MS = 60_000;
/** Addresses remembered at once; the one whose count began first is forgotten first. */
const MOST_ADDRESSES = 10_000;

/**
 * The server's own token, compared in constant time. The right one always works: it is compared before anything is
 * counted, so that guesses of others from the same address lock nobody out.
 */
export function tokenGuard(
  token: string | undefined,
  { trustedProxies = [], now = steadyNow }: { trustedProxies?: readonly string[]; now?: () => number } = {},
) {
  const expected = token === undefined ? undefined : digest(token);
  const failures = new Map<string, { count: number; since: number }>();

  function failuresOf(address: string): { count: number; since: number } {
    const known = failures.get(address);
    if (known && now() - known.since < FAILURE_WINDOW_MS) return known;
    failures.delete(address); // set again below, so that the map stays in the order in which counts began
    const fresh = { count: 0, since: now() };
    failures.set(address, fresh);
    if (failures.size > MOST_ADDRESSES) failures.delete(failures.keys().next().value!);
    return fresh;
  }

  return (request: IncomingMessage): Refusal | undefined => {
    if (!expected) return undefined;
    const given = bearer(request);
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return undefined;
    if (given !== undefined) {
      const failed = failuresOf(addressOf(request, trustedProxies));
      if (failed.count >= FAILURES_ALLOWED) {
        const retryAfter = Math.ceil((failed.since + FAILURE_WINDOW_MS - now()) / 1000);
        return {
          status: 429,
          message: "Too many wrong tokens. Wait a minute.",
          headers: { "retry-after": String(Math.max(1, retryAfter)) },
        };
      }
      failed.count++;
    }
    return {
      status: 401,
      message: TOKEN_NEEDED,
      headers: { "www-authenticate": 'Bearer realm="bookwheel"' },
    };
  };
}

/** Who asks: the address of the connection, or the one that a trusted proxy names. */
function addressOf(request: IncomingMessage, trustedProxies: readonly string[]): string {
  const peer = (request.socket.remoteAddress ?? "unknown").replace(/^::ffff:/, "");
  const named = request.headers["x-real-ip"];
  return trustedProxies.includes(peer) && typeof named === "string" && isIP(named) ? named : peer;
}

/** The caller's Readwise key. If the server has a token, Authorization is for the token, and the key has its own header. */
export function readwiseKeyOf(request: IncomingMessage, serverHasToken: boolean): string | undefined {
  const own = request.headers["x-readwise-token"];
  if (typeof own === "string" && own.trim()) return own.trim();
  if (serverHasToken) return undefined;
  const match = /^(?:token|bearer)\s+(\S+)$/i.exec(request.headers.authorization?.trim() ?? "");
  return match?.[1];
}

function bearer(request: IncomingMessage): string | undefined {
  return /^bearer\s+(\S+)$/i.exec(request.headers.authorization?.trim() ?? "")?.[1];
}

const digest = (text: string) => createHash("sha256").update(text).digest();

import { lookup as resolveHost } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { ShelfError } from "../../kernel/errors.js";
import { orAborted } from "../../kernel/or-aborted.js";
import { isPublicAddress } from "./private-addresses.js";

interface Fetched {
  bytes: Uint8Array;
  contentType: string;
  /** Where the last redirect led. */
  url: string;
}
export type Fetcher = (url: string, signal: AbortSignal) => Promise<Fetched>;

interface FetcherOptions {
  /** Opens private and loopback addresses, for tests and for owners who keep their reading at home. */
  allowPrivate?: boolean;
  /** Which addresses may be connected to; by default those of the public internet. */
  allow?: (address: string) => boolean;
  maxBytes?: number;
  timeoutMs?: number;
  /** All addresses of a host. */
  resolve?: (host: string) => Promise<string[]>;
}

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const READABLE =
  /^(text\/(html|plain|markdown|x-markdown)|application\/(xhtml\+xml|pdf|x-pdf|epub\+zip|octet-stream|vnd\.openxmlformats-officedocument\.wordprocessingml\.document))$/;

/**
 * Fetches a page on behalf of somebody who is not trusted with this machine's network. Every hop's host is resolved
 * here, all of its addresses must be public, and the connection goes to the address that was checked.
 */
export function createFetcher({
  allowPrivate = false,
  allow = allowPrivate ? () => true : isPublicAddress,
  maxBytes = MAX_BYTES,
  timeoutMs = TIMEOUT_MS,
  resolve = resolveAll,
}: FetcherOptions = {}): Fetcher {
  return async (address, signal) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const stop = AbortSignal.any([signal, limit]);
    try {
      let url = checkedUrl(address);
      for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
        const target = await checkedAddress(url, { allow, resolve, stop });
        const response = await get(url, target, stop);
        const location = response.headers.location;
        if (REDIRECTS.has(response.statusCode ?? 0) && location !== undefined) {
          response.destroy();
          url = checkedUrl(location, url.href);
          continue;
        }
        return { ...(await body(response, { maxBytes, stop, url: url.href })), url: url.href };
      }
      throw new ShelfError("INVALID_URL", `The address redirects more than ${MAX_REDIRECTS} times.`);
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted)
        throw new ShelfError(
          "PROCESSING_FAILED",
          `The page did not arrive within ${timeoutMs / 1000} s. Try again later, or paste its text.`,
          { details: { reason: "timeout" }, cause: error },
        );
      throw error;
    }
  };
}

function checkedUrl(address: string, base?: string): URL {
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:") || !url.hostname)
    throw new ShelfError("INVALID_URL", "Give a whole http or https address of a public page.");
  if (url.username || url.password)
    throw new ShelfError("INVALID_URL", "Addresses with a user name or password are not fetched.");
  return url;
}

async function checkedAddress(
  url: URL,
  {
    allow,
    resolve,
    stop,
  }: { allow: (address: string) => boolean; resolve: (host: string) => Promise<string[]>; stop: AbortSignal },
): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host)
    ? [host]
    : await orAborted(resolve(host), stop).catch((cause: unknown) => {
        stop.throwIfAborted();
        throw unreachable("The host of this address is not known. Check its spelling.", cause);
      });
  const first = addresses[0];
  if (first === undefined) throw unreachable("The host of this address is not known. Check its spelling.");
  if (!addresses.every(allow))
    throw new ShelfError(
      "INVALID_URL",
      "The address leads into a private network, which is not fetched. Paste the text instead.",
      { details: { reason: "private_address" } },
    );
  return first;
}

async function get(url: URL, address: string, signal: AbortSignal): Promise<IncomingMessage> {
  const family = isIP(address);
  // Node would look the name up once more and might get another address the second time.
  const pinned: LookupFunction = (_host, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family);
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent: false,
        lookup: pinned,
        signal,
        maxHeaderSize: 64 * 1024,
        headers: {
          accept: "text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,*/*;q=0.5",
          "accept-encoding": "gzip, deflate, br",
          "user-agent": "Bookwheel (reads pages its owner adds to a notebook or project)",
        },
      },
      resolve,
    );
    sent.on("error", (cause) => {
      if (signal.aborted) return reject(signal.reason);
      reject(unreachable("The address cannot be reached. Check it, or paste the text.", cause));
    });
    // A page that switches protocols gets no answer and no error by itself.
    sent.on("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(unreachable("The address answers with another protocol than HTTP. Check it, or paste the text."));
    });
    sent.on("close", () => reject(unreachable("The address hung up without an answer. Try again, or paste the text.")));
    sent.end();
  });
}

async function body(
  response: IncomingMessage,
  { maxBytes, stop, url }: { maxBytes: number; stop: AbortSignal; url: string },
): Promise<Omit<Fetched, "url">> {
  const status = response.statusCode ?? 0;
  const refuse = (error: ShelfError): never => {
    response.destroy();
    throw error;
  };
  if (status < 200 || status > 299)
    refuse(
      new ShelfError("PROCESSING_FAILED", `The page answered with HTTP ${status}${meaningOf(status)}.`, {
        details: { status, url },
      }),
    );
  const contentType = response.headers["content-type"] ?? "";
  const kind = contentType.split(";")[0]!.trim().toLowerCase();
  if (kind !== "" && !READABLE.test(kind))
    refuse(
      new ShelfError(
        "UNSUPPORTED_URL",
        `The address holds '${kind.slice(0, 80)}'. Web pages, PDF, EPUB, Word and plain text can be read.`,
        { details: { content_type: kind.slice(0, 80) } },
      ),
    );
  if (Number(response.headers["content-length"]) > maxBytes) refuse(tooLarge(maxBytes));
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of decoded(response) as AsyncIterable<Uint8Array>) {
      stop.throwIfAborted();
      size += part.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      parts.push(part);
    }
  } catch (error) {
    response.destroy();
    stop.throwIfAborted();
    if (error instanceof ShelfError) throw error;
    throw new ShelfError("PROCESSING_FAILED", "The page broke off while it was read. Try again.", { cause: error });
  }
  return { bytes: Buffer.concat(parts), contentType };
}

const DECODERS = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["br", createBrotliDecompress],
  ["deflate", createInflate],
]);

function decoded(response: IncomingMessage): Readable {
  const decoder = DECODERS.get(response.headers["content-encoding"]?.trim().toLowerCase() ?? "")?.();
  if (!decoder) return response;
  response.on("error", (error) => decoder.destroy(error));
  response.on("aborted", () => decoder.destroy(new Error("aborted")));
  return response.pipe(decoder);
}

async function resolveAll(host: string): Promise<string[]> {
  return (await resolveHost(host, { all: true })).map(({ address }) => address);
}

function unreachable(message: string, cause?: unknown): ShelfError {
  return new ShelfError("INVALID_URL", message, { details: { reason: "unreachable" }, cause });
}

function tooLarge(maxBytes: number): ShelfError {
  const limit = maxBytes >= 1024 * 1024 ? `${Math.floor(maxBytes / 1024 / 1024)} MiB` : `${maxBytes} bytes`;
  return new ShelfError("CONTENT_TOO_LARGE", `The page has more than ${limit}. Add a part of it as text.`, {
    details: { limit_bytes: maxBytes },
  });
}

function meaningOf(status: number): string {
  if (status === 404 || status === 410) return " (not found): check the address";
  if (status === 401 || status === 403) return " (not allowed): it may need a sign-in; paste its text instead";
  if (status === 429) return " (too many requests): try again later";
  return status >= 500 ? " (the site has a fault): try again later" : "";
}

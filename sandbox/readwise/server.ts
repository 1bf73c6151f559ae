import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, type Call, isRecord, notFound, Refusal } from "./calls.js";
import { answerControl } from "./control.js";
import { matchEndpoint } from "./endpoints.js";
import { createFaults, type Fault, type Faults } from "./faults.js";
import { Library } from "./library.js";
import type { NewReaderHighlight, ReaderDocument } from "./records.js";
import { createRequestLog, type RequestLog } from "./request-log.js";
import { sendAnswer, sendBroken } from "./sending.js";
import { htmlOf } from "./shapes-v3.js";
import { createThrottle, type ThrottleOptions } from "./throttle.js";
import { defaultUnknowns, type Unknowns } from "./unknowns.js";

export interface ReadwiseSandboxOptions extends ThrottleOptions {
  port?: number;
  host?: string;
  clock?: () => number;
  /** Sources on a page of the export. */
  exportPageSize?: number;
  /** The tokens there are. A function makes the library again after a reset; a ready one is kept as it is. */
  libraries?: Record<string, Library | (() => Library)>;
  /** Instead of `libraries`: makes a token's library at its first request; null for a token that is not valid. */
  library?: (token: string) => Library | null;
  unknowns?: Partial<Unknowns>;
}

export interface ReadwiseSandbox {
  /** Without a closing slash; `/api/v2/…` and `/api/v3/…` are below it. */
  url: string;
  /** The library of a token, to look at and to change from outside the API. */
  state(token: string): Library;
  /** What a person does in Reader: the highlight shows in v2 after `unknowns.readerToV2DelayMs`. */
  highlightInReader(token: string, documentId: string, highlight: NewReaderHighlight): ReaderDocument;
  faults: Faults;
  requests: RequestLog;
  unknowns: Unknowns;
  now(): number;
  setClock(clock: () => number): void;
  advance(ms: number): void;
  /** Forgets faults, requests, throttling and what was written. */
  reset(): void;
  close(): Promise<void>;
}

const URL_MAX = 8_190;
const UNKNOWN_ENDPOINT = "unknown";
const ANY_ENDPOINT_PER_MINUTE = 240;

export async function startReadwiseSandbox(options: ReadwiseSandboxOptions = {}): Promise<ReadwiseSandbox> {
  const unknowns: Unknowns = { ...defaultUnknowns, ...options.unknowns };
  const throttle = createThrottle(options);
  const faults = createFaults();
  const requests = createRequestLog();
  const libraries = new Map<string, Library>();
  let clock = options.clock ?? Date.now;
  let ahead = 0;
  const now = () => clock() + ahead;

  function libraryOf(token: string): Library | null {
    const open = libraries.get(token);
    if (open) return open;
    const made = options.libraries ? fromRecord(options.libraries, token) : (options.library ?? emptyLibrary)(token);
    if (made) libraries.set(token, made);
    return made;
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://sandbox");
    const method = request.method ?? "GET";
    const body = await readBody(request);
    if (pathname.startsWith("/_sandbox/"))
      return sendAnswer(response, answerControl(sandbox, { method, pathname, searchParams, body }));
    if (pathname.startsWith("/_raw/"))
      return sendAnswer(response, rawFile(pathname.slice("/_raw/".length), searchParams));

    const match = matchEndpoint(method, pathname);
    const endpoint = match.found === "endpoint" ? match.endpoint.name : UNKNOWN_ENDPOINT;
    const token = tokenOf(request.headers.authorization, unknowns.bearer === "accept");
    const library = token.given ? libraryOf(token.value) : null;
    const log = (status: number) =>
      requests.add({
        at: now(),
        token: library && token.given ? token.value : null,
        method,
        path: pathname,
        query: Object.fromEntries(searchParams),
        endpoint,
        status,
      });
    const send = (answer: Answer) => {
      log(answer.status);
      const v3 = pathname.startsWith("/api/v3/");
      return sendAnswer(response, answer, { chunked: v3, close: v3 && unknowns.v3Connection === "close" });
    };

    if ((request.url ?? "").length > URL_MAX) return send({ status: 414, html: "<h1>414 Request-URI Too Large</h1>" });
    if (!token.given) return send({ status: 401, body: { detail: token.problem } });
    if (!library) return send({ status: 401, body: { detail: "Invalid token." } });

    const own = match.found === "endpoint" ? match.endpoint.perMinute : ANY_ENDPOINT_PER_MINUTE;
    const limit = typeof own === "number" ? own : own(unknowns);
    const wait = throttle.check(token.value, endpoint, limit, now());
    if (wait !== null) return send(throttled(wait));

    const fault = faults.strike(endpoint, token.value);
    const instead = fault && answerInstead(fault, now(), request.url ?? "/");
    if (instead) return send(instead);
    if (fault?.kind === "reset" || fault?.kind === "no_answer") {
      log(0);
      return sendBroken(response, fault, null);
    }

    library.catchUp(now());
    const result =
      match.found === "nothing"
        ? notFound
        : match.found === "other method"
          ? { status: 405, body: { detail: `Method "${method}" not allowed.` } }
          : run(match.endpoint.handle, body, {
              library,
              query: searchParams,
              params: match.params,
              now: now(),
              origin: `http://${request.headers.host ?? "sandbox"}`,
              path: pathname,
              unknowns,
              exportPageSize: options.exportPageSize ?? 100,
              withoutHtml: fault?.kind === "empty_html",
            });
    if (!fault || fault.kind === "empty_html") return send(result);
    if (fault.kind === "malformed") return send(withBadRecord(result));
    log(fault.kind === "reset_body" ? 0 : result.status);
    return sendBroken(response, fault, result);
  }

  /** Where `raw_source_url` leads: no token needed, for an hour. */
  function rawFile(id: string, query: URLSearchParams): Answer {
    if (!(Number(query.get("expires")) > now()))
      return { status: 403, html: "<Error><Code>AccessDenied</Code></Error>" };
    for (const library of libraries.values()) {
      const document = library.documents.get(id);
      if (document) return { status: 200, html: htmlOf(document) };
    }
    return { status: 404, html: "<Error><Code>NoSuchKey</Code></Error>" };
  }

  const sandbox: ReadwiseSandbox = {
    url: "",
    state(token) {
      const library = libraryOf(token);
      if (!library) throw new Error(`The sandbox has no token '${token}'.`);
      library.catchUp(now());
      return library;
    },
    highlightInReader(token, documentId, highlight) {
      const library = sandbox.state(token);
      const document = library.documents.get(documentId);
      if (!document) throw new Error(`There is no Reader document '${documentId}'.`);
      const { readerToV2DelayMs: delayMs, videoCategory } = unknowns;
      return library.addReaderHighlight(document, highlight, now(), {
        videoCategory,
        ...(delayMs > 0 ? { visibleInV2At: now() + delayMs } : {}),
      });
    },
    faults,
    requests,
    unknowns,
    now,
    setClock(next) {
      clock = next;
      ahead = 0;
    },
    advance(ms) {
      ahead += ms;
    },
    reset() {
      faults.clear();
      requests.clear();
      throttle.clear();
      libraries.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, options.host ?? "127.0.0.1", resolve);
  });
  const { address, port, family } = server.address() as AddressInfo; // it listens on TCP, not on a pipe
  sandbox.url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
  return sandbox;
}

const emptyLibrary = (token: string) => new Library(token);

function fromRecord(libraries: Record<string, Library | (() => Library)>, token: string): Library | null {
  if (!Object.hasOwn(libraries, token)) return null;
  const library = libraries[token];
  return typeof library === "function" ? library() : (library ?? null);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

function tokenOf(
  header: string | undefined,
  bearer: boolean,
): { given: true; value: string } | { given: false; problem: string } {
  const [scheme = "", value = "", ...rest] = (header ?? "").split(" ");
  const known = scheme.toLowerCase() === "token" || (bearer && scheme.toLowerCase() === "bearer");
  if (!known) return { given: false, problem: "Authentication credentials were not provided." };
  if (value === "") return { given: false, problem: "Invalid token header. No credentials provided." };
  if (rest.length > 0)
    return { given: false, problem: "Invalid token header. Token string should not contain spaces." };
  return { given: true, value };
}

export function throttled(seconds: number): Answer {
  return {
    status: 429,
    headers: { "retry-after": String(seconds) },
    body: { detail: `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? "" : "s"}.` },
  };
}

/** What a fault answers by itself; null when it only spoils the real answer. */
function answerInstead(fault: Fault, now: number, path: string): Answer | null {
  if (fault.kind === "throttle") return throttled(fault.retry_after_s ?? 16);
  if (fault.kind === "throttle_date") {
    const seconds = fault.retry_after_s ?? 16;
    return {
      ...throttled(seconds),
      headers: { "retry-after": new Date(now + seconds * 1000).toUTCString() },
      body: {},
    };
  }
  if (fault.kind === "status")
    return { status: fault.status ?? 500, body: { detail: fault.detail ?? "A server error occurred." } };
  if (fault.kind === "redirect")
    return { status: fault.status ?? 301, headers: { location: fault.to ?? path }, html: "" };
  if (fault.kind === "html_page") {
    const status = fault.status ?? 502;
    return {
      status,
      html: `<!DOCTYPE html>\n<html><head><title>readwise.io | ${status}</title></head><body><h1>Error ${status}</h1><p>The host is not answering.</p></body></html>`,
    };
  }
  return null;
}

/** The answer with its first record spoiled: a tag without an id where there is a tag, else no id at all. */
function withBadRecord(answer: Answer): Answer {
  const body = structuredClone(answer.body);
  const results = isRecord(body) ? body.results : body;
  const first = Array.isArray(results) ? results[0] : undefined;
  if (!isRecord(first)) return answer;
  const tags = first.tags ?? first.book_tags;
  if (Array.isArray(tags) && isRecord(tags[0])) delete tags[0].id;
  else for (const key of ["id", "user_book_id"]) if (key in first) first[key] = null;
  return { ...answer, body };
}

function run(handle: (call: Call) => Answer, body: string, call: Omit<Call, "body">): Answer {
  let parsed: unknown;
  try {
    parsed = body === "" ? undefined : JSON.parse(body);
  } catch {
    return { status: 400, body: { detail: "JSON parse error - the body is not JSON." } };
  }
  try {
    return handle({ ...call, body: parsed });
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ShelfError } from "../../../../kernel/errors.js";
import { jsonOrUndefined } from "../../../../kernel/json.js";
import { trimEndOf } from "../../../../kernel/trim-end.js";
import { missingProject } from "../../chunk-store.js";
import { httpSender, type Reply } from "./http.js";
import { Version } from "./wire.js";

export interface ClientOptions {
  url: string;
  apiKey?: string | undefined;
  /** Attempts per request before a failure is reported. */
  attempts?: number;
  /** Pause before the second attempt; doubles with each further one. */
  pauseMs?: number;
  /** Time limit of one attempt, and of a wait that the server asks for. */
  patienceMs?: number;
  /** Called with a project whose collection was deleted or changed. */
  onMissing?: (project: string) => void;
}
interface CallOptions<T> {
  body?: unknown;
  /** A body that is JSON already. */
  json?: string;
  signal?: AbortSignal | undefined;
  answer: z.ZodType<T>;
  /** The project the collection belongs to; if the collection is missing, the project was deleted. */
  project?: string;
  /** Tries before the failure is reported, where it is another number than the client's. */
  attempts?: number;
}
/** Requests are repeated after a failure: writes name their ids, so repeating one changes nothing. */
export interface QdrantClient {
  /** Whether the server is 1.`minor` or later. */
  supports(minor: number): Promise<boolean>;
  call<T>(method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE", path: string, options: CallOptions<T>): Promise<T>;
}

/** A refusal by the server, for callers that can handle it; otherwise it becomes a ShelfError. */
export class Refused extends ShelfError {
  constructor(
    readonly status: number,
    code: ConstructorParameters<typeof ShelfError>[0],
    message: string,
    extras: ConstructorParameters<typeof ShelfError>[2] = {},
  ) {
    super(code, message, extras);
  }
}

/** Collection metadata, which holds a project's model, came with 1.16. */
const FLOOR = [1, 16] as const;
const RETRIED = new Set([429, 500, 502, 503, 504]);
const MAX_PAUSE_MS = 5_000;

/** The address of a collection, or of something in it. */
export const pathOf = (collection: string, rest = "") => `/collections/${encodeURIComponent(collection)}${rest}`;

export function qdrantClient(options: ClientOptions): QdrantClient {
  const { url, apiKey, attempts = 4, pauseMs = 200, patienceMs = 30_000 } = options;
  const base = trimEndOf(url, /\//);
  const send = httpSender(base);
  // No accept-encoding: Qdrant is near, and compressing an answer takes longer than sending its bytes.
  const headers = { "content-type": "application/json", ...(apiKey ? { "api-key": apiKey } : {}) };
  let known: Promise<number[]> | undefined;

  const persistently = async (
    method: string,
    path: string,
    body: string | undefined,
    signal: AbortSignal | undefined,
    most = attempts,
  ): Promise<Reply> => {
    const started = performance.now();
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      const outcome = await settled(send({ method, path, headers, body, signal, timeoutMs: patienceMs }));
      signal?.throwIfAborted();
      const last = attempt >= most;
      if (outcome.reply && (last || isFull(outcome.reply) || !RETRIED.has(outcome.reply.status))) return outcome.reply;
      if (outcome.error && (last || isTimeout(outcome.error))) throw unreachable(base, outcome.error);
      const asked = Number(outcome.reply?.retryAfter ?? Number.NaN) * 1000;
      const own = Math.min(MAX_PAUSE_MS, pauseMs * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);
      const pause = Number.isFinite(asked) && asked > 0 ? asked : own;
      if (performance.now() - started + pause > patienceMs) {
        if (outcome.reply) return outcome.reply;
        throw unreachable(base, outcome.error);
      }
      await sleep(pause, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
    }
  };

  const readVersion = async (): Promise<number[]> => {
    const reply = await persistently("GET", "/", undefined, undefined);
    const version = parsed(Version, reply, base)?.version ?? "";
    const [major = 0, minor = 0] = version.split(".").map(Number);
    if (major < FLOOR[0] || (major === FLOOR[0] && minor < FLOOR[1]))
      throw new ShelfError(
        "INDEX_UNAVAILABLE",
        `Qdrant at ${shown(base)} is version ${version || "unknown"}; ${FLOOR.join(".")} or later is needed. Upgrade it, or unset QDRANT_URL to use the embedded store.`,
        { details: { version, needed: FLOOR.join(".") } },
      );
    return [major, minor];
  };
  const version = (): Promise<number[]> => {
    known ??= readVersion();
    return known.catch((error: unknown) => {
      known = undefined;
      throw error;
    });
  };

  return {
    async supports(minor) {
      const [major = 0, own = 0] = await version();
      return major > 1 || (major === 1 && own >= minor);
    },
    async call(method, path, { body, json, signal, answer, project, attempts: most }) {
      signal?.throwIfAborted();
      await version();
      const sent = json ?? (body === undefined ? undefined : JSON.stringify(body));
      const reply = await persistently(method, path, sent, signal, most);
      if (reply.status >= 200 && reply.status < 300) {
        const envelope = parsed(z.object({ result: answer }), reply, base);
        if (envelope) return envelope.result;
        throw new ShelfError("INDEX_UNAVAILABLE", `What answers at ${shown(base)} is not Qdrant. Check QDRANT_URL.`);
      }
      if (reply.status === 404 && project !== undefined) {
        options.onMissing?.(project);
        throw missingProject(project);
      }
      const refused = refusal(reply, base);
      if (project !== undefined && refused.code === "INDEX_UNAVAILABLE") options.onMissing?.(project);
      throw refused;
    },
  };
}

/** One row per refusal, with our error for it. */
function refusal({ status, text, retryAfter }: Reply, base: string): Refused {
  const said = messageOf(text);
  const details = { status, qdrant: said };
  const refuse = (code: ConstructorParameters<typeof ShelfError>[0], message: string, wait?: number) =>
    new Refused(status, code, message, { details, ...(wait === undefined ? {} : { retry_after: wait }) });
  if (status === 401 || status === 403)
    return new Refused(status, "INDEX_UNAVAILABLE", `Qdrant at ${shown(base)} refused the key. Set QDRANT_API_KEY.`, {
      details: { status },
    });
  if (status === 408) return refuse("TIMEOUT", "Qdrant did not finish in its own time. Ask for less, or call again.");
  if (status === 429) {
    const wait = Number(retryAfter) || undefined;
    return refuse(
      "TIMEOUT",
      "Qdrant throttles this server, for longer than the call may take. Call again later.",
      wait,
    );
  }
  if (/Vector dimension error/.test(said))
    return refuse("EMBEDDING_MISMATCH", "Qdrant holds vectors of another length for this project.");
  if (/Index required but not found/.test(said))
    return refuse(
      "INDEX_UNAVAILABLE",
      "A payload index is missing in Qdrant. Call again: it is made when a project is opened.",
    );
  if (/Not existing vector name/.test(said))
    return refuse("INDEX_UNAVAILABLE", "The project has just moved to another model. Call again.");
  if (isFull({ status, text }))
    return refuse(
      "INDEX_UNAVAILABLE",
      `Qdrant at ${shown(base)} has no room left; what it has can still be read. Give it a larger disk or delete something, then call again.`,
    );
  if (status >= 500)
    return refuse("INDEX_UNAVAILABLE", `Qdrant at ${shown(base)} is in trouble (${status}). Call again later.`);
  if (status === 404) return refuse("NOT_FOUND", "Qdrant has no such collection.");
  return refuse("INVALID_INPUT", `Qdrant refused the request (${status}).`);
}

/** Its disk is full, which Qdrant 1.18 answers with 500, or a quota is used up. */
function isFull({ status, text }: Pick<Reply, "status" | "text">): boolean {
  return status === 507 || (status === 500 && messageOf(text).includes("No space left on device"));
}

function messageOf(text: string): string {
  // A 401 is plain text, a proxy's page is HTML: neither goes into the message.
  const body = jsonOrUndefined(text) as { status?: { error?: unknown } } | null | undefined;
  return typeof body?.status?.error === "string" ? body.status.error.slice(0, 300) : "";
}

function parsed<T>(schema: z.ZodType<T>, { text }: Reply, base: string): T | undefined {
  const body = jsonOrUndefined(text);
  if (body === undefined)
    throw new ShelfError("INDEX_UNAVAILABLE", `What answers at ${shown(base)} is not Qdrant. Check QDRANT_URL.`);
  return schema.safeParse(body).data;
}

function unreachable(base: string, cause: unknown): ShelfError {
  if (isTimeout(cause))
    return new ShelfError("TIMEOUT", `Qdrant at ${shown(base)} did not answer in time. Call again later.`, { cause });
  return new ShelfError(
    "INDEX_UNAVAILABLE",
    `Qdrant at ${shown(base)} cannot be reached. Start it, or correct QDRANT_URL.`,
    { cause },
  );
}

/** A URL may contain a user name and password. */
function shown(base: string): string {
  return URL.canParse(base) ? new URL(base).host : "QDRANT_URL";
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}
async function settled(work: Promise<Reply>): Promise<{ reply?: Reply; error?: unknown }> {
  try {
    return { reply: await work };
  } catch (error) {
    return { error };
  }
}

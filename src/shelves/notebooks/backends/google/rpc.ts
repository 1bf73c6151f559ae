import { ShelfError } from "../../../../kernel/errors.js";
import type { PageBrowser } from "./browser.js";
import { callBody, type Status, type StreamReply, streamBody } from "./codec.js";
import { pause } from "./deadline.js";
import type { PageReply, PageRequest, Reading } from "./in-page.js";
import { ReplyLost, type Session } from "./tab.js";

const RPC_IDS = {
  listNotebooks: "wXbhsf",
  getNotebook: "rLM1Ne",
  createNotebook: "CCqFvf",
  renameNotebook: "s0tc2d",
  deleteNotebook: "WWINqb",
  addSource: "izAoDd",
  deleteSource: "tGMBJ",
  sourceText: "hizoJc",
  turns: "khqZz",
  guide: "VfAZjd",
  registerFile: "o4cbdc",
} as const;
export type RpcName = keyof typeof RPC_IDS;

/** Accounts differ in the form of payloads they take: C is the newest, A that of January 2026. */
export type Cohort = "C" | "B" | "A";
export const COHORTS: readonly Cohort[] = ["C", "B", "A"];

interface CallOptions {
  /** `/` or `/notebook/{id}`: where in the app the call is made from. */
  path: string;
  signal: AbortSignal;
}

/** The outcome of a write: its result, or that it is unknown whether it was done. */
export type WriteOutcome =
  | { kind: "done"; value: unknown }
  /** Refused with a status that some accounts also give to what they accept. */
  | { kind: "refused"; error: ShelfError; status: number }
  /** No reply, or none that can be read. */
  | { kind: "lost"; error: ShelfError };

export interface Rpc {
  /** Tried again after passing faults, and in older forms where the account asks for them. A list comes as facts. */
  read(name: RpcName, params: (cohort: Cohort) => unknown, options: CallOptions): Promise<unknown>;
  /** Sent once. */
  write(name: RpcName, params: unknown, options: CallOptions): Promise<WriteOutcome>;
  /** The final frame of the streamed answer. Sent once; `forms` are tried in turn while refused as malformed. */
  ask(forms: readonly unknown[], signal: AbortSignal): Promise<unknown[]>;
  /** The bytes of a file that was registered before. */
  upload(file: Upload, signal: AbortSignal): Promise<void>;
  /** The form that has worked so far in this process. */
  cohort(): Cohort;
}

interface Upload {
  notebookId: string;
  sourceId: string;
  name: string;
  mime: string;
  bytes: Uint8Array;
}

interface RpcOptions {
  language: string;
  authuser?: string | undefined;
  /** First wait before a read is tried again; it doubles each time. */
  retryDelayMs: number;
}

const APP = "/_/LabsTailwindUi/data";
const STREAM = `${APP}/google.internal.labs.tailwind.orchestration.v1.LabsTailwindOrchestrationService/GenerateFreeFormStreamed`;
const READ_TRIES = 3;
const PATIENCE_SECONDS = 5;
const STATUS = {
  invalid: 3,
  missing: 5,
  denied: 7,
  exhausted: 8,
  precondition: 9,
  internal: 13,
  unavailable: 14,
  signedOut: 16,
};

export function createRpc(browser: PageBrowser, options: RpcOptions): Rpc {
  let proven: Cohort | null = null;
  let questions = 0;

  /** One exchange. A stale token, stale cookies or a login wall mean that nothing was done: the page is loaded again, once. */
  async function exchange<R extends Reading>(
    request: (session: Session) => PageRequest<R>,
    signal: AbortSignal,
  ): Promise<PageReply<R>> {
    let session = await browser.session(signal);
    for (let renewed = false; ; renewed = true) {
      const reply = await browser.post(request(session), signal);
      if (!isWall(reply)) return reply;
      if (renewed)
        throw new ShelfError(
          "AUTH_REQUIRED",
          "NotebookLM refuses this session. Run `bookwheel login notebooks` to sign in again.",
          { details: { reason: "session_refused", http_status: reply.status } },
        );
      session = await browser.renew(session, signal);
    }
  }

  function query(session: Session, extra: Record<string, string>): string {
    const all = new URLSearchParams({
      "f.sid": session.sessionId,
      hl: options.language,
      bl: session.buildLabel,
      rt: "c",
      ...extra,
    });
    const authuser = session.authuser || options.authuser;
    if (authuser !== undefined) all.set("authuser", authuser);
    return all.toString();
  }

  async function call(name: RpcName, params: unknown, { path, signal }: CallOptions): Promise<unknown> {
    const id = RPC_IDS[name];
    const reply = await exchange(
      (session) => ({
        url: `${session.origin}${APP}/batchexecute?${query(session, { rpcids: id, "source-path": path })}`,
        body: callBody(id, params, session.csrf),
        reading: { as: name === "listNotebooks" ? "notebooks" : "call", rpc: id } as const,
      }),
      signal,
    );
    checkHttp(reply);
    const read = reply.read ?? { kind: "unreadable" };
    switch (read.kind) {
      case "result":
        return read.value;
      case "status":
        throw statusError(read.status, id);
      case "drift":
        throw unknownForm(id, "answered under another id", { answered: read.answered });
      case "empty":
        throw unknownForm(id, "answered nothing", { empty: true });
      case "too large":
        throw unknownForm(id, `answered with more than ${read.mib} MiB`);
      case "unreadable":
        throw unknownForm(id, "answered in no known form");
    }
  }

  /** Faults that pass: no connection, throttling with a short wait, a server that stumbled. */
  async function patiently(name: RpcName, params: unknown, call_: CallOptions): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call(name, params, call_);
      } catch (error) {
        const known = translated(error);
        if (attempt >= READ_TRIES || !passes(known)) throw known;
        const wait = options.retryDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random());
        await pause(Math.max(wait, (known.retry_after ?? 0) * 1000), call_.signal);
      }
    }
  }

  return {
    async read(name, params, call_) {
      const order = [...new Set([proven ?? "C", ...COHORTS])];
      const tried = new Set<string>();
      let first: ShelfError | undefined;
      for (const cohort of order) {
        const payload = params(cohort);
        const form = JSON.stringify(payload);
        if (tried.has(form)) continue;
        tried.add(form);
        try {
          const value = await patiently(name, payload, call_);
          if (dependsOnCohort(params)) proven = cohort;
          return value;
        } catch (error) {
          if (!(error instanceof ShelfError) || !mayBeCohort(error, proven !== null)) throw error;
          first ??= error;
        }
      }
      throw first ?? unknownForm(name, "was not sent");
    },

    async write(name, params, call_) {
      try {
        return { kind: "done", value: await call(name, params, call_) };
      } catch (error) {
        const known = translated(error);
        const status = known.details.status;
        if (status === STATUS.invalid || status === STATUS.precondition)
          return { kind: "refused", error: known, status };
        if (["NETWORK_ERROR", "TIMEOUT", "PARSE_ERROR"].includes(known.code)) return { kind: "lost", error: known };
        throw known;
      }
    },

    async ask(forms, signal) {
      questions++;
      for (const [i, form] of forms.entries()) {
        const reply = await exchange(
          (session) => ({
            url: `${session.origin}${STREAM}?${query(session, { _reqid: String(questions * 100_000) })}`,
            body: streamBody(form, session.csrf),
            reading: { as: "stream" } as const,
          }),
          signal,
        ).catch((error) => {
          throw translated(error);
        });
        checkHttp(reply);
        const read = reply.read ?? { kind: "unreadable" };
        if (read.kind === "answer") return read.value;
        if (read.kind === "status" && read.status.code === STATUS.invalid && i + 1 < forms.length) continue;
        throw streamError(read);
      }
      throw unknownForm("ask", "was not sent");
    },

    async upload({ notebookId, sourceId, name, mime, bytes }, signal) {
      const { origin, authuser } = await browser.session(signal);
      const account = authuser || options.authuser || "0";
      const { status } = await browser
        .upload(
          {
            url: `${origin}/upload/_/?authuser=${encodeURIComponent(account)}`,
            headers: {
              "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8",
              "x-goog-authuser": account,
              "x-goog-upload-command": "start",
              "x-goog-upload-protocol": "resumable",
              "x-goog-upload-header-content-length": String(bytes.length),
              "x-goog-upload-header-content-type": mime,
            },
            body: JSON.stringify({ PROJECT_ID: notebookId, SOURCE_NAME: name, SOURCE_ID: sourceId }),
            base64: Buffer.from(bytes).toString("base64"),
          },
          signal,
        )
        .catch((error) => {
          throw translated(error);
        });
      if (status === 400)
        throw new ShelfError("PROCESSING_FAILED", "NotebookLM does not take files of this kind.", {
          details: { http_status: status, name },
        });
      checkHttp({ status, retryAfter: null });
    },

    cohort: () => proven ?? "C",
  };
}

function dependsOnCohort(params: (cohort: Cohort) => unknown): boolean {
  return JSON.stringify(params("C")) !== JSON.stringify(params("B"));
}

/** After a form has worked once, "not found" is taken literally. */
function mayBeCohort({ details }: ShelfError, hasProof: boolean): boolean {
  if (details.status === STATUS.missing) return !hasProof;
  return details.status === STATUS.invalid || details.status === STATUS.precondition;
}

function isWall({ redirected, status, html, read }: PageReply): boolean {
  if (redirected || [400, 401, 403].includes(status)) return true;
  // Stale or device-bound cookies are refused inside a good reply.
  return status === 200 && (html || (read?.kind === "status" && read.status.code === STATUS.signedOut));
}

function checkHttp({ status, retryAfter }: Pick<PageReply, "status" | "retryAfter">): void {
  if (status === 200) return;
  if (status === 429) {
    const seconds = Number(retryAfter) > 0 ? Math.ceil(Number(retryAfter)) : undefined;
    throw rateLimited({ http_status: 429, ...(seconds ? { retry_after_seconds: seconds } : {}) }, seconds);
  }
  if (status >= 500)
    throw new ShelfError("NETWORK_ERROR", `NotebookLM answered with HTTP ${status}. Call again in a moment.`, {
      details: { http_status: status },
    });
  throw new ShelfError("PARSE_ERROR", `NotebookLM answered with HTTP ${status}; the service may have changed.`, {
    details: { http_status: status },
  });
}

function rateLimited(details: Record<string, unknown>, retry_after?: number): ShelfError {
  const wait = retry_after ? `Wait ${retry_after} seconds, then call again.` : "Wait a while, then call again.";
  return new ShelfError("RATE_LIMITED", `NotebookLM's limit for this account is reached. ${wait}`, {
    details,
    ...(retry_after ? { retry_after } : {}),
  });
}

/** A google.rpc status as one of the contract's codes. */
function statusError(status: Status, rpc: string): ShelfError {
  const details = { status: status.code, rpc };
  if (status.displayable || status.code === STATUS.exhausted) return rateLimited(details);
  switch (status.code) {
    case STATUS.missing:
    case STATUS.denied:
      return new ShelfError(
        "NOT_FOUND",
        "No such notebook or source in this account. Check the id with list_notebooks.",
        {
          details: {
            ...details,
            reason: status.code === STATUS.denied ? "no_permission" : "missing",
            hint: "With several accounts signed in, the wrong one may be in use.",
          },
        },
      );
    case STATUS.internal:
    case STATUS.unavailable:
      return new ShelfError("NETWORK_ERROR", "NotebookLM failed inside. Call again in a moment.", { details });
    default:
      return new ShelfError(
        "PARSE_ERROR",
        `NotebookLM refused the call (status ${status.code}) in every known form; it may have changed.`,
        { details },
      );
  }
}

function streamError(read: Exclude<StreamReply, { kind: "answer" }>): ShelfError {
  switch (read.kind) {
    case "status":
      return statusError(read.status, "ask");
    case "silent":
      return rateLimited({ reason: "no_answer_frames", rpc: "ask" });
    case "thinking":
      return new ShelfError(
        "TIMEOUT",
        "NotebookLM thought about the question and ended without an answer. Ask again, or ask something simpler.",
        {
          details: { reason: "thinking_only" },
        },
      );
    case "blank":
      return new ShelfError("NETWORK_ERROR", "NotebookLM ended with an empty answer. Ask again.", {
        details: { reason: "empty_answer" },
      });
    case "cut":
      return new ShelfError("NETWORK_ERROR", "The answer broke off before its end, so it is not shown. Ask again.", {
        details: { reason: "stream_cut" },
      });
    case "too large":
      return unknownForm("ask", `answered with more than ${read.mib} MiB`);
    case "unreadable":
      return unknownForm("ask", "answered in no known form");
  }
}

function unknownForm(rpc: string, what: string, details: Record<string, unknown> = {}): ShelfError {
  return new ShelfError(
    "PARSE_ERROR",
    `NotebookLM's call ${rpc} ${what}; the service may have changed. Please report it.`,
    {
      details: { rpc, ...details },
    },
  );
}

/** A lost reply in the contract's words; aborts and known failures pass through. */
function translated(error: unknown): ShelfError {
  if (error instanceof ShelfError) return error;
  if (error instanceof ReplyLost)
    return new ShelfError("NETWORK_ERROR", "The connection to NotebookLM broke. Check it and call again.", {
      cause: error,
    });
  throw error;
}

function passes({ code, retry_after, details }: ShelfError): boolean {
  if (details.reason === "region_not_served") return false;
  if (code === "RATE_LIMITED") return retry_after !== undefined && retry_after <= PATIENCE_SECONDS;
  return code === "NETWORK_ERROR";
}

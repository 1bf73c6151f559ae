import { randomUUID } from "node:crypto";
import { codePoints } from "../../../../catalog/fields.js";
import { ShelfError } from "../../../../kernel/errors.js";
import { plural } from "../../../../kernel/plural.js";
import { createSerialQueue } from "../../../../kernel/serial-queue.js";
import {
  type Answer,
  type Health,
  type Notebook,
  type NotebookBackend,
  type Source,
  unknownConversation,
} from "../../notebook-backend.js";
import { deadlineFor, type NotebookTool, usualMs } from "../../timeouts.js";
import { type AddingOptions, addSource } from "./adding.js";
import { toAnswer } from "./answer.js";
import { type PageBrowser, pageBrowser } from "./browser.js";
import { array, at, string } from "./codec.js";
import { pause, within } from "./deadline.js";
import { appUrl, DEFAULT_URL } from "./hosts.js";
import { blockText, isUuid, type NotebookFacts, type NotebookRow, notebookRow, toNotebook } from "./mapping.js";
import {
  askForms,
  createParams,
  deleteParams,
  deleteSourceParams,
  getParams,
  guideParams,
  listParams,
  renameParams,
  type Turn,
  textParams,
  turnsParams,
} from "./payloads.js";
import { COHORTS, createRpc, type Rpc, type RpcName, type WriteOutcome } from "./rpc.js";

export interface GoogleNotebooksOptions {
  /** Folder of the browser profile that `bookwheel login notebooks` signed in. */
  profileDir: string;
  /** One of the service's own hosts; any loopback address where `allowLoopback` is set. */
  url?: string | undefined;
  /** For tests against a server on this machine. */
  allowLoopback?: boolean | undefined;
  /** Chrome or Chromium; found where the system keeps it when not given. */
  executablePath?: string | undefined;
  headless?: boolean | undefined;
  /** Account index or e-mail where the profile is signed in to several. */
  authuser?: string | undefined;
  /** Interface language, which also decides the language of answers. */
  language?: string | undefined;
  /** The owner's deadline for every notebook tool, as the tools have it; steps get less. */
  timeoutSeconds?: number | undefined;
  timeouts?: Partial<GoogleTimeouts> | undefined;
}

/** Time limits of single steps. The deadline of a whole call comes with its signal. */
interface GoogleTimeouts {
  startMs: number;
  readMs: number;
  writeMs: number;
  askMs: number;
  idleMs: number;
  reloadMs: number;
  retryDelayMs: number;
  confirmDelaysMs: readonly number[];
}

/** Steps end before the call does, so that what became of a write can still be found out. */
function timeoutsFor(seconds: number | undefined): GoogleTimeouts {
  const share = (part: number, tool: NotebookTool) => part * (deadlineFor(tool, seconds) ?? usualMs(tool));
  return {
    startMs: share(0.65, "list_notebooks"),
    readMs: share(0.85, "list_notebooks"),
    writeMs: share(0.65, "add_source"),
    askMs: share(0.95, "ask"),
    idleMs: 300_000,
    reloadMs: 600_000,
    retryDelayMs: 1_000,
    confirmDelaysMs: [0, 700, 1_500],
  };
}

const MAX_QUESTION = 10_000;
/** Earlier questions and answers that a follow-up is given. */
const MAX_TURNS = 20;
/** A refused question of more characters than this is called too long rather than malformed. */
const LONG_QUESTION = 2_000;
const INVALID_ARGUMENT = 3;

/** The user's NotebookLM: calls are made by a page in the user's signed-in browser. */
export function googleNotebooks(options: GoogleNotebooksOptions): NotebookBackend {
  const times = { ...timeoutsFor(options.timeoutSeconds), ...options.timeouts };
  const allowLoopback = options.allowLoopback ?? false;
  const browser = pageBrowser({
    profileDir: options.profileDir,
    baseUrl: appUrl(options.url ?? DEFAULT_URL, allowLoopback),
    allowLoopback,
    executablePath: options.executablePath,
    headless: options.headless ?? true,
    authuser: options.authuser,
    startTimeoutMs: times.startMs,
    idleMs: times.idleMs,
    reloadMs: times.reloadMs,
  });
  const rpc = createRpc(browser, {
    language: options.language ?? "en",
    authuser: options.authuser,
    retryDelayMs: times.retryDelayMs,
  });
  return pageNotebooks(browser, rpc, times);
}

function pageNotebooks(browser: PageBrowser, rpc: Rpc, times: GoogleTimeouts): NotebookBackend {
  const reading = (signal: AbortSignal) =>
    within(signal, times.readMs, "NotebookLM did not answer in time. Call again.");
  const writing = (signal: AbortSignal) => within(signal, times.writeMs, "NotebookLM did not answer in time.");
  /** Writes run one at a time, so that what each one added can be found. */
  const writes = createSerialQueue();
  const oneAtATime = <T>(work: () => Promise<T>, signal: AbortSignal) => writes("", work, signal);

  async function look(id: string, signal: AbortSignal): Promise<NotebookRow> {
    if (!isUuid(id)) throw missing("notebook", id);
    const value = await rpc.read("getNotebook", getParams(id), { path: `/notebook/${id}`, signal: reading(signal) });
    return notebookRow(at(value, 0)) ?? unknownRow("getNotebook");
  }

  async function list(signal: AbortSignal): Promise<Notebook[]> {
    const value = await rpc.read("listNotebooks", listParams, { path: "/", signal: reading(signal) });
    const rows = value as (NotebookFacts | null)[]; // read by our own code in the page
    const known = rows.filter((row) => row !== null);
    // An account without notebooks answers with an empty list; rows that none can be read of are another form.
    if (rows.length > 0 && known.length === 0) unknownRow("listNotebooks");
    return known.map(toNotebook);
  }

  /** For writes that leave the same behind when sent twice: a lost reply is answered by sending again, once. */
  async function repeatable(name: RpcName, params: unknown, path: string, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await rpc.write(name, params, { path, signal: writing(signal) });
      if (outcome.kind === "done" || isEmptyReply(outcome)) return;
      if (outcome.kind === "refused" || attempt === 2) throw outcome.error;
    }
  }

  const adding: AddingOptions = { rpc, look, writeSignal: writing, confirmDelaysMs: times.confirmDelaysMs };

  return {
    name: "google",
    health: (signal) => health(browser, rpc, reading(signal)),
    list,
    get: async (id, signal) => (await look(id, signal)).notebook,
    sources: async (id, signal) =>
      (await look(id, signal)).sources.map(({ hasStatus: _hasStatus, ...source }): Source => source),
    addSource: (id, source, signal) => oneAtATime(() => addSource(id, source, signal, adding), signal),

    async ask(id, question, signal, conversationId): Promise<Answer> {
      if (codePoints(question) > MAX_QUESTION)
        throw new ShelfError("QUESTION_TOO_LONG", `The question has more than ${MAX_QUESTION} characters. Shorten it.`);
      const asking = within(
        signal,
        times.askMs,
        "NotebookLM did not finish its answer in time. Ask again, or ask something simpler.",
      );
      const { sources } = await look(id, asking);
      const ready = sources.filter(({ processing_status }) => processing_status === "complete");
      const pending = sources.filter(({ processing_status }) => processing_status === "processing");
      if (ready.length === 0)
        throw new ShelfError(
          "NO_SOURCES",
          pending.length
            ? "The notebook's sources are still being processed. Ask again in a minute."
            : "The notebook has no readable source. Add one with add_source first.",
          { details: { processing: pending.length, failed: sources.length - pending.length } },
        );
      const forms = askForms({
        notebookId: id,
        question,
        sourceIds: ready.map((source) => source.id),
        conversationId: conversationId ?? randomUUID(),
        turns: conversationId === undefined ? [] : await turnsOf(id, conversationId, asking),
      });
      const frame = await rpc.ask(forms, asking).catch((error) => refusedQuestion(error, question));
      const answer = toAnswer(frame, sources);
      if (pending.length) answer.notes.push(`Not searched: ${plural(pending.length, "source")} still being processed.`);
      return answer;
    },

    async guide(id, signal) {
      const { sources } = await look(id, signal);
      if (sources.length === 0) return { summary: null, suggested_questions: [] };
      const value = await rpc.read("guide", () => guideParams(id), {
        path: `/notebook/${id}`,
        signal: reading(signal),
      });
      const questions = array(at(value, 0, 1, 0)).flatMap((each) => string(at(each, 0)) ?? []);
      return { summary: string(at(value, 0, 0, 0)), suggested_questions: questions };
    },

    create: (name, signal) =>
      oneAtATime(async () => {
        const before = new Set((await list(signal)).map((notebook) => notebook.id));
        let last: Exclude<WriteOutcome, { kind: "done" }> | undefined;
        for (const cohort of new Set([rpc.cohort(), ...COHORTS])) {
          const outcome = await rpc.write("createNotebook", createParams(name, cohort), {
            path: "/",
            signal: writing(signal),
          });
          if (outcome.kind === "done") return (notebookRow(outcome.value) ?? unknownRow("createNotebook")).notebook;
          const found = await findCreated(name, before, signal);
          if (found) return found;
          last = outcome;
          if (outcome.kind === "lost") break;
        }
        throw last?.error ?? unknownRow("createNotebook");
      }, signal),

    rename: (id, name, signal) =>
      oneAtATime(async () => {
        await look(id, signal);
        await repeatable("renameNotebook", renameParams(id, name), `/notebook/${id}`, signal);
        return (await look(id, signal)).notebook;
      }, signal),

    remove: (id, signal) =>
      oneAtATime(async () => {
        await look(id, signal);
        await repeatable("deleteNotebook", deleteParams(id), "/", signal).catch(unlessGone);
      }, signal),

    removeSource: (id, sourceId, signal) =>
      oneAtATime(async () => {
        await findSource(id, sourceId, signal);
        await repeatable("deleteSource", deleteSourceParams(sourceId), `/notebook/${id}`, signal).catch(unlessGone);
      }, signal),

    async sourceText(id, sourceId, signal) {
      const { title } = await findSource(id, sourceId, signal);
      const value = await rpc.read("sourceText", () => textParams(sourceId), {
        path: `/notebook/${id}`,
        signal: reading(signal),
      });
      return { title, text: blockText(at(value, 3, 0, 0)) };
    },

    close: () => browser.close(),
  };

  /** Earlier turns as the service keeps them, newest first. */
  async function turnsOf(id: string, conversationId: string, signal: AbortSignal): Promise<Turn[]> {
    const known = isUuid(conversationId)
      ? await rpc.read("turns", () => turnsParams(conversationId, MAX_TURNS), { path: `/notebook/${id}`, signal })
      : [];
    const turns = array(at(known, 0)).flatMap((turn): Turn[] => {
      const asked = string(at(turn, 3));
      const answered = string(at(turn, 4, 0, 0));
      if (at(turn, 2) === 1 && asked) return [{ by: "reader", text: asked }];
      return answered ? [{ by: "service", text: answered }] : [];
    });
    if (turns.length === 0) throw unknownConversation(conversationId);
    return turns;
  }

  async function findSource(id: string, sourceId: string, signal: AbortSignal): Promise<Source> {
    const { sources } = await look(id, signal);
    const found = sources.find((source) => source.id === sourceId);
    if (!found) throw missing("source", sourceId);
    return found;
  }

  async function findCreated(name: string, before: Set<string>, signal: AbortSignal): Promise<Notebook | undefined> {
    for (const delay of times.confirmDelaysMs) {
      await pause(delay, signal);
      const notebooks = await list(signal);
      const found = notebooks.find((notebook) => notebook.name === name && !before.has(notebook.id));
      if (found) return found;
    }
    return undefined;
  }
}

/** A real call through a real page; what failed is named. */
async function health(browser: PageBrowser, rpc: Rpc, signal: AbortSignal): Promise<Health> {
  const details: Record<string, unknown> = {};
  const failed = (error: ShelfError, rest: Partial<Health>): Health => ({
    status: "unhealthy",
    authenticated: false,
    browser_ok: true,
    error: error.message,
    details: { ...details, ...error.details, code: healthCode(error) },
    ...rest,
  });
  try {
    const { origin, buildLabel } = await browser.session(signal);
    details.host = new URL(origin).host;
    details.build = string(buildLabel);
  } catch (error) {
    if (!(error instanceof ShelfError)) throw error;
    return failed(error, { browser_ok: error.code !== "BROWSER_LAUNCH_FAILED" });
  }
  try {
    await rpc.read("listNotebooks", listParams, { path: "/", signal });
    return { status: "healthy", authenticated: true, browser_ok: true, error: null, details };
  } catch (error) {
    if (!(error instanceof ShelfError)) throw error;
    const signedIn = error.code !== "AUTH_REQUIRED";
    return failed(error, signedIn ? { status: "degraded", authenticated: true } : {});
  }
}

/** The service refuses a malformed question and one that is too long for it alike. */
function refusedQuestion(error: unknown, question: string): never {
  if (error instanceof ShelfError && error.details.status === INVALID_ARGUMENT && codePoints(question) > LONG_QUESTION)
    throw new ShelfError(
      "QUESTION_TOO_LONG",
      "NotebookLM refuses the question, most likely for its length. Shorten it.",
      {
        details: error.details,
        cause: error,
      },
    );
  throw error;
}

function healthCode({ code, details }: ShelfError): string {
  return code === "AUTH_REQUIRED" && details.reason !== "not_signed_in" ? "SESSION_EXPIRED" : code;
}

/** Deleting and renaming succeed with an empty reply. */
function isEmptyReply({ error }: { error: ShelfError }): boolean {
  return error.code === "PARSE_ERROR" && error.details.empty === true;
}

/** A source that is gone after a lost reply was removed by that request. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ShelfError && error.code === "NOT_FOUND")) throw error;
}

function missing(what: "notebook" | "source", id: string): ShelfError {
  const tool = what === "notebook" ? "list_notebooks" : "list_notebook_sources";
  return new ShelfError("NOT_FOUND", `There is no ${what} '${id}'. Check the id with ${tool}.`, { details: { id } });
}

function unknownRow(rpc: string): never {
  throw new ShelfError(
    "PARSE_ERROR",
    `NotebookLM's ${rpc} answered in an unknown form; the service may have changed. Please report it.`,
    {
      details: { rpc },
    },
  );
}

import { ShelfError } from "../../../../kernel/errors.js";
import type {
  AddedSource,
  NewSource,
  Notebook,
  NotebookBackend,
  ProcessingStatus,
  Source,
  SourceType,
} from "../../notebook-backend.js";
import { checkNewSource } from "./adding.js";
import { pause, within } from "./deadline.js";
import { driveFile } from "./drive.js";
import { isLoopback } from "./hosts.js";

export interface OfficialApiOptions {
  token: string;
  /** Cloud project the calls are billed to. */
  project?: string | undefined;
  url?: string | undefined;
  allowLoopback: boolean;
  timeoutMs: number;
  confirmDelaysMs: readonly number[];
}

const BASE = "https://notebook.googleapis.com/v1";
const PAGE = 100;
const NEEDS_BROWSER =
  "Google's official notebook API cannot do this. It needs a signed-in browser as well: run `bookwheel login notebooks`.";

type Json = Record<string, unknown>;

/** The official API where it serves; asking, removing and reading text stay with the signed-in page. */
export function officialApi(options: OfficialApiOptions, page: NotebookBackend): NotebookBackend {
  const call = caller(options);

  async function all(path: string, name: string, signal: AbortSignal): Promise<Json[]> {
    const found: Json[] = [];
    let token = "";
    do {
      const reply = await call(
        "GET",
        `${path}?pageSize=${PAGE}${token && `&pageToken=${encodeURIComponent(token)}`}`,
        signal,
      );
      found.push(...(Array.isArray(reply[name]) ? reply[name] : []));
      token = text(reply.nextPageToken) ?? "";
    } while (token);
    return found;
  }

  const notebookPath = (id: string) => `/notebooks/${encodeURIComponent(id)}`;
  const listSources = async (id: string, signal: AbortSignal): Promise<Source[]> =>
    (await all(`${notebookPath(id)}/sources`, "sources", signal))
      .filter(({ state }) => state !== "DELETING")
      .map(toSource);

  async function add(id: string, source: NewSource, signal: AbortSignal): Promise<AddedSource> {
    checkNewSource(source);
    const known = new Set((await listSources(id, signal)).map((each) => each.id));
    if (source.source_type === "file" || (source.source_type === "url" && driveFile(source.url)))
      return page.addSource(id, source, signal).catch(sayWhatIsNeeded);
    const title = source.title ? { display_name: source.title } : {};
    const body =
      source.source_type === "url"
        ? { ...title, web_content: { url: source.url } }
        : { ...title, text_content: source.text, mime_type: "text/markdown" };
    const created = await call("POST", `${notebookPath(id)}/sources`, signal, body)
      .then(toSource)
      .catch((error) => confirm(error));
    if (created.processing_status === "failed")
      throw new ShelfError(
        "PROCESSING_FAILED",
        "NotebookLM could not read the source. Check that the page is public, or paste its text.",
        {
          details: { source_id: created.id, title: created.title },
        },
      );
    const message =
      created.processing_status === "processing" ? "Source added. NotebookLM is processing the content." : null;
    return { source_id: created.id, title: created.title, processing_status: created.processing_status, message };

    /** A lost reply is settled by looking for what was not there before; nothing is sent twice. */
    async function confirm(error: unknown): Promise<Source> {
      if (!(error instanceof ShelfError)) throw error;
      if (error.code === "PARSE_ERROR" && error.details.http_status === 400)
        throw source.source_type === "url"
          ? new ShelfError(
              "UNSUPPORTED_URL",
              "NotebookLM does not take this address. Use another one, or paste the text.",
              { cause: error },
            )
          : new ShelfError("PROCESSING_FAILED", "NotebookLM does not take this text. Check its content, or split it.", {
              cause: error,
            });
      if (error.code !== "NETWORK_ERROR" && error.code !== "TIMEOUT") throw error;
      for (const delay of options.confirmDelaysMs) {
        await pause(delay, signal);
        const fresh = (await listSources(id, signal)).filter((each) => !known.has(each.id));
        const found = fresh.find((each) =>
          source.source_type === "url" ? each.url === source.url : each.url === null,
        );
        if (found) return found;
      }
      throw new ShelfError(
        error.code,
        `${error.message} The source may still appear: check with list_notebook_sources before adding it again.`,
        {
          details: { ...error.details, confirmed: false },
          cause: error.cause,
        },
      );
    }
  }

  return {
    ...page,
    async health(signal) {
      const browser = await page.health(signal);
      try {
        await call("GET", "/notebooks?pageSize=1", signal);
      } catch (error) {
        if (!(error instanceof ShelfError)) throw error;
        return {
          ...browser,
          status: "unhealthy",
          authenticated: false,
          error: error.message,
          details: { ...error.details, code: error.code, browser },
        };
      }
      if (browser.status === "healthy") return { ...browser, details: { ...browser.details, official_api: true } };
      return {
        status: "degraded",
        authenticated: true,
        browser_ok: browser.browser_ok,
        error: `Listing and adding work by the official API. Asking does not: ${browser.error}`,
        details: { ...browser.details, official_api: true },
      };
    },
    list: async (signal) => (await all("/notebooks", "notebooks", signal)).map((each) => toNotebook(each, null)),
    async get(id, signal) {
      const [notebook, sources] = await Promise.all([call("GET", notebookPath(id), signal), listSources(id, signal)]);
      return toNotebook(notebook, sources.length);
    },
    sources: listSources,
    addSource: add,
    ask: (id, question, signal, conversationId) =>
      page.ask(id, question, signal, conversationId).catch(sayWhatIsNeeded),
    guide: (id, signal) => page.guide(id, signal).catch(sayWhatIsNeeded),
    create: async (name, signal) => toNotebook(await call("POST", "/notebooks", signal, { display_name: name }), 0),
    async rename(id, name, signal) {
      const renamed = await call("PATCH", `${notebookPath(id)}?updateMask=display_name`, signal, {
        display_name: name,
      });
      return toNotebook(renamed, (await listSources(id, signal)).length);
    },
    remove: (id, signal) => page.remove(id, signal).catch(sayWhatIsNeeded),
    removeSource: (id, sourceId, signal) => page.removeSource(id, sourceId, signal).catch(sayWhatIsNeeded),
    sourceText: (id, sourceId, signal) => page.sourceText(id, sourceId, signal).catch(sayWhatIsNeeded),
  };
}

function sayWhatIsNeeded(error: unknown): never {
  if (error instanceof ShelfError && (error.code === "AUTH_REQUIRED" || error.code === "BROWSER_LAUNCH_FAILED"))
    throw new ShelfError(error.code, `${NEEDS_BROWSER} (${error.message})`, { details: error.details, cause: error });
  throw error;
}

function caller(options: OfficialApiOptions) {
  const base = options.url ?? BASE;
  if (base !== BASE && !(options.allowLoopback && URL.canParse(base) && isLoopback(new URL(base))))
    throw new ShelfError("INVALID_INPUT", `The notebook API is at ${BASE} and nowhere else.`, {
      details: { fields: ["url"] },
    });
  const headers = {
    authorization: `Bearer ${options.token}`,
    "content-type": "application/json",
    ...(options.project ? { "x-goog-user-project": options.project } : {}),
  };
  return async (method: string, path: string, signal: AbortSignal, body?: Json): Promise<Json> => {
    const limited = within(signal, options.timeoutMs, "The notebook API did not answer in time. Call again.");
    const init = {
      method,
      headers,
      signal: limited,
      redirect: "error" as const,
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
    const { status, retryAfter, json } = await fetch(`${base}${path}`, init)
      .then(async (reply) => ({
        status: reply.status,
        retryAfter: reply.headers.get("retry-after"),
        json: await readJson(reply),
      }))
      .catch((cause) => {
        limited.throwIfAborted();
        throw new ShelfError(
          "NETWORK_ERROR",
          "The notebook API could not be reached. Check the connection and call again.",
          { cause },
        );
      });
    if (status === 200 && json) return json;
    throw apiError(status, json, retryAfter);
  };
}

async function readJson(reply: Response): Promise<Json | null> {
  const body = await reply.text();
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : null;
  } catch {
    return null; // told by the status, or as an unknown form
  }
}

function apiError(status: number, json: Json | null, retryAfter: string | null): ShelfError {
  const error = isObject(json?.error) ? json.error : {};
  const reasons = (Array.isArray(error.details) ? error.details : []).flatMap(
    (each) => (isObject(each) && text(each.reason)) || [],
  );
  const details = { http_status: status, ...(reasons.length ? { reasons } : {}) };
  if (status === 401)
    return new ShelfError(
      "AUTH_REQUIRED",
      "The notebook API refuses NOTEBOOK_API_TOKEN. It lives about an hour: make a new one and restart.",
      { details },
    );
  if (status === 403)
    return new ShelfError(
      "AUTH_REQUIRED",
      reasons.includes("WORKSPACE_ACCOUNT_NOT_SUPPORTED")
        ? "The notebook API does not serve Workspace accounts. Unset NOTEBOOK_API_TOKEN and run `bookwheel login notebooks`."
        : "The notebook API denies this token. It needs the notebook scope and a project with the API enabled.",
      { details },
    );
  if (status === 404)
    return new ShelfError("NOT_FOUND", "No such notebook in this account. Check the id with list_notebooks.", {
      details,
    });
  if (status === 429) {
    const seconds = Number(retryAfter) > 0 ? Math.ceil(Number(retryAfter)) : 60;
    return new ShelfError(
      "RATE_LIMITED",
      `The notebook API's limit is reached. Wait ${seconds} seconds, then call again.`,
      {
        details: { ...details, retry_after_seconds: seconds },
        retry_after: seconds,
      },
    );
  }
  if (status >= 500)
    return new ShelfError("NETWORK_ERROR", `The notebook API answered with HTTP ${status}. Call again in a moment.`, {
      details,
    });
  return new ShelfError("PARSE_ERROR", `The notebook API answered HTTP ${status} in an unknown form.`, { details });
}

function toNotebook(json: Json, source_count: number | null): Notebook {
  return {
    id: lastPart(json.name),
    name: text(json.displayName) ?? "",
    source_count,
    created_at: text(json.createTime),
    updated_at: null,
    description: null,
  };
}

const STATES: Record<string, ProcessingStatus> = { PROCESSING: "processing", ACTIVE: "complete", FAILED: "failed" };

function toSource(json: Json): Source {
  const url = text(json.originalUrl);
  return {
    id: lastPart(json.name),
    title: text(json.displayName) ?? url ?? lastPart(json.name),
    type: typeOf(text(json.mimeType) ?? "", url),
    url,
    added_at: text(json.createTime),
    processing_status: STATES[text(json.state) ?? ""] ?? "processing",
  };
}

function typeOf(mime: string, url: string | null): SourceType {
  if (mime === "video/vnd.youtube.yt") return "youtube";
  if (mime === "application/pdf") return "pdf";
  if (mime === "application/vnd.google-apps.document") return "gdoc";
  if (mime === "application/vnd.google-apps.presentation") return "gslides";
  if (mime.startsWith("audio/")) return "audio";
  if (mime === "text/html") return "url";
  if (mime.startsWith("text/")) return url ? "url" : "text";
  return "unknown";
}

function lastPart(name: unknown): string {
  const id = text(name)?.split("/").at(-1);
  if (!id) throw new ShelfError("PARSE_ERROR", "The notebook API answered in an unknown form; it may have changed.");
  return id;
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

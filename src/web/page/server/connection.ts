import type { Client } from "@modelcontextprotocol/client";
import { computed, signal } from "@preact/signals";
import { earlyAnswer } from "./early-requests.js";
import { keys, tokenWanted } from "./keys.js";
import { keyHeaders } from "./stored-keys.js";

export interface ToolInfo {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Schema;
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
}
export interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  anyOf?: Schema[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

export interface Failure {
  code: string;
  message: string;
  retry_after?: number;
  /** `fields`: the parameters that were refused. `accepted`: it was written all the same. */
  details?: { fields?: { field: string; problem: string }[]; accepted?: boolean };
}
export type Args = Record<string, unknown>;
export type Result<T> = { ok: true; data: T } | { ok: false; error: Failure };

/** A tool call as it was sent, without secrets. */
export interface Exchange {
  url: string;
  headers: Record<string, string>;
  request: string;
  status: number;
  response: string;
  ms: number;
}

export const tools = signal<readonly ToolInfo[] | undefined>(undefined);
export const unreachable = signal<string | undefined>(undefined);
const names = computed(() => new Set(tools.value?.map(({ name }) => name)));
export const offers = (...wanted: string[]): boolean => wanted.every((name) => names.value.has(name));

const propertyOf = (name: string, parameter: string) =>
  tools.value?.find((tool) => tool.name === name)?.inputSchema.properties?.[parameter];

/** Whether an available tool has this parameter. */
export const takes = (name: string, parameter: string): boolean => propertyOf(name, parameter) !== undefined;

/** The values a parameter of an available tool may have. */
export const choicesOf = (name: string, parameter: string): string[] =>
  (propertyOf(name, parameter)?.enum ?? []).map(String);

const ENDPOINT = new URL("./mcp", document.baseURI);
/** Longer than every server deadline a view can reach: the server's own error comes first and is more precise. */
const PATIENCE_MS = 200_000;
/** For calls that report progress: reading many files may take half an hour. */
const LONG_PATIENCE_MS = 31 * 60_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The early answers are painted before the client is loaded, unless they take longer than this. */
const FIRST_PAINT_MS = 1_000;
const PAINT_MS = 30;
const shownFirst = Promise.race([
  Promise.all(globalThis.bookwheelEarly?.map(({ answer }) => answer) ?? []).then(() => pause(PAINT_MS)),
  pause(FIRST_PAINT_MS),
]);

let connecting: Promise<Client> | undefined;

function connected(): Promise<Client> {
  connecting ??= connect().catch((error: unknown) => {
    connecting = undefined;
    throw error;
  });
  return connecting;
}

/** The client is large and the first view may need only early answers: it is loaded after those are painted. */
async function connect(): Promise<Client> {
  await shownFirst;
  const { connectTo } = await import("./mcp-client.js");
  return connectTo(ENDPOINT, send);
}

const watchers = new Map<string, (exchange: Exchange) => void>();

/** Every request of the client passes here: it adds the keys, and on a 401 the page asks for the server's token. */
async function send(url: string | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(keyHeaders(keys.value))) headers.set(name, value);
  const started = performance.now();
  const response = await fetch(url, { ...init, headers });
  if (response.status === 401) {
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    tokenWanted.value = messageIn(body) ?? "This server needs its token.";
  }
  const watch = watchers.get(headers.get("mcp-name") ?? "");
  if (watch && headers.get("mcp-method") === "tools/call")
    watch({
      url: String(url),
      headers: Object.fromEntries([...headers].filter(([name]) => !SECRET.has(name) && SHOWN.test(name))),
      request: typeof init?.body === "string" ? init.body : "",
      status: response.status,
      response: await response.clone().text(),
      ms: performance.now() - started,
    });
  return response;
}

const SECRET = new Set(["authorization", "x-readwise-token"]);
const SHOWN = /^(accept|content-type|mcp-.*)$/;

export async function loadTools(): Promise<void> {
  try {
    const early = await earlyAnswer("tools/list", {});
    const listed = early ?? (await (await connected()).listTools({}, { cacheMode: "refresh" }));
    tools.value = (listed as { tools: ToolInfo[] }).tools;
    unreachable.value = undefined;
  } catch (error) {
    unreachable.value = tokenWanted.value ?? wordsOf(error);
  }
}

export interface Progress {
  done: number;
  total?: number;
  message?: string;
}
interface CallOptions {
  signal?: AbortSignal;
  watch?: (exchange: Exchange) => void;
  /** Called with the progress that the tool reports. */
  progress?: (progress: Progress) => void;
}

interface ToolAnswer {
  isError?: boolean | undefined;
  structuredContent?: unknown;
}

function resultOf<T>({ isError, structuredContent }: ToolAnswer): Result<T> {
  if (!isError) return { ok: true, data: structuredContent as T };
  return {
    ok: false,
    error: failureIn(structuredContent) ?? { code: "error", message: "The tool failed without saying why." },
  };
}

export async function callTool<T>(
  name: string,
  args: Args,
  { signal, watch, progress }: CallOptions = {},
): Promise<Result<T>> {
  const early = watch ? undefined : await earlyAnswer("tools/call", { name, arguments: args });
  if (early !== undefined) return resultOf(early as ToolAnswer);
  if (watch) watchers.set(name, watch);
  try {
    const client = await connected();
    const result = await client.callTool(
      { name, arguments: args },
      {
        timeout: progress ? LONG_PATIENCE_MS : PATIENCE_MS,
        ...(signal ? { signal } : {}),
        ...(progress
          ? {
              onprogress: ({ progress: done, total, message }) =>
                progress({ done, ...(total === undefined ? {} : { total }), ...(message ? { message } : {}) }),
            }
          : {}),
      },
    );
    return resultOf(result);
  } catch (error) {
    return { ok: false, error: { code: tokenWanted.value ? "token_needed" : "unreachable", message: wordsOf(error) } };
  } finally {
    watchers.delete(name);
  }
}

/** One of the server's public endpoints besides MCP. */
export async function readDoor(path: "ready" | "metrics"): Promise<{ status: number; text: string }> {
  const response = await fetch(new URL(`./${path}`, document.baseURI), { headers: keyHeaders(keys.value) });
  return { status: response.status, text: await response.text() };
}

function failureIn(data: unknown): Failure | undefined {
  if (typeof data !== "object" || data === null || !("error" in data)) return undefined;
  return data.error as Failure;
}

function messageIn(body: unknown): string | undefined {
  const message = (body as { error?: { message?: unknown } } | undefined)?.error?.message;
  return typeof message === "string" ? message : undefined;
}

function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /fetch|network/i.test(text) ? "The server does not answer. Is it still running?" : text;
}

import "./no-eval.js"; // before any module that creates schemas
import {
  Client,
  type ClientOptions,
  type DiscoverResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { computed, signal } from "@preact/signals";
import { keyHeaders, keys, tokenWanted } from "./keys.js";

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

/** Whether an available tool has this parameter. */
export const takes = (name: string, parameter: string): boolean =>
  tools.value?.find((tool) => tool.name === name)?.inputSchema.properties?.[parameter] !== undefined;

const ENDPOINT = new URL("./mcp", document.baseURI);
/** Longer than every server deadline a view can reach: the server's own error comes first and is more precise. */
const PATIENCE_MS = 200_000;
/** For calls that report progress: reading many files may take half an hour. */
const LONG_PATIENCE_MS = 31 * 60_000;

let connecting: Promise<Client> | undefined;

function connected(): Promise<Client> {
  connecting ??= connect().catch((error: unknown) => {
    connecting = undefined;
    throw error;
  });
  return connecting;
}

/** The page is served by its server and knows the protocol version: no discovery request is needed. */
const KNOWN: DiscoverResult = {
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  resultType: "complete",
  ttlMs: 0,
  cacheScope: "private",
};

/** No validators: the server checks its own answers, and compiling one for each tool would double the start-up time. */
const ALREADY_CHECKED: NonNullable<ClientOptions["jsonSchemaValidator"]> = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

async function connect(): Promise<Client> {
  const client = new Client({ name: "bookwheel-page", version: "1" }, { jsonSchemaValidator: ALREADY_CHECKED });
  await client.connect(new StreamableHTTPClientTransport(ENDPOINT, { fetch: send }), {
    prior: { kind: "modern", discover: KNOWN },
  });
  return client;
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
    const client = await connected();
    tools.value = (await client.listTools({}, { cacheMode: "refresh" })).tools as unknown as ToolInfo[];
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

let early: { wanted: string; answer: Promise<Result<unknown>> } | undefined;

/** Calls a tool before the list of tools is loaded, so that both requests run at the same time. */
export function askEarly(name: string, args: Args): void {
  early = { wanted: JSON.stringify([name, args]), answer: call(name, args) };
}

export async function callTool<T>(name: string, args: Args, options: CallOptions = {}): Promise<Result<T>> {
  const begun = early;
  if (begun?.wanted === JSON.stringify([name, args]) && !options.watch) {
    early = undefined;
    return (await begun.answer) as Result<T>;
  }
  return call<T>(name, args, options);
}

async function call<T>(name: string, args: Args, { signal, watch, progress }: CallOptions = {}): Promise<Result<T>> {
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
    const data = result.structuredContent;
    if (!result.isError) return { ok: true, data: data as T };
    return {
      ok: false,
      error: failureIn(data) ?? { code: "error", message: "The tool failed without saying why." },
    };
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

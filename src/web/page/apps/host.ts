import { signal } from "@preact/signals";

/** Messages from the host around the frame: JSON-RPC over postMessage, as the MCP Apps extension defines it. */
const PROTOCOL = "2026-01-26";

interface ToolResult<T> {
  structuredContent?: T | { error: { message: string; code: string } };
  content?: { type: string; text?: string }[];
  isError?: boolean;
}
interface HostContext {
  theme?: "light" | "dark";
}
interface Message {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
}

export const toolInput = signal<Record<string, unknown>>({});
export const toolResult = signal<ToolResult<unknown> | undefined>(undefined);
/** What the host allows a view to do; controls that need more are not shown. */
export const hostCan = signal<{ serverTools?: object; openLinks?: object }>({});

const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
let count = 0;

function post(message: Omit<Message, "jsonrpc">): void {
  // A sandboxed frame does not know the host's origin; it sends nothing secret.
  parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function request<T>(method: string, params: object): Promise<T> {
  const id = ++count;
  return new Promise<T>((resolve, reject) => {
    waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
    post({ id, method, params });
  });
}

const HANDLERS: Record<string, (params: never) => void> = {
  "ui/notifications/tool-input": ({ arguments: args }: { arguments?: Record<string, unknown> }) => {
    toolInput.value = args ?? {};
  },
  "ui/notifications/tool-result": (result: ToolResult<unknown>) => {
    toolResult.value = result;
  },
  "ui/notifications/host-context-changed": apply,
};

function apply({ theme }: HostContext): void {
  if (theme) document.documentElement.dataset.theme = theme;
}

function receive({ source, data }: MessageEvent<unknown>): void {
  if (source !== parent || typeof data !== "object" || data === null || (data as Message).jsonrpc !== "2.0") return;
  const message = data as Message;
  if (message.method === undefined) {
    const pending = waiting.get(Number(message.id));
    waiting.delete(Number(message.id));
    if (message.error) pending?.reject(new Error(message.error.message));
    else pending?.resolve(message.result);
    return;
  }
  HANDLERS[message.method]?.((message.params ?? {}) as never);
  // A host that asks (a ping, the end of the view) waits for an answer.
  if (message.id !== undefined) post({ id: message.id, result: {} });
}

/** Calls a tool of the server this view came from, through the host. */
export async function callThroughHost<T>(name: string, args: Record<string, unknown>): Promise<ToolResult<T>> {
  return request("tools/call", { name, arguments: args });
}

export function openLink(url: string): void {
  void request("ui/open-link", { url }).catch(() => undefined); // a host may decline
}

export async function meetHost(): Promise<void> {
  addEventListener("message", receive);
  const { hostContext, hostCapabilities } = await request<{
    hostContext?: HostContext;
    hostCapabilities?: { serverTools?: object; openLinks?: object };
  }>("ui/initialize", {
    protocolVersion: PROTOCOL,
    appInfo: { name: "bookwheel", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline"] },
  });
  apply(hostContext ?? {});
  hostCan.value = hostCapabilities ?? {};
  post({ method: "ui/notifications/initialized", params: {} });
  const size = () =>
    post({
      method: "ui/notifications/size-changed",
      params: {
        width: document.documentElement.scrollWidth,
        height: Math.ceil(document.body.getBoundingClientRect().height),
      },
    });
  new ResizeObserver(size).observe(document.body);
}

import { Console } from "node:console";
import { PassThrough } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Log } from "../kernel/log.js";
import type { CatalogServer, RequestScope } from "../mcp/server.js";
import { stopped } from "./stopped.js";

const MAX_LINE_BYTES = 17 * 1024 * 1024;
/** `echo … | bookwheel stdio` closes stdin at once and still expects answers; after that we exit within a second. */
const LAST_ANSWERS_MS = 700;

/**
 * MCP over stdin and stdout. stdout belongs to the protocol: output of dependencies goes to stderr.
 * Resolves when the client has disconnected and its last requests are answered, or when `signal` aborts.
 */
export async function runStdio({
  server,
  scope,
  log,
  signal,
}: {
  server: CatalogServer;
  scope: RequestScope;
  log: Log;
  signal: AbortSignal;
}): Promise<void> {
  // The transport drops what it is working on when its input ends, so it never sees the end of ours.
  const input = process.stdin.pipe(new PassThrough(), { end: false });
  const transport = new StdioServerTransport(input, keepStdoutForProtocol(), { maxBufferSize: MAX_LINE_BYTES });
  const handle = serveStdio(() => server.serve(scope), {
    transport,
    onerror: (error) => log.debug("stdio transport", { error: error.message }),
  });
  const answered = countOpen(transport);
  const gone = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  await Promise.race([gone.then(() => Promise.race([answered(), after(LAST_ANSWERS_MS)])), stopped(signal)]);
  await handle.close();
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());

/** Watches requests come in and their answers go out; the function it gives resolves when none is open. */
function countOpen(transport: StdioServerTransport): () => Promise<void> {
  const open = new Set<unknown>();
  let idle: (() => void) | undefined;
  const close = (id: unknown) => {
    if (open.delete(id) && open.size === 0) idle?.();
  };
  const deliver = transport.onmessage;
  transport.onmessage = (message) => {
    if ("method" in message && "id" in message) open.add(message.id);
    if ("method" in message && message.method === "notifications/cancelled") close(message.params?.requestId);
    deliver?.(message);
  };
  const send = transport.send.bind(transport);
  transport.send = (message) => send(message).finally(() => "method" in message || close(message.id));
  return async () => {
    // Data already in the pipe is delivered in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    if (open.size > 0) await new Promise<void>((resolve) => (idle = resolve));
  };
}

/** The real stdout for the transport; for everybody else `process.stdout` and `console` write to stderr. */
function keepStdoutForProtocol(): NodeJS.WriteStream {
  const stdout = process.stdout;
  globalThis.console = new Console(process.stderr, process.stderr);
  const toStderr = process.stderr.write.bind(process.stderr);
  const protocol = Object.create(stdout, { write: { value: stdout.write.bind(stdout) } }) as NodeJS.WriteStream;
  stdout.write = ((chunk: Uint8Array | string, ...rest: never[]) => toStderr(chunk, ...rest)) as typeof stdout.write;
  return protocol;
}

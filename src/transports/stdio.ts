import { Console } from "node:console";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Log } from "../log.js";
import type { CatalogServer, Visit } from "../mcp/server.js";

const MAX_LINE_BYTES = 17 * 1024 * 1024;

/**
 * MCP over stdin and stdout. stdout belongs to the protocol: whatever a dependency prints goes to stderr instead.
 * Resolves when the client has gone or `signal` says stop.
 */
export async function runStdio({
  server,
  visit,
  log,
  signal,
}: {
  server: CatalogServer;
  visit: Visit;
  log: Log;
  signal: AbortSignal;
}): Promise<void> {
  const transport = new StdioServerTransport(process.stdin, keepStdoutForProtocol(), { maxBufferSize: MAX_LINE_BYTES });
  const handle = serveStdio(() => server.serve(visit), {
    transport,
    onerror: (error) => log.debug("stdio transport", { error: error.message }),
  });
  await new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await handle.close();
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

import { fileURLToPath } from "node:url";
import { version } from "../app/version.js";
import type { Assembled } from "../assembly.js";
import { type Config, refuseOpenShelves } from "../config/config.js";
import { ShelfError } from "../kernel/errors.js";
import type { Run } from "./command.js";

/** Everything the configuration asks for, closed where the caller's block ends. */
export async function openShelves(run: Pick<Run, "config" | "log" | "metrics">): Promise<Assembled & AsyncDisposable> {
  const { assemble } = await import("../assembly.js");
  const shelves = await assemble(run.config, run.log, run.metrics);
  return { ...shelves, [Symbol.asyncDispose]: () => shelves.close() };
}

/** Serves until the stop signal, and prints what is running. */
export async function serve(
  { config, log, metrics, signal, complain }: Run,
  shelves: Assembled,
  guestKey?: string,
): Promise<number> {
  refuseOpenShelves(config);
  const [{ startHttp }, { stopped }, { tlsListener }, { pageFiles }] = await Promise.all([
    import("../transports/http.js"),
    import("../transports/stopped.js"),
    import("../transports/tls.js"),
    import("../web/page-files.js"),
  ]);
  const server = await serverOver(shelves);
  const page = pageFiles(fileURLToPath(new URL("../web/page", import.meta.url)));
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = config;
  const tls = certFile && keyFile ? { listener: tlsListener({ certFile, keyFile, log, metrics }) } : {};
  const { uploads } = shelves;
  const http = await startHttp({ config, server, metrics, log, ready: shelves.ready, page, guestKey, uploads, ...tls });
  // A person reads a welcome; a log collector reads JSON lines and nothing else. The demo is for persons, also behind make.
  const isDemo = guestKey !== undefined;
  if (!process.stderr.isTTY)
    log.info("listening", { url: http.url, shelves: config.shelves, profiles: [...config.profiles] });
  if (process.stderr.isTTY || isDemo) complain(welcome(http.url, { hasPage: page !== undefined, isDemo, config }));
  const { watchFolders } = await import("../ingest/watching.js");
  const watching = watchFolders(shelves.watched, {
    ingestion: shelves.services.ingestion,
    say: (project, event) => log.info("watched folder", { project, event }),
    signal,
  });
  await stopped(signal);
  log.info("stopping: calls in flight may finish");
  await watching;
  await http.close();
  return 0;
}

/** The catalog of tools over these shelves, as MCP. */
export async function serverOver({ services }: Assembled) {
  const [{ createCatalogServer }, { TOOLS }, apps] = await Promise.all([
    import("../mcp/server.js"),
    import("../app/tools.js"),
    import("../web/apps.js"),
  ]);
  return createCatalogServer({ tools: TOOLS, services, version, apps });
}

interface Welcomed {
  hasPage: boolean;
  isDemo: boolean;
  config: Config;
}

function welcome(url: string, { hasPage, isDemo, config }: Welcomed): string {
  const header = isDemo ? "" : ' --header "X-Readwise-Token: $READWISE_API_KEY"';
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: isDemo
      ? { name: "search_highlights", arguments: { query: "memory", limit: 1 } }
      : { name: "list_projects", arguments: {} },
  });
  return [
    "",
    isDemo
      ? "Bookwheel is running over a sandbox: a sample library, nothing of yours, nothing leaves this machine."
      : "Bookwheel is running.",
    ...(hasPage ? [`  Page          ${url}/`] : []),
    `  MCP           ${url}/mcp`,
    `  Claude Code   claude mcp add --transport http bookwheel ${url}/mcp${header}`,
    `  curl          curl -s ${url}/mcp -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d '${body}'`,
    ...(config.READWISE_API_KEY && !isDemo
      ? [
          "  Readwise      READWISE_API_KEY is not used over HTTP: each client sends its own key, as the line above does.",
        ]
      : []),
    "  Stop          Ctrl+C",
    "",
  ].join("\n");
}

/** Why the embedded store of a folder cannot be used, if that is so. */
export async function storeProblem(config: Config): Promise<string | undefined> {
  const { storeNamed } = await import("../assembly.js");
  try {
    await (await storeNamed(config, "sqlite"))?.close();
    return undefined;
  } catch (error) {
    if (error instanceof ShelfError) return error.message;
    throw error;
  }
}

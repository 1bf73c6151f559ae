import { readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import type { Assembled } from "./assembly.js";
import type { DoorName } from "./catalog/doors.js";
import { SHELVES } from "./catalog/profiles.js";
import { type Arguments, parseArguments } from "./cli/arguments.js";
import { COMMANDS, helpText } from "./cli/help.js";
import {
  type Config,
  ConfigError,
  readConfig,
  refusalOfMachine,
  refuseOpenShelves,
  secretsOf,
} from "./config/config.js";
import { ShelfError } from "./kernel/errors.js";
import { createLog, type Log } from "./kernel/log.js";
import type { Metrics } from "./kernel/metrics.js";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** What a command works with. */
interface Run {
  args: Arguments;
  config: Config;
  log: Log;
  metrics: Metrics;
  /** Aborted by SIGTERM or SIGINT. */
  stop: AbortSignal;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const complain = (line: string) => process.stderr.write(`${line}\n`);

async function askOnTerminal(question: string): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(question);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Exit code of a call that makes no sense. */
function misused(message: string): number {
  complain(message);
  return 2;
}

const SERVES = new Set(["serve", "demo"]);
/** For commands that nobody asks for numbers: what counts them is not even loaded. */
const UNCOUNTED: Metrics = {
  call() {},
  upstream() {},
  cache() {},
  gauge() {},
  text: async () => "",
  contentType: "text/plain",
};

/** One function a command; each loads what it alone needs, and gives the exit code. */
const RUN: Record<string, (run: Run) => Promise<number>> = {
  async serve(run) {
    await using shelves = await open(run);
    return await serve(run, shelves);
  },

  async demo({ args, ...run }) {
    const { openSandbox } = await import("./cli/demo.js");
    await using sandbox = await openSandbox({
      home: run.config.BOOKWHEEL_HOME,
      reset: args.flags.reset === true,
      problemIn: (folder) => storeProblem({ ...run.config, BOOKWHEEL_HOME: folder }),
      say: complain,
    });
    const config = readConfig(undefined, args.flags, sandbox.layers);
    const demo = { ...run, args, config };
    await using shelves = await open(demo);
    await sandbox.stock(shelves.services, complain, run.stop);
    return await serve(demo, shelves, sandbox.token);
  },

  async stdio({ args, config, ...run }) {
    const door = doorOf(args, config);
    await using shelves = await open({ config, log: run.log, metrics: run.metrics });
    const { runStdio } = await import("./transports/stdio.js");
    const server = await serverOver(shelves);
    const visit = { door, enabled: enabledIn(config), caller: { readwiseKey: config.READWISE_API_KEY } };
    await runStdio({ server, visit, log: run.log, signal: run.stop });
    return 0;
  },

  async tools({ args, config }) {
    const [{ printTools }, { TOOLS }] = await Promise.all([import("./cli/call.js"), import("./app/tools.js")]);
    printTools(TOOLS, doorOf(args, config), enabledIn(config), print, args.flags.json === true);
    return 0;
  },

  async call(run) {
    await using shelves = await open(run);
    const [{ callFromShell }, { TOOLS }] = await Promise.all([import("./cli/call.js"), import("./app/tools.js")]);
    const { args, config } = run;
    const [name, argumentText] = args.positionals;
    const shell = {
      tools: TOOLS,
      door: doorOf(args, config),
      enabled: enabledIn(config),
      services: shelves.services,
      readwiseKey: config.READWISE_API_KEY,
      print,
      complain,
    };
    return await callFromShell(shell, name, argumentText);
  },

  async ingest(run) {
    const { ingestCommand } = await import("./cli/ingest.js");
    await using shelves = await open(run);
    const { positionals, flags } = run.args;
    const terminal = process.stderr.isTTY ? process.stderr : undefined;
    return await ingestCommand(
      { positionals, prune: flags.prune === true, json: flags.json === true },
      { ingestion: shelves.services.ingestion, print, complain, terminal, signal: run.stop },
    );
  },

  async sync(run) {
    const { syncCommand } = await import("./cli/sync.js");
    await using shelves = await open(run);
    const { positionals, flags } = run.args;
    const { ingestion, librarySync, readwise } = shelves.services;
    const terminal = process.stderr.isTTY ? process.stderr : undefined;
    const include = typeof flags.include === "string" ? flags.include : undefined;
    return await syncCommand(
      { positionals, include, json: flags.json === true },
      {
        ingestion,
        librarySync,
        readwise: readwise.forKey(run.config.READWISE_API_KEY),
        print,
        complain,
        terminal,
        signal: run.stop,
      },
    );
  },

  async login({ args, config, stop }) {
    if (args.positionals[0] !== "notebooks")
      return misused("Where to? 'bookwheel login notebooks' signs in to NotebookLM.");
    const [{ loginNotebooks }, { notebookAccount }] = await Promise.all([
      import("./shelves/notebooks/backends/google/login.js"),
      import("./assembly.js"),
    ]);
    const { host, account } = await loginNotebooks({
      ...notebookAccount(config),
      display: config.display,
      print,
      signal: stop,
    });
    print(`Signed in${account ? ` as ${account}` : ""} at ${host}. Use it with NOTEBOOK_BACKEND=google.`);
    return 0;
  },

  async backup({ args, config }) {
    const [{ backupCommand }, { storeNamed }] = await Promise.all([import("./cli/backup.js"), import("./assembly.js")]);
    const store = storeNamed(config, config.QDRANT_URL ? "qdrant" : "sqlite")!; // named where it is configured
    try {
      return await backupCommand(args.positionals, { store, print, complain });
    } finally {
      await store.close();
    }
  },

  async migrate({ args, config, stop }) {
    const [{ migrateCommand }, { storeNamed }] = await Promise.all([
      import("./cli/migrate.js"),
      import("./assembly.js"),
    ]);
    const { to, json } = args.flags;
    const progress = (done: number, total?: number, message?: string) =>
      complain(`${done}${total ? `/${total}` : ""} ${message ?? ""}`);
    return await migrateCommand(
      { positionals: args.positionals, to: typeof to === "string" ? to : undefined, json: json === true },
      { open: (name) => storeNamed(config, name), print, complain, progress, signal: stop },
    );
  },

  async setup({ args, config }) {
    doorOf(args, config);
    const { setupCommand } = await import("./cli/setup.js");
    return await setupCommand(args, {
      config,
      place: { platform: process.platform, home: homedir(), cwd: process.cwd() },
      node: process.execPath,
      program: realpathSync(process.argv[1] ?? ""),
      print,
      complain,
      ask: process.stdin.isTTY && process.stderr.isTTY ? askOnTerminal : undefined,
    });
  },

  async doctor({ config, log, metrics }) {
    const [{ runDoctor }, { examinationsOf }, { assemble }] = await Promise.all([
      import("./cli/doctor.js"),
      import("./cli/doctor-checks.js"),
      import("./assembly.js"),
    ]);
    return await runDoctor(
      config,
      examinationsOf(config, () => assemble(config, log, metrics)),
      print,
    );
  },
};

/** Serves until told to stop, and says what is running. */
async function serve({ config, log, metrics, stop }: Run, shelves: Assembled, guestKey?: string): Promise<number> {
  refuseOpenShelves(config);
  const [{ startHttp }, { stopped }, { tlsListener }, { pageFiles }] = await Promise.all([
    import("./transports/http.js"),
    import("./transports/stopped.js"),
    import("./transports/tls.js"),
    import("./web/page-files.js"),
  ]);
  const server = await serverOver(shelves);
  const page = pageFiles(fileURLToPath(new URL("./web/page", import.meta.url)));
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = config;
  const tls = certFile && keyFile ? { listener: tlsListener({ certFile, keyFile, log, metrics }) } : {};
  const http = await startHttp({ config, server, metrics, log, ready: shelves.ready, page, guestKey, ...tls });
  log.info("listening", { url: http.url, shelves: config.shelves, profiles: [...config.profiles] });
  complain(welcome(http.url, page !== undefined, guestKey !== undefined));
  await stopped(stop);
  log.info("stopping: calls in flight may finish");
  await http.close();
  return 0;
}

/** The catalog of tools over these shelves, as MCP. */
async function serverOver({ services }: Assembled) {
  const [{ createCatalogServer }, { TOOLS }, apps] = await Promise.all([
    import("./mcp/server.js"),
    import("./app/tools.js"),
    import("./web/apps.js"),
  ]);
  return createCatalogServer({ tools: TOOLS, services, version, apps });
}

function welcome(url: string, hasPage: boolean, isDemo: boolean): string {
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
    `  Claude Code   claude mcp add --transport http bookwheel ${url}/mcp`,
    `  curl          curl -s ${url}/mcp -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d '${body}'`,
    "  Stop          Ctrl+C",
    "",
  ].join("\n");
}

/** Why the embedded store of a folder cannot be used, if that is so. */
async function storeProblem(config: Config): Promise<string | undefined> {
  const { storeNamed } = await import("./assembly.js");
  try {
    await storeNamed(config, "sqlite")?.close();
    return undefined;
  } catch (error) {
    if (error instanceof ShelfError) return error.message;
    throw error;
  }
}

async function open({
  config,
  log,
  metrics,
}: Pick<Run, "config" | "log" | "metrics">): Promise<Assembled & AsyncDisposable> {
  const { assemble } = await import("./assembly.js");
  const shelves = await assemble(config, log, metrics);
  return { ...shelves, [Symbol.asyncDispose]: () => shelves.close() };
}

const enabledIn = (config: Config) => ({ profiles: config.profiles, readOnly: config.READ_ONLY });

function doorOf({ flags }: Arguments, { shelves }: Config): DoorName {
  if (flags.shelf === undefined) return "all";
  const shelf = SHELVES.find((name) => name === flags.shelf);
  if (!shelf) throw new ConfigError([`--shelf must be one of ${SHELVES.join(", ")} (it is '${flags.shelf}')`]);
  if (!shelves.includes(shelf))
    throw new ConfigError([`--shelf ${shelf}: that shelf is not among BOOKWHEEL_SHELVES (${shelves.join(", ")})`]);
  return shelf;
}

const TAKES_NO_WORDS = new Set(["serve", "demo", "stdio", "tools", "doctor"]);

async function main(argv: readonly string[]): Promise<number> {
  let args: Arguments;
  try {
    args = parseArguments(argv);
  } catch (error) {
    return misused(`${(error as Error).message}\n'bookwheel --help' lists the commands and settings.`);
  }
  // Whoever reads what is printed may have had enough of it, as `head` does; the protocol's stdout has its own keeper.
  if (args.command !== "stdio")
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit(0);
    });
  if (args.flags.version || args.flags.help) {
    print(args.flags.version ? version : helpText());
    return 0;
  }
  if (!args.command) return misused(helpText());
  const command = RUN[args.command];
  if (!command)
    return misused(`There is no command '${args.command}'. There are: ${Object.keys(COMMANDS).join(", ")}.`);

  if (args.positionals.length && TAKES_NO_WORDS.has(args.command))
    return misused(`'${args.command}' takes settings as --flags only; '${args.positionals[0]}' says nothing to it.`);

  const stopping = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stopping.abort());
  try {
    const config = readConfig(undefined, args.flags);
    const log = createLog(config.LOG_LEVEL, { secrets: secretsOf(config) });
    process.on("uncaughtException", (error) => {
      log.error("crash", { error });
      process.exit(70);
    });
    process.on("unhandledRejection", (error) => log.error("unhandled rejection", { error }));
    const metrics = SERVES.has(args.command) ? (await import("./kernel/metrics.js")).createMetrics() : UNCOUNTED;
    return await command({ args, config, log, metrics, stop: stopping.signal }).catch((error) => {
      throw refusalOfMachine(error, config) ?? error;
    });
  } catch (error) {
    // Whoever is told to stop in the middle of its work may complain; it was asked to.
    if (stopping.signal.aborted) return 0;
    if (!(error instanceof ConfigError || error instanceof ShelfError)) throw error;
    complain(error.message);
    return 1;
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
    // A stray handle of a dependency must not keep a finished program alive; what was printed is written out first.
    setTimeout(() => process.exit(), 500).unref();
  },
  // What nobody expected ends the program like an error thrown anywhere else.
  (error) =>
    setImmediate(() => {
      throw error;
    }),
);

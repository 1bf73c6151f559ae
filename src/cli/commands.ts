import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../config/config.js";
import { nearest } from "../kernel/near-names.js";
import { type Command, type Flag, flagValue, type Run } from "./command.js";
import { doorOf, enabledIn } from "./door.js";
import { openShelves, serve, serverOver, storeProblem } from "./serve.js";
import { VERBS } from "./verbs/verbs.js";

const SHELF: Flag = { value: "readwise|notebooks|chunks", about: "Only the tools of one shelf." };
const JSON_FLAG: Flag = { about: "Print JSON." };
const OCR: Flag = {
  value: "LANG",
  about: "Recognise the text of scanned PDFs and pictures, in a language of tesseract: eng, deu+eng.",
};

const withOcr = (run: Run): Run => ({
  ...run,
  config: { ...run.config, BOOKWHEEL_OCR: flagValue(run.args, "ocr") ?? run.config.BOOKWHEEL_OCR },
});

/** Every command. Adding one is adding its entry; files it alone needs are imported inside `run`. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ...VERBS,

  serve: {
    about: "HTTP: MCP at /mcp and one door per shelf, the page at /, /health, /ready, /metrics.",
    serves: true,
    async run(run) {
      await using shelves = await openShelves(run);
      return await serve(run, shelves);
    },
  },

  stdio: {
    about: "MCP over stdin and stdout, for clients that start the program themselves.",
    flags: { shelf: SHELF },
    async run({ args, config, log, metrics, stop }) {
      const door = doorOf(args, config);
      await using shelves = await openShelves({ config, log, metrics });
      const { runStdio } = await import("../transports/stdio.js");
      const server = await serverOver(shelves);
      const scope = { door, enabled: enabledIn(config), caller: { readwiseKey: config.READWISE_API_KEY } };
      await runStdio({ server, scope, log, signal: stop });
      return 0;
    },
  },

  demo: {
    about: "Serve everything over a sandbox: no key, no account, no network.",
    flags: { reset: { about: "Begin with the sample library again." } },
    serves: true,
    async run({ args, ...run }) {
      const [{ openSandbox }, { portProblem }, { progressBar }] = await Promise.all([
        import("./demo.js"),
        import("./doctor-checks.js"),
        import("./progress-bar.js"),
      ]);
      const taken = await portProblem(run.config);
      if (taken) {
        run.complain(`${taken}, for example: PORT=8081 bookwheel demo`);
        return 1;
      }
      await using sandbox = await openSandbox({
        home: run.config.BOOKWHEEL_HOME,
        reset: args.flags.reset === true,
        problemIn: (folder) => storeProblem({ ...run.config, BOOKWHEEL_HOME: folder }),
        say: run.complain,
      });
      const config = readConfig(undefined, args.flags, sandbox.layers);
      const demo = { ...run, args, config };
      await using shelves = await openShelves(demo);
      const bar = process.stderr.isTTY ? progressBar(process.stderr) : undefined;
      await sandbox.stock(shelves.services, { say: run.complain, progress: bar?.show ?? (() => {}) }, run.stop);
      bar?.clear();
      return await serve(demo, shelves, sandbox.token);
    },
  },

  tools: {
    about: "List the tools on offer.",
    flags: { shelf: SHELF, json: JSON_FLAG },
    async run({ args, config, print }) {
      const [{ printTools }, { TOOLS }] = await Promise.all([import("./call.js"), import("../app/tools.js")]);
      printTools(TOOLS, doorOf(args, config), enabledIn(config), print, args.flags.json === true);
      return 0;
    },
  },

  call: {
    words: "NAME [KEY=VALUE…]",
    about: "Call a tool and print its answer as JSON.",
    examples: [
      "bookwheel call list_projects",
      "bookwheel call search_highlights query=memory limit=3",
      `bookwheel call search_highlights '{"query": "memory", "limit": 3}'`,
    ],
    flags: { shelf: SHELF },
    async run(run) {
      await using shelves = await openShelves(run);
      const [{ callFromShell }, { TOOLS }] = await Promise.all([import("./call.js"), import("../app/tools.js")]);
      const { args, config, print, complain } = run;
      const [name, ...words] = args.positionals;
      const shell = {
        tools: TOOLS,
        door: doorOf(args, config),
        enabled: enabledIn(config),
        services: shelves.services,
        readwiseKey: config.READWISE_API_KEY,
        signal: run.stop,
        print,
        complain,
      };
      return await callFromShell(shell, name, words);
    },
  },

  ingest: {
    words: "PROJECT PATH|URL…",
    about: "Read documents and web pages into a project.",
    examples: [
      "bookwheel ingest thesis ~/papers",
      "bookwheel ingest thesis https://example.org/tides",
      "bookwheel ingest thesis ~/scans --ocr deu+eng",
    ],
    flags: { prune: { about: "Remove documents whose files are gone." }, ocr: OCR, json: JSON_FLAG },
    async run(run) {
      const { ingestCommand } = await import("./ingest.js");
      await using shelves = await openShelves(withOcr(run));
      const { positionals, flags } = run.args;
      const { print, complain } = run;
      const terminal = process.stderr.isTTY ? process.stderr : undefined;
      return await ingestCommand(
        { positionals, prune: flags.prune === true, json: flags.json === true },
        { ingestion: shelves.services.ingestion, print, complain, terminal, signal: run.stop },
      );
    },
  },

  watch: {
    words: "PROJECT PATH…",
    about: "Keep a project as its folders are: what is added, changed, moved or removed there is read, until Ctrl+C.",
    examples: ["bookwheel watch thesis ~/papers"],
    flags: { ocr: OCR },
    async run(run) {
      const { watchCommand } = await import("./watch.js");
      await using shelves = await openShelves(withOcr(run));
      const { print, complain, stop: signal } = run;
      return await watchCommand(run.args.positionals, {
        ingestion: shelves.services.ingestion,
        print,
        complain,
        signal,
      });
    },
  },

  zotero: {
    words: "PROJECT",
    about:
      "Works, files and annotations of a running Zotero (ZOTERO_URL) or of a Better BibTeX export, into a project.",
    examples: [
      "bookwheel zotero thesis --collection Thesis",
      "bookwheel zotero thesis --tag to-read --from library.bib",
    ],
    flags: {
      collection: { value: "NAME", about: "Only this collection and those below it." },
      tag: { value: "TAG,…", about: "Only works that have all of these tags." },
      library: { value: "groups/ID", about: "A group's library; your own if left out." },
      from: { value: "FILE", about: "A .bib or .json export, instead of a running Zotero." },
      storage: { value: "DIR", about: "Zotero's data folder; ~/Zotero if left out." },
      ocr: OCR,
      json: JSON_FLAG,
    },
    async run(run) {
      const [{ zoteroCommand }, { ZOTERO_URL }] = await Promise.all([
        import("./zotero.js"),
        import("../citations/bibliography/zotero.js"),
      ]);
      const { args, config } = withOcr(run);
      const from = flagValue(args, "from");
      const url = config.ZOTERO_URL ?? ZOTERO_URL;
      // The project remembers where its works come from.
      const source = from ? { BOOKWHEEL_BIBLIOGRAPHY: [...config.BOOKWHEEL_BIBLIOGRAPHY, from] } : { ZOTERO_URL: url };
      await using shelves = await openShelves({ ...run, config: { ...config, ...source } });
      const { print, complain, stop: signal } = run;
      return await zoteroCommand(
        {
          project: args.positionals[0],
          url,
          library: flagValue(args, "library"),
          collection: flagValue(args, "collection"),
          tags: flagValue(args, "tag")?.split(",").filter(Boolean) ?? [],
          from,
          storage: flagValue(args, "storage") ?? join(homedir(), "Zotero"),
          json: args.flags.json === true,
        },
        {
          zotero: shelves.zotero,
          print,
          complain,
          terminal: process.stderr.isTTY ? process.stderr : undefined,
          signal,
        },
      );
    },
  },

  check: {
    words: "DRAFT…",
    about: "Check the quotations and citations of drafts: Markdown, LaTeX, text, DOCX.",
    flags: {
      project: { value: "NAME,…", about: "Projects to check against; everything that was read if left out." },
      bib: { value: "FILE,…", about: "Bibliographies; those the draft names if left out." },
      sources: { value: "PATH,…", about: "Check against these files alone, without any project." },
      claims: { about: "Evidence for cited sentences too." },
      all: { about: "List what is right too." },
      fix: { about: "Take the true wording; asks first, keeps a copy." },
      yes: { about: "Do not ask." },
      sarif: { value: "FILE", about: "Write SARIF." },
      html: { value: "FILE", about: "Write a report to read or send." },
      json: JSON_FLAG,
    },
    async run(run) {
      const [{ checkCommand, namedIn }, { version }] = await Promise.all([
        import("./check.js"),
        import("../app/version.js"),
      ]);
      const { positionals, flags } = run.args;
      const { print, complain, stop: signal } = run;
      const list = (name: string) => flagValue(run.args, name)?.split(",").filter(Boolean);
      const [paths, bibliographies] = [list("sources"), list("bib")];
      const request = {
        positionals,
        bibliographies,
        claims: flags.claims === true,
        all: flags.all === true,
        json: flags.json === true,
        fix: flags.fix === true,
        yes: flags.yes === true,
        sarif: flagValue(run.args, "sarif"),
        html: flagValue(run.args, "html"),
      };
      const asks = process.stdin.isTTY && process.stderr.isTTY;
      const terminal = process.stderr.isTTY ? process.stderr : undefined;
      const ask = asks ? (await import("./ask.js")).askOnTerminal : undefined;
      const deps = { version, print, complain, ask, terminal, signal };
      if (paths && positionals.length > 0) {
        const { readTemporarySources } = await import("../app/temporary-sources.js");
        const named = bibliographies ?? (await namedIn(positionals));
        await using read = await readTemporarySources({ paths, bibliographies: named, signal });
        for (const { path, reason } of read.summary.skipped) complain(`${path}: ${reason}`);
        return await checkCommand(request, { ...deps, drafts: read.drafts });
      }
      await using shelves = await openShelves(run);
      const { drafts, readwise } = shelves.services;
      return await checkCommand(
        { ...request, projects: list("project") },
        { ...deps, drafts, readwise: readwise.forKey(run.config.READWISE_API_KEY) },
      );
    },
  },

  export: {
    words: "highlights",
    about: "Highlights as files: Markdown, one per source, or JSON, or CSV. Only what changed is written.",
    examples: ["bookwheel export highlights --to ~/notes/reading", "bookwheel export highlights --to . --format csv"],
    flags: {
      to: { value: "DIR", about: "The folder to write to." },
      format: { value: "markdown|json|csv", about: "Markdown if left out." },
    },
    async run(run) {
      const { exportCommand } = await import("./export.js");
      await using shelves = await openShelves(run);
      const { print, complain, stop } = run;
      const readwise = shelves.services.readwise.forKey(run.config.READWISE_API_KEY);
      return await exportCommand(
        { positionals: run.args.positionals, to: flagValue(run.args, "to"), format: flagValue(run.args, "format") },
        { readwise, print, complain, signal: stop },
      );
    },
  },

  sync: {
    words: "PROJECT",
    about: "Readwise highlights and Reader documents into a project, incrementally.",
    flags: {
      include: { value: "highlights|documents|both", about: "What to read; both if left out." },
      json: JSON_FLAG,
    },
    async run(run) {
      const { syncCommand } = await import("./sync.js");
      await using shelves = await openShelves(run);
      const { positionals, flags } = run.args;
      const { ingestion, librarySync, readwise } = shelves.services;
      const { print, complain } = run;
      const terminal = process.stderr.isTTY ? process.stderr : undefined;
      return await syncCommand(
        { positionals, include: flagValue(run.args, "include"), json: flags.json === true },
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
  },

  login: {
    words: "notebooks",
    about: "Sign in to NotebookLM once, in a real browser.",
    async run({ args, config, stop, print, complain }) {
      if (args.positionals[0] !== "notebooks") {
        complain("Where to? 'bookwheel login notebooks' signs in to NotebookLM.");
        return 2;
      }
      const [{ loginNotebooks }, { notebookAccount }] = await Promise.all([
        import("../shelves/notebooks/backends/google/login.js"),
        import("../assembly.js"),
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
  },

  setup: {
    words: "CLIENT",
    about:
      "Configuration for claude-desktop, claude-code, cursor, vscode, codex or http: printed, or written after asking.",
    flags: {
      http: { about: "Connect to a server that runs already." },
      write: { about: "Write the client's own file, after asking." },
      yes: { short: "y", about: "Write without asking." },
      "with-key": { about: "Put READWISE_API_KEY into it." },
      shelf: SHELF,
    },
    async run({ args, config, print, complain }) {
      doorOf(args, config);
      const [{ setupCommand }, { askOnTerminal }] = await Promise.all([import("./setup.js"), import("./ask.js")]);
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
  },

  backup: {
    words: "FILE",
    about: "Copy the embedded store while it is in use.",
    async run({ args, config, print, complain }) {
      const [{ backupCommand }, { storeNamed }] = await Promise.all([import("./backup.js"), import("../assembly.js")]);
      const store = storeNamed(config, config.QDRANT_URL ? "qdrant" : "sqlite")!; // named where it is configured
      try {
        const projectsFile = join(config.BOOKWHEEL_HOME, "projects.json");
        return await backupCommand(args.positionals, { store, projectsFile, print, complain });
      } finally {
        await store.close();
      }
    },
  },

  forget: {
    about: "Delete the vectors of the highlights and documents of READWISE_API_KEY; the next search makes them again.",
    flags: { all: { about: "Those of every key." } },
    async run({ args, config, print, complain }) {
      const [{ openMeaningStore }, { forgetCommand }] = await Promise.all([
        import("../assembly.js"),
        import("./forget.js"),
      ]);
      const store = openMeaningStore(config);
      try {
        const request = { all: args.flags.all === true, key: config.READWISE_API_KEY };
        return await forgetCommand(request, { store, print, complain });
      } finally {
        await store.close();
      }
    },
  },

  model: {
    words: "add|list|remove [ORG/NAME]",
    about: "Fetch an embedding model from the model hub, list the ones that are here, or remove one.",
    examples: [
      "bookwheel model add intfloat/multilingual-e5-small",
      "bookwheel model add BAAI/bge-m3 --file onnx/model.onnx",
      "bookwheel model list",
    ],
    flags: {
      file: { value: "FILE", about: "The ONNX graph to fetch; a quantised one if left out." },
      revision: { value: "REVISION", about: "A branch, tag or commit of the model; the newest if left out." },
      json: JSON_FLAG,
    },
    async run({ args, config, stop, print, complain }) {
      const { modelCommand } = await import("./model.js");
      return await modelCommand(
        {
          positionals: args.positionals,
          file: flagValue(args, "file"),
          revision: flagValue(args, "revision"),
          json: args.flags.json === true,
        },
        { config, print, complain, terminal: process.stderr.isTTY ? process.stderr : undefined, signal: stop },
      );
    },
  },

  migrate: {
    words: "PROJECT",
    about: "Copy a project between stores, verified.",
    flags: {
      to: { value: "qdrant|sqlite", required: true, about: "The store to copy it to." },
      json: JSON_FLAG,
    },
    async run({ args, config, stop, print, complain }) {
      const [{ migrateCommand }, { storeNamed }] = await Promise.all([
        import("./migrate.js"),
        import("../assembly.js"),
      ]);
      const progress = (done: number, total?: number, message?: string) =>
        complain(`${done}${total ? `/${total}` : ""} ${message ?? ""}`);
      return await migrateCommand(
        { positionals: args.positionals, to: flagValue(args, "to"), json: args.flags.json === true },
        { open: (name) => storeNamed(config, name), print, complain, progress, signal: stop },
      );
    },
  },

  doctor: {
    about: "Check keys, engines, model, browser and ports, and say what to do.",
    flags: { json: JSON_FLAG },
    async run({ args, config, log, metrics, print }) {
      const [{ runDoctor }, { doctorChecks }, { assemble }] = await Promise.all([
        import("./doctor.js"),
        import("./doctor-checks.js"),
        import("../assembly.js"),
      ]);
      return await runDoctor(
        config,
        doctorChecks(config, () => assemble(config, log, metrics)),
        print,
        { json: args.flags.json === true },
      );
    },
  },

  help: {
    words: "[COMMAND|settings]",
    about: "What there is, or one command with its flags and examples.",
    async run({ args, print, complain }) {
      const { commandHelp, helpText, settingsHelp } = await import("./help.js");
      const [name] = args.positionals;
      const text =
        name === undefined ? helpText(COMMANDS) : name === "settings" ? settingsHelp() : commandHelp(COMMANDS, name);
      if (text === undefined) {
        complain(unknownCommand(name ?? ""));
        return 2;
      }
      print(text);
      return 0;
    },
  },

  version: {
    about: "Print the version.",
    async run({ print }) {
      const { version } = await import("../app/version.js");
      print(version);
      return 0;
    },
  },

  completion: {
    words: "bash|zsh|fish",
    about: "Print completion for a shell: source <(bookwheel completion bash).",
    async run({ args, print, complain }) {
      const { completionFor } = await import("./completion.js");
      const script = completionFor(args.positionals[0] ?? "", COMMANDS);
      if (script === undefined) {
        complain("Which shell? For example: bookwheel completion bash");
        return 2;
      }
      print(script);
      return 0;
    },
  },
};

/** What to say to a name that is no command. */
export function unknownCommand(name: string): string {
  const [near] = nearest(name, Object.keys(COMMANDS), 1);
  return `There is no command '${name}'.${near ? ` Did you mean '${near}'?` : ""} 'bookwheel help' lists them.`;
}

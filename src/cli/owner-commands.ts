import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Command, flagValue, JSON_FLAG, SHELF } from "./command.js";
import { doorOf } from "./door.js";

/** Commands for the owner of an installation: sign-in, set-up, backups, models, checks. */
export const OWNER_COMMANDS: Readonly<Record<string, Command>> = {
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
      const store = (await storeNamed(config, config.QDRANT_URL ? "qdrant" : "sqlite"))!; // named where it is configured
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
    async run({ args, config, log, print, complain }) {
      const [{ openLink, openMeaningStore }, { forgetCommand }] = await Promise.all([
        import("../assembly.js"),
        import("./forget.js"),
      ]);
      const redis = await openLink(config, log);
      const store = await openMeaningStore(config, redis);
      try {
        const request = { all: args.flags.all === true, key: config.READWISE_API_KEY };
        return await forgetCommand(request, { store, print, complain });
      } finally {
        await store.close();
        await redis?.close();
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
};

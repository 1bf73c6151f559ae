import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Command, doorOf, flagValue, JSON_FLAG, SHELF } from "./command.js";
import { misused, progressLines } from "./console.js";

/** Commands for the owner of an installation: sign-in, set-up, backups, models, checks. */
export const OWNER_COMMANDS: Readonly<Record<string, Command>> = {
  login: {
    words: "notebooks",
    about: "Sign in to NotebookLM once, in a real browser.",
    async run(run) {
      const { args, config, signal, print } = run;
      if (args.positionals[0] !== "notebooks")
        return misused(run, "Where to? 'bookwheel login notebooks' signs in to NotebookLM.");
      const [{ loginNotebooks }, { notebookAccount }] = await Promise.all([
        import("../shelves/notebooks/backends/google/login.js"),
        import("../assembly.js"),
      ]);
      const { host, account } = await loginNotebooks({
        ...notebookAccount(config),
        display: config.display,
        print,
        signal,
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
    async run(run) {
      doorOf(run.args, run.config);
      const { setupCommand } = await import("./setup.js");
      return await setupCommand(run.args, {
        ...run,
        place: { platform: process.platform, home: homedir(), cwd: process.cwd() },
        node: process.execPath,
        program: realpathSync(process.argv[1] ?? ""),
      });
    },
  },

  backup: {
    words: "FILE",
    about: "Copy the embedded store while it is in use.",
    async run(run) {
      const { args, config } = run;
      const [{ backupCommand }, { storeNamed }] = await Promise.all([import("./backup.js"), import("../assembly.js")]);
      const store = (await storeNamed(config, config.QDRANT_URL ? "qdrant" : "sqlite"))!; // named where it is configured
      try {
        const projectsFile = join(config.BOOKWHEEL_HOME, "projects.json");
        return await backupCommand(args.positionals, { ...run, store, projectsFile });
      } finally {
        await store.close();
      }
    },
  },

  forget: {
    about: "Delete the vectors of the highlights and documents of READWISE_API_KEY; the next search makes them again.",
    flags: { all: { about: "Those of every key." } },
    async run(run) {
      const { args, config, log } = run;
      const [{ openLink, openMeaningStore }, { forgetCommand }] = await Promise.all([
        import("../assembly.js"),
        import("./forget.js"),
      ]);
      const redis = await openLink(config, log);
      const store = await openMeaningStore(config, redis);
      try {
        const request = { all: args.flags.all === true, key: config.READWISE_API_KEY };
        return await forgetCommand(request, { ...run, store });
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
    async run(run) {
      const { modelCommand } = await import("./model.js");
      const { positionals, flags } = run.args;
      const [file, revision] = [flagValue(run.args.flags, "file"), flagValue(run.args.flags, "revision")];
      return await modelCommand({ positionals, file, revision, json: flags.json === true }, run);
    },
  },

  migrate: {
    words: "PROJECT",
    about: "Copy a project between stores, verified.",
    flags: {
      to: { value: "qdrant|sqlite", required: true, about: "The store to copy it to." },
      json: JSON_FLAG,
    },
    async run(run) {
      const [{ migrateCommand }, { storeNamed }] = await Promise.all([
        import("./migrate.js"),
        import("../assembly.js"),
      ]);
      const { positionals, flags } = run.args;
      return await migrateCommand(
        { positionals, to: flagValue(run.args.flags, "to"), json: flags.json === true },
        { ...run, open: (name) => storeNamed(run.config, name), progress: progressLines(run) },
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

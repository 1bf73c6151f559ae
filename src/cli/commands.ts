import { readConfig } from "../config/config.js";
import { nearest } from "../kernel/edit-distance.js";
import { type Command, doorOf, enabledIn, JSON_FLAG, SHELF } from "./command.js";
import { misused, progressBar } from "./console.js";
import { DOCUMENT_COMMANDS } from "./document-commands.js";
import { OWNER_COMMANDS } from "./owner-commands.js";
import { openShelves, serve, serverOver, storeProblem } from "./serve.js";
import { VERBS } from "./verbs/verbs.js";

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
    async run(run) {
      const { args, config, log, signal } = run;
      const door = doorOf(args, config);
      await using shelves = await openShelves(run);
      const { runStdio } = await import("../transports/stdio.js");
      const server = await serverOver(shelves);
      const scope = { door, enabled: enabledIn(config), caller: { readwiseKey: config.READWISE_API_KEY } };
      await runStdio({ server, scope, log, signal });
      return 0;
    },
  },

  demo: {
    about: "Serve everything over a sandbox: no key, no account, no network.",
    flags: { reset: { about: "Begin with the sample library again." } },
    serves: true,
    async run({ args, ...run }) {
      const [{ openSandbox }, { portProblem }] = await Promise.all([import("./demo.js"), import("./doctor-checks.js")]);
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
      const bar = progressBar(run.terminal);
      await sandbox.stock(shelves.services, { say: run.complain, progress: bar.show }, run.signal);
      bar.clear();
      return await serve(demo, shelves, sandbox.token);
    },
  },

  tools: {
    about: "List the tools on offer.",
    flags: { shelf: SHELF, json: JSON_FLAG },
    async run(run) {
      const { printTools } = await import("./call.js");
      printTools(run);
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
      const { callFromShell } = await import("./call.js");
      return await callFromShell(run, shelves.services);
    },
  },

  ...DOCUMENT_COMMANDS,
  ...OWNER_COMMANDS,

  help: {
    words: "[COMMAND|settings]",
    about: "What there is, or one command with its flags and examples.",
    async run(run) {
      const { commandHelp, helpText, settingsHelp } = await import("./help.js");
      const [name] = run.args.positionals;
      const text =
        name === undefined ? helpText(COMMANDS) : name === "settings" ? settingsHelp() : commandHelp(COMMANDS, name);
      if (text === undefined) return misused(run, unknownCommand(name ?? ""));
      run.print(text);
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
    async run(run) {
      const { completionFor } = await import("./completion.js");
      const script = completionFor(run.args.positionals[0] ?? "", COMMANDS);
      if (script === undefined) return misused(run, "Which shell? For example: bookwheel completion bash");
      run.print(script);
      return 0;
    },
  },
};

/** The message for an unknown command. */
export function unknownCommand(name: string): string {
  const [near] = nearest(name, Object.keys(COMMANDS), 1);
  return `There is no command '${name}'.${near ? ` Did you mean '${near}'?` : ""} 'bookwheel help' lists them.`;
}

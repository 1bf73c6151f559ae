import { flagOf, SETTING_NAMES, SETTINGS, type Setting } from "../config/settings.js";

export interface CommandHelp {
  usage: string;
  about: string;
}

export const COMMANDS: Readonly<Record<string, CommandHelp>> = {
  serve: { usage: "serve", about: "HTTP: MCP at /mcp and one door a shelf, the page at /, /health, /ready, /metrics." },
  stdio: {
    usage: "stdio [--shelf NAME]",
    about: "MCP over stdin and stdout, for clients that start the program themselves.",
  },
  demo: { usage: "demo [--reset]", about: "Serve everything over a sandbox: no key, no account, no network." },
  tools: { usage: "tools [--shelf NAME]", about: "List the tools on offer." },
  call: { usage: "call NAME '{json}'", about: "Call a tool and print its answer." },
  ingest: { usage: "ingest PROJECT PATH… [--prune]", about: "Read documents into a project." },
  sync: {
    usage: "sync PROJECT [--include highlights|documents|both]",
    about: "Readwise highlights and Reader documents into a project, incrementally.",
  },
  login: { usage: "login notebooks", about: "Sign in to NotebookLM once, in a real browser." },
  setup: {
    usage: "setup CLIENT [--http] [--write]",
    about:
      "Configuration for claude-desktop, claude-code, cursor, vscode, codex or http: printed, or written after asking.",
  },
  backup: { usage: "backup FILE", about: "Copy the embedded store while it is in use." },
  migrate: { usage: "migrate PROJECT --to qdrant|sqlite", about: "Copy a project between stores, verified." },
  doctor: { usage: "doctor", about: "Check keys, engines, model, browser and ports, and say what to do." },
};

export function helpText(): string {
  const width = Math.max(...Object.values(COMMANDS).map(({ usage }) => usage.length));
  const commands = Object.values(COMMANDS).map(({ usage, about }) => `  bookwheel ${usage.padEnd(width)}  ${about}`);
  const settings = SETTING_NAMES.map((name) => {
    const setting: Setting<unknown> = SETTINGS[name];
    return `  --${flagOf(name).padEnd(30)} ${setting.about}`;
  });
  return [
    "Bookwheel turns your own reading towards your AI assistant.",
    "",
    ...commands,
    "",
    "Settings (also as environment variables: --port is PORT):",
    ...settings,
    "",
  ].join("\n");
}

import { parseArgs } from "node:util";
import type { Flags } from "../config/config.js";
import { flagOf, isSwitch, SETTING_NAMES, SETTINGS, SWITCH_WORD } from "../config/settings.js";

export interface Arguments {
  command: string | undefined;
  positionals: string[];
  flags: Flags;
}

/** Flags a single command has beside the settings. */
const COMMAND_FLAGS = {
  shelf: { type: "string" },
  reset: { type: "boolean" },
  prune: { type: "boolean" },
  include: { type: "string" },
  write: { type: "boolean" },
  yes: { type: "boolean", short: "y" },
  "with-key": { type: "boolean" },
  to: { type: "string" },
  http: { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** Throws a sentence naming the flag it does not know. */
export function parseArguments(argv: readonly string[]): Arguments {
  const settings = Object.fromEntries(SETTING_NAMES.map((name) => [flagOf(name), { type: "string" as const }]));
  const { values, positionals } = parseArgs({
    args: withSwitchValues(argv),
    options: { ...settings, ...COMMAND_FLAGS },
    allowPositionals: true,
    allowNegative: true,
    strict: true,
  });
  const flags = Object.fromEntries(Object.entries(values).map(([flag, value]) => [flag, BOOLEAN.get(value) ?? value]));
  return { command: positionals[0], positionals: positionals.slice(1), flags: flags as Flags };
}

const BOOLEAN = new Map<unknown, boolean>([
  ["true", true],
  ["false", false],
]);

const SWITCHES = new Set(SETTING_NAMES.filter((name) => isSwitch(SETTINGS[name])).map(flagOf));

/** `--read-only`, `--no-cache-enabled` and `--cache-enabled false` all say a value; the next word is taken only where it is one. */
function withSwitchValues(argv: readonly string[]): string[] {
  const written: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index]!;
    if (word === "--") return [...written, ...argv.slice(index)];
    const name = word.replace(/^--(no-)?/, "");
    if (!word.startsWith("--") || !SWITCHES.has(name)) written.push(word);
    else if (word.startsWith("--no-")) written.push(`--${name}=false`);
    else if (SWITCH_WORD.test(argv[index + 1] ?? "")) written.push(`${word}=${argv[++index]}`);
    else written.push(`${word}=true`);
  }
  return written;
}

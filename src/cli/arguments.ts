import { parseArgs } from "node:util";
import type { Flags } from "../config.js";
import { flagOf, SETTING_NAMES, SETTINGS } from "../settings.js";

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
  const settings = Object.fromEntries(
    SETTING_NAMES.map((name) => [
      flagOf(name),
      { type: typeof SETTINGS[name].fallback === "boolean" ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { ...settings, ...COMMAND_FLAGS },
    allowPositionals: true,
    allowNegative: true,
    strict: true,
  });
  return { command: positionals[0], positionals: positionals.slice(1), flags: values as Flags };
}

import { parseArgs } from "node:util";
import type { Flags } from "../config/config.js";
import { flagOf, isSwitch, SETTING_NAMES, SETTINGS, SWITCH_WORD } from "../config/settings.js";
import type { Arguments } from "./command.js";
import { COMMANDS } from "./commands.js";

const EVERYWHERE = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** Flags of all commands besides the settings, in the form of `parseArgs`. */
const OWN_FLAGS = Object.fromEntries(
  Object.values(COMMANDS)
    .flatMap(({ flags = {} }) => Object.entries(flags))
    .map(([name, { short, value }]) => [
      name,
      { type: value ? ("string" as const) : ("boolean" as const), ...(short ? { short } : {}) },
    ]),
);

/** Throws a sentence naming the flag it does not know. */
export function parseArguments(argv: readonly string[]): Arguments {
  const settings = Object.fromEntries(SETTING_NAMES.map((name) => [flagOf(name), { type: "string" as const }]));
  const { values, positionals } = parseArgs({
    args: withSwitchValues(argv),
    options: { ...settings, ...OWN_FLAGS, ...EVERYWHERE },
    allowPositionals: true,
    allowNegative: true,
    strict: true,
  });
  const flags = Object.fromEntries(Object.entries(values).map(([flag, value]) => [flag, BOOLEAN.get(value) ?? value]));
  refuseForeignFlags(positionals[0], Object.keys(flags));
  return { command: positionals[0], positionals: positionals.slice(1), flags: flags as Flags };
}

/** A flag of another command is a mistake that must not pass unseen. */
function refuseForeignFlags(command: string | undefined, flags: readonly string[]): void {
  const known = command === undefined ? undefined : COMMANDS[command];
  if (!known) return;
  const foreign = flags.find((flag) => flag in OWN_FLAGS && !(flag in (known.flags ?? {})));
  if (foreign) throw new Error(`--${foreign} is not a flag of '${command}'.`);
}

const BOOLEAN = new Map<unknown, boolean>([
  ["true", true],
  ["false", false],
]);

const SWITCHES = new Set(SETTING_NAMES.filter((name) => isSwitch(SETTINGS[name])).map(flagOf));

/** `--read-only`, `--no-cache-enabled` and `--cache-enabled false` all set a value; the next word is consumed only if it is one. */
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

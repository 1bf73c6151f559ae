import type { DoorName } from "../catalog/doors.js";
import { SHELVES } from "../catalog/profiles.js";
import { type Config, ConfigError, type Flags } from "../config/config.js";
import type { Log } from "../kernel/log.js";
import type { Metrics } from "../kernel/metrics.js";
import type { Console } from "./console.js";

/** One command of the program. Help, docs, completion and parsing all come from the table of these in commands.ts. */
export interface Command {
  /** The arguments, as help shows them; a command without it takes only flags. */
  words?: string;
  about: string;
  /** Shown by `bookwheel help NAME`. */
  examples?: readonly string[];
  /** Flags besides the settings, by name. */
  flags?: Readonly<Record<string, Flag>>;
  /** It serves /metrics, so what happens is counted. */
  serves?: boolean;
  /** Loads what this command alone needs, and gives the exit code. */
  run(run: Run): Promise<number>;
}

export interface Flag {
  about: string;
  short?: string;
  /** The form of its value: "NAME", or "qdrant|sqlite" for a choice. Without it, the flag is a switch. */
  value?: string;
  required?: boolean;
}

export interface Arguments {
  command: string | undefined;
  positionals: string[];
  flags: Flags;
}

export interface Run extends Console {
  args: Arguments;
  config: Config;
  log: Log;
  metrics: Metrics;
  signal: AbortSignal;
}

/** The value of a flag that takes one. */
export function flagValue(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}

/** The values of a flag that takes several, separated by commas. */
export const flagList = (flags: Flags, name: string): string[] | undefined =>
  flagValue(flags, name)?.split(",").filter(Boolean);

/** A command as it is typed: its name, its words, its flags. */
export function usageOf(name: string, { words, flags = {} }: Command): string {
  const shown = Object.entries(flags).map(([flag, { value, required }]) => {
    const text = `--${flag}${value ? ` ${value}` : ""}`;
    return required ? text : `[${text}]`;
  });
  return [name, ...(words ? [words] : []), ...shown].join(" ");
}

export const enabledIn = (config: Config) => ({ profiles: config.profiles, readOnly: config.READ_ONLY });

/** The shelf that `--shelf` names, or all of them. */
export function doorOf({ flags }: Pick<Arguments, "flags">, { shelves }: Config): DoorName {
  if (flags.shelf === undefined) return "all";
  const shelf = SHELVES.find((name) => name === flags.shelf);
  if (!shelf) throw new ConfigError([`--shelf must be one of ${SHELVES.join(", ")} (it is '${flags.shelf}')`]);
  if (!shelves.includes(shelf))
    throw new ConfigError([`--shelf ${shelf}: that shelf is not among BOOKWHEEL_SHELVES (${shelves.join(", ")})`]);
  return shelf;
}

export const SHELF: Flag = { value: "readwise|notebooks|chunks", about: "Only the tools of one shelf." };
export const JSON_FLAG: Flag = { about: "Print JSON." };

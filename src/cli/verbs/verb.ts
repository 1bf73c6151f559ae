import type { Flags } from "../../config/config.js";
import { type Flag, flagValue } from "../command.js";
import type { TerminalPage } from "./terminal-page.js";

/** The tool call of a verb, or a sentence on its usage. */
export type Request = { tool: string; args: Record<string, unknown> } | { misuse: string };

/** Calls a tool through `callTool`; undefined if it is not available or fails. */
export type Ask = (tool: string, args: Record<string, unknown>) => Promise<Record<string, unknown> | undefined>;

/** A tool in a person's words: `bookwheel search memory` instead of `call search_library '{"query":"memory"}'`. */
export interface Verb<Answer = never> {
  words: string;
  about: string;
  examples: readonly string[];
  flags?: Readonly<Record<string, Flag>>;
  request(words: readonly string[], flags: Flags, ask: Ask): Request | Promise<Request>;
  show(answer: Answer, page: TerminalPage): void;
}

/** The flags of these names that were given, as arguments of a tool. */
export const valuesOf = (flags: Flags, ...names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = flagValue(flags, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

export const LIMIT: Flag = { value: "N", about: "At most so many." };
export const PROJECT: Flag = { value: "NAME", about: "Only in this project." };

/** "p. 12", "pp. 12-14", or nothing. */
export function pages(span: readonly [number, number] | null | undefined): string | undefined {
  if (!span) return undefined;
  return span[0] === span[1] ? `p. ${span[0]}` : `pp. ${span[0]}-${span[1]}`;
}

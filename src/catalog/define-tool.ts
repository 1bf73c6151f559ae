import type { z } from "zod";
import type { ErrorCode } from "../kernel/errors.js";
import type { ToolContext } from "./context.js";
import { SIZES } from "./fields.js";
import { Cursor, type List, NextCursor } from "./paging.js";
import { PROFILES, type ProfileName, type ShelfName } from "./profiles.js";
import { answerSchema, type JsonSchema, parameterSchema } from "./wire-schema.js";

/** Hints a client may act on. Presets, so that none is forgotten or contradicts another. */
interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}
/** Adds something; calling twice may add twice. */
export const additive: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
/** Writes and replaces nothing of the caller's; calling twice leaves what calling once leaves. */
export const idempotent: Annotations = { ...additive, idempotentHint: true };
export const readOnly: Annotations = { ...idempotent, readOnlyHint: true };
/** Writes over what was there, or removes it. */
export const destructive: Annotations = { ...idempotent, destructiveHint: true };
/** The same preset for a tool that reaches a service across the internet. */
export const openWorld = (preset: Annotations): Annotations => ({ ...preset, openWorldHint: true });

type ObjectSchema = z.ZodObject<z.ZodRawShape>;

interface ToolDefinition<I extends ObjectSchema, O extends ObjectSchema> {
  name: string;
  /** The contract's name on the shelf's own door, where the combined door needs another one. */
  doorName?: string;
  title: string;
  /** For a model choosing among dozens of tools: what it does, when to prefer it, what comes back, what to do on failure. */
  description: string;
  /** Every one of these must be enabled for the tool to appear. The first one names its shelf. */
  profiles: readonly [ProfileName, ...ProfileName[]];
  annotations: Annotations;
  timeoutMs: number;
  input: I;
  output: O;
  /** Codes of the contract's own for a field that is too long, where `INVALID_INPUT` would be too general. */
  tooBig?: Readonly<Record<string, ErrorCode>>;
  /** The list that can be longer than one answer: `paging.ts` cuts it and adds `cursor` and `next_cursor`. */
  list?: (keyof z.input<O> & string) | (List & { items: keyof z.input<O> & string });
  run(input: z.output<I>, context: ToolContext): Promise<z.input<O> & { next_cursor?: string | null }>;
}

export interface Tool {
  readonly name: string;
  readonly doorName: string;
  readonly title: string;
  readonly description: string;
  readonly shelf: ShelfName;
  readonly profiles: readonly ProfileName[];
  readonly annotations: Annotations;
  readonly timeoutMs: number;
  readonly tooBig: Readonly<Record<string, ErrorCode>>;
  readonly list: List | undefined;
  /** The parameters that say how much an answer may hold, each with its usual value. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  readonly inputSchema: JsonSchema;
  /** The answer, or an object with `error`: clients on the official SDK's 1.x client validate errors against it too. */
  readonly outputSchema: JsonSchema;
  run(input: unknown, context: ToolContext): Promise<unknown>;
}

/** One declaration; the wire schema, validation, CLI command, docs entry and snapshot are derived from it. */
export function defineTool<I extends ObjectSchema, O extends ObjectSchema>(definition: ToolDefinition<I, O>): Tool {
  const list = typeof definition.list === "string" ? { items: definition.list } : definition.list;
  const input: ObjectSchema = (list ? definition.input.safeExtend({ cursor: Cursor }) : definition.input).strict();
  const output: ObjectSchema = list ? definition.output.safeExtend({ next_cursor: NextCursor }) : definition.output;
  let inputSchema: JsonSchema | undefined;
  let outputSchema: JsonSchema | undefined;
  return {
    doorName: definition.name,
    tooBig: {},
    ...definition,
    shelf: PROFILES[definition.profiles[0]].shelf,
    list,
    sizes: sizesOf(input),
    input,
    output,
    // Computed on first use and kept: zod does not cache the conversion.
    get inputSchema() {
      inputSchema ??= parameterSchema(input);
      return inputSchema;
    },
    get outputSchema() {
      outputSchema ??= answerSchema(output);
      return outputSchema;
    },
    run: (value, context) => definition.run(value as z.output<I>, context),
  };
}

function sizesOf(input: ObjectSchema): Record<string, number> {
  return Object.fromEntries(
    Object.entries(input.shape).flatMap(([name, field]) => {
      const size = SIZES.get(field as z.ZodType);
      return size ? [[name, size.usual]] : [];
    }),
  );
}

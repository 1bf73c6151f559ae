import { z } from "zod";

export type JsonSchema = { type: "object"; [key: string]: unknown };
interface Node {
  type?: string | string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  /** The length is checked but not mentioned in the description. */
  unsaid?: boolean;
  propertyNames?: unknown;
  additionalProperties?: unknown;
  properties?: Record<string, Node>;
  items?: Node;
  prefixItems?: Node[];
  anyOf?: Node[];
}

/** The output schema in `tools/list`: any answer can be cut for its length. */
export function answerSchema(schema: z.ZodObject): JsonSchema {
  const answer = convert(schema.safeExtend({ left_out: z.array(z.string()).optional() }), "output");
  return { type: "object", anyOf: [answer, ERROR_ANSWER] };
}
const ERROR_ANSWER: JsonSchema = { type: "object", properties: { error: { type: "object" } }, required: ["error"] };

/**
 * What `tools/list` says of a tool's parameters, for models: several clients strip `default`, `minimum`, `maximum` and lengths
 * before the model sees them, so a parameter's words say them too. Ids and cursors are copied from answers, never made up: their
 * form is not worth a word, nor is a length that nobody reaches (below 2,048 characters, or `unsaid`). That other parameters are
 * refused is said when it happens, once and by name, not in every tool.
 */
export function parameterSchema(schema: z.ZodObject): JsonSchema {
  const json = convert(schema, "input");
  inWords(json as unknown as Node);
  return json;
}

function convert(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    target: "draft-2020-12",
    override: ({ jsonSchema }) => {
      // zod spells out the safe-integer range of every int: noise a model pays for.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Keys of JSON are text; AI SDK warns of the keyword at every step.
      delete jsonSchema.propertyNames;
      // minItems and maxItems already describe a pair; some clients fail on a bare `false` where a schema is expected.
      if (jsonSchema.prefixItems) {
        jsonSchema.minItems = jsonSchema.prefixItems.length;
        jsonSchema.maxItems = jsonSchema.prefixItems.length;
        delete jsonSchema.items;
      }
    },
  });
  // Copied once: objects that had keys deleted are slow to write out, and every tools/list writes them all.
  return JSON.parse(JSON.stringify({ ...json, type: "object" })) as JsonSchema;
}

function inWords(node: Node): void {
  if (node.additionalProperties === false) delete node.additionalProperties;
  for (const [name, field] of Object.entries(node.properties ?? {})) {
    if (field.unsaid) for (const key of ["minItems", "maxItems"] as const) delete field[key];
    withoutForm(field, isId(name) || field.unsaid === true);
    for (const item of [field, ...(field.anyOf ?? [])].flatMap((one) => [one.items, one]))
      if (item && item !== field) withoutForm(item, true);
    inWords(field);
    if (field.items) inWords(field.items);
    const limits = limitsOf(field);
    if (limits && field.description) field.description = `${field.description} (${limits})`;
    withoutSaid(field);
  }
}

const isId = (name: string) => /^(id|ids|project|cursor)$|_ids?$/.test(name);

/** A length worth saying: a model that writes at length can reach it. */
const LONG = 2_048;

function withoutForm(field: Node, whole: boolean): void {
  delete field.minLength;
  if (whole) delete field.pattern;
  if (whole || (field.maxLength ?? 0) < LONG) delete field.maxLength;
  delete field.unsaid;
}

/**
 * What the words say, and what goes without saying, is not repeated in keywords: lengths, a zero as the least, a switch that is off.
 * The server checks all of them in any case.
 */
function withoutSaid(field: Node): void {
  delete field.maxLength;
  if (!field.prefixItems) for (const key of ["minItems", "maxItems"] as const) delete field[key];
  if (field.minimum === 0) delete field.minimum;
  if (isOff(field.default)) delete field.default;
}

const isOff = (value: unknown) => value === false || (Array.isArray(value) && value.length === 0);

/** `1-200, default 50` */
function limitsOf(field: Node): string {
  const unit = field.items ? " items" : typeof field.maxLength === "number" ? " characters" : "";
  const least = (field.minimum ?? field.minItems) || undefined;
  const most = field.maximum ?? field.maxItems ?? field.maxLength;
  const range =
    most === undefined ? (least === undefined ? "" : `from ${least}`) : least ? `${least}-${most}` : `up to ${most}`;
  const usual = field.default === undefined || isOff(field.default) ? "" : `default ${String(field.default)}`;
  return [range && range + unit, usual].filter(Boolean).join(", ");
}

import fc, { type Arbitrary } from "fast-check";

/** The part of JSON Schema that the tools' inputs use. */
interface Schema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
}
/** Values that mean something, by the name of the parameter that takes them. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

/** What people, models and attackers write where a text is expected. */
const NASTY = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "tail \udfff",
  "\udc00\ud800",
  "\u202Egnp.exe",
  "\uFEFF",
  "e\u0301\u0301\u0301",
  "🏴‍☠️",
  "ﷺ",
  "İi̇ıI",
  "<script>alert(1)</script>",
  "\u001b[31mred\u001b[0m",
  "'; drop table chunks; --",
  '"unclosed phrase',
  '" "',
  "*",
  "***",
  "tide*",
  "a AND OR NOT NEAR( b",
  "proj:p1 text:(x)",
  "-",
  "- -",
  "(((((",
  "\\",
  "%",
  "%00",
  "../../../etc/passwd",
  "file:///etc/passwd",
  "http://[::1",
  "https://example.org/page",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "null",
  "NaN",
  "-0",
  "1e309",
  "9".repeat(18),
  "2026-13-45T99:99:99Z",
  "@article{x, title={y}}",
  "the moon pulls first",
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 80 }) },
  { weight: 2, arbitrary: fc.lorem({ maxCount: 12 }) },
);
/** Long ones are rare: they cost time, and one in a hundred finds what they can find. */
const longText = fc
  .tuple(
    fc.constantFrom("a", "word ", "\ud800", "🏴‍☠️", "\u0301", '"', "*", "(", "\n", "<b>"),
    fc.constantFrom(600, 9_000, 60_000),
  )
  .map(([unit, length]) => unit.repeat(Math.ceil(length / unit.length)));

const number = fc.oneof(
  fc.integer({ min: -2, max: 25 }),
  fc.constantFrom(0, -0, 0.5, 1e15, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -1, 1e308, Number.MIN_VALUE),
);

/** Values a schema describes; most satisfy it, and those of a field that names things often name real ones. */
export function within(schema: Schema, known: Known, field = ""): Arbitrary<unknown> {
  const real = (known[field] ?? []).filter((value) => (Array.isArray(value) ? "array" : typeof value) === schema.type);
  const any = described(schema, known, field);
  if (!real.length) return any;
  return fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...real) }, { weight: 6, arbitrary: any });
}

function described(schema: Schema, known: Known, field: string): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => within({ ...schema, type }, known, field)));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => within(option, known, field)));
  switch (schema.type) {
    case "object":
      return object(schema, known);
    case "array":
      return fc.array(within(schema.items ?? {}, known, field), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, Math.max(4, schema.minItems ?? 0)),
      });
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? -10, max: Math.min(schema.maximum ?? 5_000, 100_000) });
    case "number":
      return fc.double({ min: schema.minimum ?? -10, max: schema.maximum ?? 1e9, noNaN: true });
    case "string":
      if (!schema.pattern) return text;
      return fc.oneof({ weight: 4, arbitrary: matching(schema.pattern) }, { weight: 1, arbitrary: text });
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

const matching = (pattern: string) => fc.stringMatching(new RegExp(pattern, "u"), { size: "small" });

function object(schema: Schema, known: Known): Arbitrary<Record<string, unknown>> {
  const properties = Object.entries(schema.properties ?? {});
  if (!properties.length)
    return fc.dictionary(
      fc.oneof(text, fc.constantFrom("title", "citekey", "page_span", "tags", "year")),
      fc.jsonValue(),
      {
        maxKeys: 4,
      },
    );
  const required = (schema.required ?? []).filter((key) => key in (schema.properties ?? {}));
  return fc.record(Object.fromEntries(properties.map(([key, value]) => [key, within(value, known, key)])), {
    requiredKeys: required,
  }) as Arbitrary<Record<string, unknown>>;
}

const deep = (depth: number) => {
  let value: unknown = "bottom";
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value };
  return value;
};
/** `JSON.parse` makes an own property of it, which a literal cannot. */
const polluting = (key: string) => JSON.parse(`{"${key}":{"polluted":true,"isAdmin":true}}`) as object;

/** Values of any other kind than the one that was asked for. */
const wrong = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, "", [], {}, [[]], [null], { length: 5 }) },
  { weight: 3, arbitrary: number },
  { weight: 3, arbitrary: text },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(...["__proto__", "constructor", "prototype"].map(polluting)) },
  { weight: 1, arbitrary: fc.constantFrom(50, 2_000).map(deep) },
);

/** Good arguments with one thing wrong: a value, a missing field, one too many, something far too long. */
export function against(schema: Schema, known: Known): Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const field = fc.constantFrom(...(names.length ? names : ["nothing"]));
  const good = object(schema, known);
  const changed = (change: (args: Record<string, unknown>, name: string, value: unknown) => unknown) =>
    fc.tuple(good, field, wrong).map(([args, name, value]) => change({ ...args }, name, value));
  return fc.oneof(
    { weight: 5, arbitrary: changed((args, name, value) => ({ ...args, [name]: value })) },
    { weight: 2, arbitrary: changed((args, name) => without(args, name)) },
    { weight: 2, arbitrary: changed((args, name, value) => ({ ...args, [`${name}_`]: value })) },
    {
      weight: 1,
      arbitrary: fc.tuple(good, field, longText).map(([args, name, value]) => ({ ...args, [name]: value })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(good, fc.constantFrom("__proto__", "constructor", "prototype"))
        .map(([args, key]) => Object.defineProperty({ ...args }, key, { value: { polluted: true }, enumerable: true })),
    },
    { weight: 1, arbitrary: wrong },
  );
}

function without(args: Record<string, unknown>, name: string) {
  const { [name]: _gone, ...rest } = args;
  return rest;
}

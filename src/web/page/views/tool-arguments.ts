import type { Args, Schema } from "../server/connection.js";
import type { Keys } from "../server/stored-keys.js";

export interface Field {
  name: string;
  kind: "text" | "long" | "number" | "integer" | "boolean" | "choice" | "names" | "json";
  required: boolean;
  about: string;
  choices: readonly string[];
  fallback: unknown;
  schema: Schema;
}

/** The form fields for a tool's JSON schema, required ones first. */
export function fieldsOf(schema: Schema): Field[] {
  return Object.entries(schema.properties ?? {})
    .map(([name, property]) => ({
      name,
      kind: kindOf(property),
      required: schema.required?.includes(name) ?? false,
      about: property.description ?? "",
      choices: (property.enum ?? []).map(String),
      fallback: property.default,
      schema: property,
    }))
    .sort((a, b) => Number(b.required) - Number(a.required));
}

function kindOf(schema: Schema): Field["kind"] {
  const real =
    schema.anyOf?.find(({ type }) => type === "string") ?? schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
  const type = Array.isArray(real.type) ? real.type.find((one) => one !== "null") : real.type;
  if (real.enum) return "choice";
  if (type === "boolean" || type === "integer" || type === "number") return type;
  if (type === "array" && real.items?.type === "string") return "names";
  if (type === "array" || type === "object" || type === undefined) return "json";
  return (real.maxLength ?? 0) > 2000 ? "long" : "text";
}

/** The form values as arguments; empty fields are not sent. */
export function argumentsFrom(
  fields: readonly Field[],
  values: Readonly<Record<string, string>>,
): { args: Args; problems: Record<string, string> } {
  const args: Args = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const text = values[field.name] ?? "";
    if (text === "") {
      if (field.required) problems[field.name] = "Please fill this in.";
      continue;
    }
    try {
      args[field.name] = parseField(field, text);
    } catch (error) {
      problems[field.name] = error instanceof SyntaxError ? "This is not valid JSON." : (error as Error).message;
    }
  }
  return { args, problems };
}

function parseField({ kind }: Field, text: string): unknown {
  switch (kind) {
    case "integer":
    case "number": {
      const value = Number(text);
      if (Number.isNaN(value) || (kind === "integer" && !Number.isInteger(value)))
        throw new Error("This is not a number.");
      return value;
    }
    case "boolean":
      return text === "true";
    case "names":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    case "json":
      return JSON.parse(text);
    default:
      return text;
  }
}

/** The same call as a shell command. It has no keys, only names of environment variables. */
export function curlOf(tool: string, args: Args, keys: Keys): string {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: tool, arguments: args, _meta: meta },
  });
  const headers = [
    "content-type: application/json",
    "accept: application/json, text/event-stream",
    "mcp-protocol-version: 2026-07-28",
    "mcp-method: tools/call",
    `mcp-name: ${tool}`,
  ].map((header) => `-H '${header}'`);
  if (keys.token) headers.push('-H "authorization: Bearer $BOOKWHEEL_TOKEN"');
  if (keys.readwise) headers.push('-H "x-readwise-token: $READWISE_API_KEY"');
  return [`curl -s '${new URL("./mcp", document.baseURI)}'`, ...headers, `-d '${body.replaceAll("'", "'\\''")}'`].join(
    " \\\n  ",
  );
}

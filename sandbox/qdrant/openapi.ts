import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";

type Json = Record<string, unknown>;
interface Operation {
  parameters?: { in: string; name: string }[];
  requestBody?: Json;
  responses: Record<string, Json>;
}

/** Holds a call to Qdrant's published OpenAPI document; each method gives what is wrong, or undefined. */
export interface OpenApi {
  request(method: string, template: string, query: URLSearchParams, body: unknown): string | undefined;
  answer(method: string, template: string, status: number, body: unknown): string | undefined;
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const WHOLE = ["uint", "uint8", "uint16", "uint32", "uint64", "int32", "int64"];

export function readOpenApi(file: string): OpenApi {
  const document = JSON.parse(readFileSync(file, "utf8")) as { paths: Record<string, Record<string, Operation>> };
  const ajv = new Ajv({ strict: false, allErrors: false, logger: false });
  ajv.addFormat("uuid", UUID);
  for (const format of [...WHOLE, "float", "double", "date-time", "uri", "binary", "partial-date-time"])
    ajv.addFormat(format, true);
  ajv.addSchema(toJsonSchema(document) as Json, "qdrant");
  const compiled = new Map<string, ValidateFunction | undefined>();
  const validator = (...path: string[]): ValidateFunction | undefined => {
    const pointer = path.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    if (!compiled.has(pointer)) compiled.set(pointer, ajv.getSchema(`qdrant#/${pointer}`));
    return compiled.get(pointer);
  };
  const problem = (validate: ValidateFunction | undefined, body: unknown): string | undefined => {
    if (!validate || validate(body)) return undefined;
    const error = validate.errors?.at(-1);
    return `${error?.instancePath || "body"} ${error?.message} ${JSON.stringify(error?.params)}`;
  };
  const media = ["content", "application/json", "schema"];

  return {
    request(method, template, query, body) {
      const operation = document.paths[template]?.[method];
      if (!operation) return `no such operation: ${method} ${template}`;
      const known = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
      for (const name of query.keys())
        if (!known.some((parameter) => parameter.name === name)) return `unknown query parameter '${name}'`;
      if (!operation.requestBody) return body === undefined ? undefined : "a body where none is taken";
      if (body === undefined) return "no body";
      return problem(validator("paths", template, method, "requestBody", ...media), body);
    },
    answer(method, template, status, body) {
      const responses = document.paths[template]?.[method]?.responses ?? {};
      const key = [String(status), status < 500 ? "4XX" : "default", "default"].find((name) => responses[name]);
      if (!key) return `no answer ${status} is described`;
      if (!responses[key]?.content) return undefined;
      return problem(validator("paths", template, method, "responses", key, ...media), body);
    },
  };
}

/**
 * OpenAPI 3.0 as JSON Schema: `nullable` becomes a type of its own. Objects are closed to names the document does not
 * have, so that a misspelt field is found, which the real server would overlook.
 */
function toJsonSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toJsonSchema);
  if (typeof node !== "object" || node === null) return node;
  const { nullable, example: _example, discriminator: _discriminator, ...rest } = node as Json;
  if (nullable === true && Object.keys(rest).filter((key) => key !== "description").length === 0)
    return { type: "null" };
  const schema: Json = {};
  for (const [key, value] of Object.entries(rest)) schema[key] = toJsonSchema(value);
  if (schema.type === "object" && schema.properties && schema.additionalProperties === undefined)
    schema.additionalProperties = false;
  return nullable === true ? { anyOf: [schema, { type: "null" }] } : schema;
}

import { jsonOrUndefined } from "../../../kernel/json-or-undefined.js";

/**
 * The reasons in the body of a 400: `{field: [messages]}`, `{detail}`, or, if a list was sent, one such object for
 * each of its items, empty for the good ones.
 */
export function describeRejection(body: string): { message: string; details: Record<string, unknown> } {
  const raw = jsonOrUndefined(body);
  if (Array.isArray(raw)) {
    const items = raw.flatMap((entry, index) => {
      const fields = reasons(entry);
      return fields.length ? [{ index, fields: Object.fromEntries(fields) }] : [];
    });
    if (items.length) {
      const message = items.map(({ index, fields }) => `item ${index}: ${sentence(Object.entries(fields))}`).join("; ");
      return { message, details: { items } };
    }
  }
  const fields = reasons(raw);
  return fields.length
    ? { message: sentence(fields), details: { fields: Object.fromEntries(fields) } }
    : { message: "it gave no reason.", details: {} };
}

function reasons(value: unknown): [string, string][] {
  if (typeof value === "string") return [["detail", value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).map(([field, messages]) => [
    field,
    (Array.isArray(messages) ? messages : [messages]).map(String).join(" ").slice(0, 300),
  ]);
}

const sentence = (fields: [string, string][]) =>
  fields
    .map(([field, message]) => (field === "detail" || field === "non_field_errors" ? message : `${field}: ${message}`))
    .join("; ");

import { isObject, jsonOrUndefined } from "../kernel/json.js";
import { SERVER_NAME, type Snippet } from "./clients.js";

/** The file with our part added, or a sentence that says why it must be added by hand. */
type Merge = { text: string; state: "new" | "replaced" | "unchanged" } | { problem: string };

/** Merges our settings into a client's file. Everything else in it stays unchanged. */
export function mergeSettings(existing: string, snippet: Exclude<Snippet, { format: "text" }>): Merge {
  return snippet.format === "toml" ? mergeToml(existing, snippet) : mergeJson(existing, snippet);
}

function mergeJson(existing: string, { servers, entry, inputs = [] }: Extract<Snippet, { format: "json" }>): Merge {
  const text = existing.replace(/^\uFEFF/, "");
  const document = text.trim() ? jsonOrUndefined(text) : {};
  if (!isObject(document)) return { problem: "it is not plain JSON (comments, perhaps)" };
  const others = document[servers] ?? {};
  const asked = document.inputs ?? [];
  if (!isObject(others)) return { problem: `its '${servers}' is not an object` };
  if (!Array.isArray(asked)) return { problem: "its 'inputs' is not a list" };

  const missing = inputs.filter(({ id }) => !asked.some((input) => isObject(input) && input.id === id));
  const before = others[SERVER_NAME];
  const same = before !== undefined && JSON.stringify(before) === JSON.stringify(entry) && missing.length === 0;
  if (same) return { text: existing, state: "unchanged" };
  const merged = {
    ...document,
    ...(missing.length ? { inputs: [...asked, ...missing] } : {}),
    [servers]: { ...others, [SERVER_NAME]: entry },
  };
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  return { text: `${JSON.stringify(merged, null, indent)}\n`, state: before === undefined ? "new" : "replaced" };
}

/** Appends a new table to a TOML file, which changes nothing above it; any other change would need a TOML parser. */
function mergeToml(existing: string, { table, text }: Extract<Snippet, { format: "toml" }>): Merge {
  if (existing.includes(text)) return { text: existing, state: "unchanged" };
  const [parent, name] = table.split(".") as [string, string];
  const quoted = (word: string) => `["']?${word}["']?`;
  const ours = new RegExp(`^[ \\t]*\\[\\s*${quoted(parent)}\\s*\\.\\s*${quoted(name)}\\s*[\\].]`, "m");
  if (ours.test(existing)) return { problem: `it has a [${table}] of its own` };
  if (new RegExp(`^[ \\t]*${quoted(parent)}\\s*[=.]`, "m").test(existing))
    return { problem: `it writes ${parent} as a value, not as tables` };
  const above = existing.trimEnd();
  return { text: `${above}${above ? "\n\n" : ""}${text}\n`, state: "new" };
}

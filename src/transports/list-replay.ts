import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { RequestScope } from "../mcp/server.js";

interface KeptList {
  headers: Record<string, string>;
  body: Buffer;
}

/** Clients differ in what they say of themselves; each kind has an answer of its own, of about 90 kB. */
const MOST_KEPT = 32;

/**
 * Replays the SDK's earlier answer to `tools/list`. The list is by far the longest answer and is the same for every
 * identical request, so serialising it again each time would make it the most expensive call.
 */
export function listReplay() {
  const kept = new Map<string, { headers: Record<string, string>; before: Buffer; after: Buffer }>();

  return async function replay(
    { door, enabled }: RequestScope,
    headers: IncomingHttpHeaders,
    message: unknown,
    ask: (message: unknown) => Promise<Response>,
  ): Promise<KeptList | undefined> {
    if (!isListRequest(message)) return undefined;
    const { id, ...words } = message;
    const key = JSON.stringify([
      door,
      [...enabled.profiles],
      enabled.readOnly,
      ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"].map((name) => headers[name]),
      words,
    ]);
    let list = kept.get(key);
    kept.delete(key);
    if (!list) {
      // Asked under an id found nowhere else: the place where each caller's own is put.
      const place = randomUUID();
      const answer = await ask({ ...words, id: place });
      const parts = (await answer.text()).split(`"${place}"`);
      if (answer.status !== 200 || parts.length !== 2) return undefined;
      const [before, after] = parts.map((part) => Buffer.from(part)) as [Buffer, Buffer];
      list = { headers: Object.fromEntries(answer.headers), before, after };
    }
    kept.set(key, list);
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
    const body = Buffer.concat([list.before, Buffer.from(JSON.stringify(id)), list.after]);
    return { headers: { ...list.headers, "content-length": String(body.length) }, body };
  };
}

function isListRequest(message: unknown): message is { id: string | number } {
  if (typeof message !== "object" || message === null || !("id" in message && "method" in message)) return false;
  // Other ids are for the SDK to refuse.
  return message.method === "tools/list" && (typeof message.id === "string" || Number.isSafeInteger(message.id));
}

const MIB = 1024 * 1024;
const FRONT =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"store_chunks","arguments":{"project":"p","items":[';
const BACK = "]}}}";

/** Bodies that are small on the wire and large in memory, by what they are made of. */
export const HOSTILE: Readonly<Record<string, (bytes: number) => string>> = {
  "empty objects": (bytes) => filled(bytes, "{},"),
  "empty arrays": (bytes) => filled(bytes, "[],"),
  "nested arrays": (bytes) => FRONT + "[".repeat(bytes / 2) + "]".repeat(bytes / 2) + BACK,
  "nested objects": (bytes) => `${FRONT}${'{"a":'.repeat(bytes / 6)}1${"}".repeat(bytes / 6)}${BACK}`,
  "distinct keys": (bytes) =>
    `${FRONT}{${Array.from({ length: bytes / 12 }, (_, i) => `"${i.toString(36)}":1`).join(",")}}${BACK}`,
  "short texts": (bytes) => filled(bytes, '"ab",'),
  numbers: (bytes) => filled(bytes, "0.1234567,"),
  "one long text": (bytes) => filled(bytes, `"${"я".repeat(bytes / 2 - 100)}",`),
  "a batch of pings": (bytes) => `[${'{"jsonrpc":"2.0","id":1,"method":"ping"},'.repeat(bytes / 41)}{}]`,
  "an argument of another tool": (bytes) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_projects","arguments":{"a":"${"a".repeat(bytes - 200)}"}}}`,
  "no JSON": (bytes) => "x".repeat(bytes),
};

function filled(bytes: number, part: string): string {
  const times = Math.max(1, Math.floor((bytes - FRONT.length - BACK.length) / Buffer.byteLength(part)));
  return FRONT + part.repeat(times).slice(0, -1) + BACK;
}

export const LARGEST = 16 * MIB - 1024;

export async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body,
  });
}

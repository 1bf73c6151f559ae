import { type Program, startProgram } from "../support/program.js";

export type Answer = Record<string, unknown> & { error?: { code: string; message: string } };

/** One tool call over HTTP without a handshake; throws where no answer comes. */
export async function callProgram(
  url: string,
  name: string,
  args: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const text = await response.text();
  const message = JSON.parse(text.startsWith("{") ? text : text.slice(text.lastIndexOf("data:") + 5)) as {
    result?: { structuredContent: Answer };
    error?: { message: string };
  };
  if (!message.result) throw new Error(message.error?.message ?? text);
  return message.result.structuredContent;
}

/** The program over a data folder that outlives it. */
export const serveFrom = (folder: string, env: Record<string, string> = {}): Promise<Program> =>
  startProgram(["serve"], { BOOKWHEEL_HOME: folder, BOOKWHEEL_SHELVES: "chunks", CHUNK_PROFILES: "all", ...env });

export const PROJECT = "faults";
const DIMENSION = 384;

/** Chunks that bring their vectors along, so that nothing waits for the model. */
export function items(batch: string, count: number, words = 20) {
  return Array.from({ length: count }, (_, i) => ({
    id: `${batch}-${i}`,
    text: `${batch} item${i} ${"word ".repeat(words)}`,
    embedding: Array.from({ length: DIMENSION }, (_, at) => Math.sin(at * (i + 1))),
  }));
}

/** Which of the ids can be read, word for word as they were stored. */
export async function readable(url: string, ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const id of ids) {
    const { error, text } = await callProgram(url, "read_passage", { project: PROJECT, chunk_id: id, neighbours: 0 });
    if (error && error.code !== "NOT_FOUND") throw new Error(error.message);
    const [batch, item] = [id.slice(0, id.lastIndexOf("-")), id.slice(id.lastIndexOf("-") + 1)];
    if (String(text).startsWith(`${batch} item${item} `)) found.push(id);
  }
  return found;
}

export async function chunkCount(url: string): Promise<number> {
  const { error, size } = await callProgram(url, "inspect_collection", { project: PROJECT });
  if (error) throw new Error(error.message);
  return Number(size);
}

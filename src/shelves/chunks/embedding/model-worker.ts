/**
 * The process that runs the graph: token ids in, unit vectors out, one text at a time (the quantised graph takes its
 * activation ranges over a whole batch, so a batch would change the vectors). It also cuts and tokenizes: texts of any
 * length and make must not hold up the process that answers calls.
 */
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import type { Passage } from "./embedder.js";
import { loadTokenizer, type Tokenizer } from "./tokenizer.js";
import { cutWindows, type WindowRecipe } from "./windows.js";

/** Work on text, answered beside the vectors. */
export type TextRequest = { encode: readonly string[] } | { windows: readonly Passage[]; recipe: WindowSizes };
export type WindowSizes = Omit<WindowRecipe, "count" | "limit"> & { maxTokens: number };
export type Request = { ids: number[] } | ({ id: number } & TextRequest);
/** `unusable`: the model did not load and will not; otherwise only this text failed. */
export type Reply =
  | { vector: Float32Array }
  | { failed: string; unusable: boolean }
  | { id: number; encoded: number[][] }
  | { id: number; windows: string[][] }
  | { id: number; failed: string };

/** What we use of onnxruntime-node, whose package has no types of its own. */
interface Runtime {
  Tensor: new (type: "int64", data: BigInt64Array, shape: readonly number[]) => unknown;
  InferenceSession: { create(file: string, options: Record<string, unknown>): Promise<Session> };
}
interface Session {
  run(inputs: Record<string, unknown>): Promise<Record<string, { data: Float32Array }>>;
}

const [graph = "", sha256 = "", threads = "1", tokenizerFile = ""] = process.argv.slice(2);

// The parent is gone: nobody is left to answer.
process.on("disconnect", () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent decides when we end.
process.on("SIGINT", () => {});

const loading = load();
loading.catch(() => {}); // the first request reports it

let tokenizer: Tokenizer | undefined;
function answerText(request: { id: number } & TextRequest): Reply {
  const { id } = request;
  try {
    tokenizer ??= loadTokenizer(tokenizerFile);
    const { encode, count, added } = tokenizer;
    if ("encode" in request) return { id, encoded: request.encode.map(encode) };
    const { maxTokens, ...sizes } = request.recipe;
    const recipe: WindowRecipe = { ...sizes, limit: maxTokens - added, count };
    return { id, windows: request.windows.map(({ text, prefix }) => cutWindows(text, prefix, recipe)) };
  } catch (error) {
    return { id, failed: error instanceof Error ? error.message : String(error) };
  }
}

process.on("message", async (request: Request) => {
  if ("id" in request) return send(answerText(request));
  let loaded = false;
  // An error has to become a message to reach the other process.
  try {
    const embed = await loading;
    loaded = true;
    send({ vector: await embed(request) });
  } catch (error) {
    send({ failed: error instanceof Error ? error.message : String(error), unusable: !loaded });
  }
});

async function load() {
  const actual = sha256Of(graph);
  if (actual !== sha256) throw new Error(`the model file is damaged (SHA-256 ${actual}, not ${sha256})`);
  const { InferenceSession, Tensor }: Runtime = createRequire(import.meta.url)("onnxruntime-node");
  const session = await InferenceSession.create(graph, {
    intraOpNumThreads: Number(threads),
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    // One text at a time leaves little to reuse: arenas would only hold memory.
    enableCpuMemArena: false,
    enableMemPattern: false,
    // Threads that wait must not burn a core: indexing runs beside everything else.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });

  return async ({ ids }: { ids: number[] }) => {
    const shape = [1, ids.length];
    const { sentence_embedding } = await session.run({
      input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
      attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
    });
    if (!sentence_embedding) throw new Error("the graph has no output 'sentence_embedding'");
    return sentence_embedding.data;
  };
}

/** Piece by piece: read at once, the file would stay in memory beside the graph made of it. */
function sha256Of(file: string): string {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(2 ** 18);
  const opened = openSync(file, "r");
  try {
    for (let read = readSync(opened, piece); read > 0; read = readSync(opened, piece))
      hash.update(piece.subarray(0, read));
  } finally {
    closeSync(opened);
  }
  return hash.digest("hex");
}

function send(reply: Reply) {
  process.send?.(reply);
}

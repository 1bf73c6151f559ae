/**
 * The process that runs the graph: token ids in, unit vectors out, one text at a time (the quantised graph takes its
 * activation ranges over a whole batch, so a batch would change the vectors). It also cuts and tokenizes: texts of any
 * length and make must not hold up the process that answers calls.
 */
import { createRequire } from "node:module";
import { unitOf } from "../../../kernel/vector.js";
import { IN_GRAPH, type Passage } from "./embedder.js";
import { stampOf, weightsHash } from "./model-files.js";
import { loadTokenizer, type Tokenizer } from "./tokenizer.js";
import { cutWindows, type WindowRecipe } from "./windows.js";

/** Work on text, answered beside the vectors. */
export type TextRequest = { encode: readonly string[] } | { windows: readonly Passage[]; recipe: WindowSizes };
export type WindowSizes = Omit<WindowRecipe, "count" | "limit"> & { maxTokens: number };
/** A text to embed: its token ids, or, where one message is to be enough, texts that are known to be short. */
export type EmbedRequest = { ids: number[] } | { texts: readonly string[] };
export type Request = EmbedRequest | ({ id: number } & TextRequest);
/** `unusable`: the model did not load and will not; otherwise only this text failed. */
export type Reply =
  | { vectors: Float32Array[] }
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
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Record<string, unknown>, outputs: readonly string[]): Promise<Record<string, Output>>;
}
interface Output {
  data: unknown;
  dims: readonly number[];
}

/** What a graph may take, by token, and what is given for it. */
const INPUTS: Readonly<Record<string, (ids: readonly number[]) => BigInt64Array>> = {
  input_ids: (ids) => BigInt64Array.from(ids, BigInt),
  attention_mask: ({ length }) => new BigInt64Array(length).fill(1n),
  token_type_ids: ({ length }) => new BigInt64Array(length),
};
/** What is read of a graph, the first that it has: a vector for the text, or one per token that we pool. */
const OUTPUTS = ["sentence_embedding", "last_hidden_state", "token_embeddings"];

const [graph = "", sha256 = "", threads = "1", tokenizerFile = "", pooling = "", dimension = "", stamp = ""] =
  process.argv.slice(2);

// The parent is gone: nobody is left to answer.
process.on("disconnect", () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent decides when we end.
process.on("SIGINT", () => {});

const loading = load();
loading.catch(() => {}); // the first request reports it

let tokenizer: Tokenizer | undefined;
function loadedTokenizer(): Tokenizer {
  tokenizer ??= loadTokenizer(tokenizerFile);
  return tokenizer;
}

function answerText(request: { id: number } & TextRequest): Reply {
  const { id } = request;
  try {
    const { encode, count, added } = loadedTokenizer();
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
    const vectors: Float32Array[] = [];
    for (const ids of "ids" in request ? [request.ids] : request.texts.map(loadedTokenizer().encode))
      vectors.push(await embed(ids));
    send({ vectors });
  } catch (error) {
    send({ failed: error instanceof Error ? error.message : String(error), unusable: !loaded });
  }
});

async function load() {
  const actual = stampOf(graph) === stamp ? sha256 : await weightsHash(graph);
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

  const strange = session.inputNames.find((name) => !(name in INPUTS));
  if (strange) throw new Error(`the graph takes '${strange}', which is unknown here`);
  const wanted = OUTPUTS.find((name) => session.outputNames.includes(name));
  if (!wanted) throw new Error(`the graph has none of the outputs ${OUTPUTS.join(", ")}`);
  if (pooling === IN_GRAPH && wanted !== OUTPUTS[0])
    throw new Error(`the model has layers behind its pooling, and the graph has no '${OUTPUTS[0]}' that includes them`);

  return async (ids: number[]) => {
    const inputs = session.inputNames.map((name) => [name, new Tensor("int64", INPUTS[name]!(ids), [1, ids.length])]);
    const output = (await session.run(Object.fromEntries(inputs), [wanted]))[wanted];
    if (!(output?.data instanceof Float32Array)) throw new Error(`the graph's '${wanted}' is not in 32-bit floats`);
    const vector = output.dims.length === 3 ? pool(output.data, ids.length) : output.data;
    if (vector.length !== Number(dimension))
      throw new Error(
        `the graph's vectors have ${vector.length} dimensions, not the ${dimension} of its configuration`,
      );
    // What the graph has normalised stays as it is, to the last bit.
    return Math.abs(Math.hypot(...vector) - 1) < 1e-4 ? vector : unitOf(vector);
  };
}

/** One vector of those of all tokens, which lie one behind the other. */
function pool(tokens: Float32Array, count: number): Float32Array {
  const width = tokens.length / count;
  if (pooling === "cls") return tokens.slice(0, width);
  if (pooling === "lasttoken") return tokens.slice(-width);
  if (pooling === "max") {
    const most = tokens.slice(0, width);
    for (let i = width; i < tokens.length; i++) most[i % width] = Math.max(most[i % width]!, tokens[i]!);
    return most;
  }
  // Later tokens of a model that reads forwards have seen more: they weigh by their place.
  const weight = pooling === "weightedmean" ? (token: number) => token + 1 : () => 1;
  const sum = new Float32Array(width);
  for (let i = 0; i < tokens.length; i++) sum[i % width]! += weight(Math.floor(i / width)) * tokens[i]!;
  return sum.map((value) => value / count);
}

function send(reply: Reply) {
  process.send?.(reply);
}

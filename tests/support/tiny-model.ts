import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The vectors a tiny model has for its words; every other word is [UNK]. */
export type TinyVectors = Readonly<Record<string, readonly number[]>>;

interface Writer {
  TYPE: { float: number; int64: number };
  input(name: string, type: number, shape: readonly (string | number)[]): Uint8Array;
  output(name: string, type: number, shape: readonly (string | number)[]): Uint8Array;
  node(operator: string, inputs: readonly string[], outputs: readonly string[], attributes?: object): Uint8Array;
  tensor(name: string, shape: readonly number[], type: number, values: Float32Array | BigInt64Array): Uint8Array;
  int(value: number): unknown;
  model(name: string, producer: string, parts: readonly Uint8Array[]): Uint8Array;
}

const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];

/**
 * The files of a sentence-embedding model as they are published, with a graph that looks every token up in a table:
 * its vectors can be computed by hand. `pooled` graphs give one vector per text, the sum.
 */
export async function tinyModel(
  vectors: TinyVectors,
  { pooled = false, files = {} }: { pooled?: boolean; files?: Readonly<Record<string, unknown>> } = {},
): Promise<Record<string, Uint8Array>> {
  const writer = new URL("../../scripts/model/onnx-writer.mjs", import.meta.url);
  const { TYPE, input, int, output, node, tensor, model } = (await import(fileURLToPath(writer))) as Writer;
  const words = [...new Set([...SPECIAL, ...Object.keys(vectors)])];
  const width = Object.values(vectors)[0]!.length;
  const table = words.flatMap((word) => vectors[word] ?? Array.from({ length: width }, () => 0));
  const graph = model("tiny", "test", [
    input("input_ids", TYPE.int64, ["B", "S"]),
    input("attention_mask", TYPE.int64, ["B", "S"]),
    pooled
      ? output("sentence_embedding", TYPE.float, ["B", width])
      : output("last_hidden_state", TYPE.float, ["B", "S", width]),
    tensor("table", [words.length, width], TYPE.float, Float32Array.from(table)),
    node("Gather", ["table", "input_ids"], [pooled ? "tokens" : "last_hidden_state"]),
    ...(pooled
      ? [
          tensor("places", [1], TYPE.int64, BigInt64Array.of(1n)),
          node("ReduceSum", ["tokens", "places"], ["sentence_embedding"], { keepdims: int(0) }),
        ]
      : []),
  ]);
  const token = (content: string) => ({ [content]: { id: content, ids: [words.indexOf(content)], tokens: [content] } });
  const special = (content: string) => ({ SpecialToken: { id: content, type_id: 0 } });
  const tokenizer = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content, id) => ({
      id,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: null,
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [special("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, special("[SEP]")],
      pair: [special("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, special("[SEP]")],
      special_tokens: { ...token("[CLS]"), ...token("[SEP]") },
    },
    decoder: null,
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  };
  const all: Record<string, unknown> = {
    "config.json": { model_type: "bert", hidden_size: width, max_position_embeddings: 128 },
    "tokenizer.json": tokenizer,
    "1_Pooling/config.json": { word_embedding_dimension: width, pooling_mode_mean_tokens: true },
    "onnx/model.onnx": graph,
    ...files,
  };
  return Object.fromEntries(
    Object.entries(all)
      .filter(([, value]) => value !== undefined)
      .map(([path, value]) => [path, value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value))]),
  );
}

export function writeFiles(folder: string, files: Readonly<Record<string, Uint8Array>>): string {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}

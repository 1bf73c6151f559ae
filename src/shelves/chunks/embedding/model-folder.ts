import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { ShelfError } from "../../../kernel/errors.js";
import { jsonOrUndefined } from "../../../kernel/json.js";
import { IN_GRAPH, type ModelIdentity } from "./embedder.js";
import { weightsOf } from "./weights-memory.js";

/** A sentence-embedding model as it is published: an ONNX graph and the files of sentence-transformers beside it. */
export interface ModelFolder {
  identity: ModelIdentity & { weights_sha256: string };
  graph: string;
  tokenizer: string;
  /** What the model was trained to see in front of a question and of a passage. */
  prompts: { query: string; passage: string };
}

/** Longer texts cost time and memory by the square, and passages are cut far shorter. */
const MOST_TOKENS = 512;
const FEWEST_TOKENS = 32;
/** By sentence-transformers' names. Vectors are made unit length, so a sum over the root of the count is a mean. */
const POOLINGS: Readonly<Record<string, string>> = {
  cls_token: "cls",
  mean_tokens: "mean",
  mean_sqrt_len_tokens: "mean",
  max_tokens: "max",
  weightedmean_tokens: "weightedmean",
  lasttoken: "lasttoken",
};
/** How well-known models pool, for folders that do not say: conversions often leave sentence-transformers' files out. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/(^|[-_/])(e5|gte|minilm|paraphrase|labse)([-_.]|$)/i, "mean"],
  [/(^|[-_/])(bge|arctic-embed|mxbai-embed)([-_.]|$)/i, "cls"],
  [/(^|[-_/])embeddinggemma([-_.]|$)/i, IN_GRAPH],
];
/** E5 models were trained with these words in front of every text, which their files often leave out. */
const E5 = /(^|[-_/])e5-(?!.*(instruct|mistral))/i;
const E5_PROMPTS = { query: "query: ", passage: "passage: " };
/** Written beside the files of a model that was fetched from a hub. */
export const ADDED_FILE = "bookwheel-model.json";
const KNOWN_STEPS = ["Transformer", "Pooling", "Normalize"];
/** These count positions from the padding token on, so the first two are never used. */
const OFFSET_POSITIONS = ["roberta", "xlm-roberta", "camembert", "mpnet"];

const size = z.int().positive().optional().catch(undefined);
const Config = z.object({
  model_type: z.string().catch(""),
  hidden_size: size,
  dim: size,
  max_position_embeddings: size,
  _name_or_path: z.string().catch(""),
});
const Added = z.object({ id: z.string(), graph: z.string() });
const Pooling = z.looseObject({ word_embedding_dimension: size, pooling_mode: z.string().optional().catch(undefined) });
const Steps = z.array(z.object({ type: z.string() }));
const Prompts = z.object({
  prompts: z.record(z.string(), z.string()).catch({}),
  default_prompt_name: z.string().catch(""),
});
const Length = z.object({ max_seq_length: size, model_max_length: size });

/** Throws INDEX_UNAVAILABLE with the file that is missing or cannot be used. `hashes` remembers those of large files. */
export async function readModelFolder(folder: string, hashes?: string): Promise<ModelFolder> {
  if (!existsSync(folder)) throw unusable(folder, "the folder is not there");
  const graph = graphOf(folder);
  const { tokenizer, prompts, ...facts } = checkModelFiles(folder);
  return { identity: { ...facts, weights_sha256: await weightsOf(graph, hashes) }, graph, tokenizer, prompts };
}

/** All that is known without the graph. Throws like `readModelFolder`. */
export function checkModelFiles(
  folder: string,
): Omit<ModelIdentity, "weights_sha256"> & Pick<ModelFolder, "tokenizer" | "prompts"> {
  const tokenizer = join(folder, "tokenizer.json");
  if (!existsSync(tokenizer)) throw unusable(folder, "tokenizer.json is missing");
  const config = Config.parse(needed(folder, "config.json"));
  const id = nameOf(folder);
  const { pooling, width } = poolingIn(folder, id);

  const dimension = width ?? config.hidden_size ?? config.dim;
  if (dimension === undefined) throw unusable(folder, "config.json has no hidden_size");
  const prompts = promptsOf(folder, [id, config._name_or_path]);
  // No token is shorter than a byte: with this much left free, a text that fits also fits behind its prompt.
  const max_tokens = longest(folder, config) - room(prompts);
  if (max_tokens < FEWEST_TOKENS) throw unusable(folder, `its prompts leave ${max_tokens} tokens for a text`);
  return { id, dimension, pooling, max_tokens, tokenizer, prompts };
}

/** What the longer prompt takes at most, in tokens. */
export function room({ query, passage }: ModelFolder["prompts"]): number {
  return Math.max(Buffer.byteLength(query), Buffer.byteLength(passage));
}

function graphOf(folder: string): string {
  const added = Added.safeParse(optional(folder, ADDED_FILE)).data?.graph;
  if (added && existsSync(join(folder, added))) return join(folder, added);
  const usual = ["model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx"];
  const found = usual.find((name) => existsSync(join(folder, name)));
  if (found) return join(folder, found);
  const others = [".", "onnx"].flatMap((place) =>
    existsSync(join(folder, place))
      ? readdirSync(join(folder, place))
          .filter((name) => name.endsWith(".onnx"))
          .map((name) => join(place, name))
      : [],
  );
  if (others.length > 1)
    throw unusable(folder, `there are several graphs (${others.join(", ")}); call the one to use model.onnx`);
  if (!others[0]) throw unusable(folder, "model.onnx is missing, and onnx/model.onnx too");
  return join(folder, others[0]);
}

function poolingIn(folder: string, id: string): { pooling: string; width: number | undefined } {
  const steps = Steps.safeParse(optional(folder, "modules.json")).data ?? [];
  const other = steps.find(({ type }) => !KNOWN_STEPS.some((known) => type.endsWith(`.${known}`)));
  if (other && !other.type.endsWith(".Dense"))
    throw unusable(folder, `modules.json asks for ${other.type}, which cannot be run`);
  const said = optional(folder, "1_Pooling/config.json");
  const pooled = Pooling.parse(said ?? {});
  // A layer behind the pooling would be left out, and the vectors would be others than the model's.
  if (other) return { pooling: IN_GRAPH, width: undefined };
  if (said !== undefined) return { pooling: poolingOf(folder, pooled), width: pooled.word_embedding_dimension };
  const family = FAMILIES.find(([name]) => name.test(id))?.[1];
  if (family === undefined) throw unusable(folder, "1_Pooling/config.json is missing");
  return { pooling: family, width: undefined };
}

function poolingOf(folder: string, pooled: z.infer<typeof Pooling>): string {
  const flags = Object.keys(pooled)
    .filter((name) => name.startsWith("pooling_mode_") && pooled[name] === true)
    .map((name) => name.slice("pooling_mode_".length));
  const asked = pooled.pooling_mode ? [pooled.pooling_mode] : flags;
  const known = Object.entries(POOLINGS).find(([flag, name]) => asked[0] === flag || asked[0] === name);
  if (asked.length === 1 && known) return known[1];
  throw unusable(
    folder,
    `1_Pooling/config.json asks for ${asked.join(" and ") || "no pooling"}; one of ${[...new Set(Object.values(POOLINGS))].join(", ")} can be used`,
  );
}

function promptsOf(folder: string, names: readonly string[]): ModelFolder["prompts"] {
  const { prompts, default_prompt_name } = Prompts.parse(optional(folder, "config_sentence_transformers.json") ?? {});
  const usual = prompts[default_prompt_name] ?? "";
  const said = { query: prompts.query ?? usual, passage: prompts.passage ?? prompts.document ?? usual };
  return said.query === "" && said.passage === "" && names.some((name) => E5.test(name)) ? E5_PROMPTS : said;
}

function longest(folder: string, { model_type, max_position_embeddings }: z.infer<typeof Config>): number {
  const lengthIn = (name: string) => Length.safeParse(optional(folder, name)).data;
  const trained =
    lengthIn("sentence_bert_config.json")?.max_seq_length ?? lengthIn("tokenizer_config.json")?.model_max_length;
  const positions = (max_position_embeddings ?? Infinity) - (OFFSET_POSITIONS.includes(model_type) ? 2 : 0);
  return Math.min(trained ?? Infinity, positions, MOST_TOKENS);
}

/** The model's on its hub where it was fetched from one, else the folder's; in the cache of Hugging Face's tools that is a hash. */
function nameOf(folder: string): string {
  const added = Added.safeParse(optional(folder, ADDED_FILE)).data;
  if (added) return added.id;
  const parts = resolve(folder).split(/[/\\]/);
  const cached = parts.at(-2) === "snapshots" ? parts.at(-3)?.split("--") : undefined;
  return cached?.[0] === "models" ? cached.slice(1).join("/") : basename(resolve(folder));
}

function needed(folder: string, name: string): unknown {
  const value = optional(folder, name);
  if (value === undefined) throw unusable(folder, `${name} is missing`);
  return value;
}

function optional(folder: string, name: string): unknown {
  const file = join(folder, name);
  if (!existsSync(file)) return undefined;
  const value = jsonOrUndefined(readFileSync(file, "utf8"));
  if (typeof value !== "object" || value === null) throw unusable(folder, `${name} is not JSON`);
  return value;
}

function unusable(folder: string, why: string): ShelfError {
  return new ShelfError(
    "INDEX_UNAVAILABLE",
    `BOOKWHEEL_EMBED_MODEL_DIR: the model in '${folder}' cannot be used: ${why}.`,
  );
}

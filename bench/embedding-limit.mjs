// How near embedding is to what this machine can multiply: the graph beside nothing but its integer matrix products (the same
// shapes, the same runtime), alone and in batches, with the session options that could matter.
//
//   node bench/embedding-limit.mjs [--quick] [--runtime PATH]   another onnxruntime-node, to compare versions
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { input, model, node, output, TYPE, tensor } from "../scripts/model/onnx-writer.mjs";
import { inTurn, isMain, median, spread, toTable } from "./measure.mjs";

const MODEL = fileURLToPath(new URL("../dist/models/all-MiniLM-L6-v2/model.onnx", import.meta.url));
const UINT8 = 2;
const TOKENS = 128;
const [WIDTH, INNER, DEPTH] = [384, 1536, 6];
/** Query, key and value as one product, then the output of attention and the two of the inner layer. */
const PRODUCTS = [
  ["a", WIDTH, 3 * WIDTH],
  ["a", WIDTH, WIDTH],
  ["a", WIDTH, INNER],
  ["h", INNER, WIDTH],
];
const MACS_PER_TOKEN = DEPTH * PRODUCTS.reduce((sum, [, k, n]) => sum + k * n, 0);

/** The matrix products of the graph and nothing else. */
function productsOnly() {
  const parts = [input("a", UINT8, ["S", WIDTH]), input("h", UINT8, ["S", INNER])];
  parts.push(
    tensor("zero", [1], TYPE.int64, BigInt64Array.of(0n)),
    tensor("one", [1], TYPE.int64, BigInt64Array.of(1n)),
  );
  for (let layer = 0; layer < DEPTH; layer++)
    for (const [i, [from, k, n]] of PRODUCTS.entries()) {
      const weights = Int8Array.from({ length: k * n }, (_, at) => ((at * 31 + layer) % 127) - 63);
      parts.push(tensor(`w${layer}${i}`, [k, n], TYPE.int8, weights));
      parts.push(node("MatMulInteger", [from, `w${layer}${i}`], [`y${layer}${i}`]));
      // One row is handed out, so that the product is made and next to nothing is copied.
      parts.push(node("Slice", [`y${layer}${i}`, "zero", "one", "zero"], [`z${layer}${i}`]));
      parts.push(output(`z${layer}${i}`, TYPE.int32, [1, n]));
    }
  return model("products", "bench", parts);
}

export async function bench({ quick = false, runtime = "onnxruntime-node" } = {}) {
  const { InferenceSession, Tensor } = createRequire(import.meta.url)(runtime);
  const threads = Math.min(4, availableParallelism());
  const open = (graph, extra = {}) =>
    InferenceSession.create(graph, { intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 3, ...extra });
  const still = { extra: { session: { intra_op: { allow_spinning: "0" } } } };
  const ours = { ...still, enableCpuMemArena: false, enableMemPattern: false };
  const ids = (batch) => {
    const shape = [batch, TOKENS];
    const many = BigInt64Array.from({ length: batch * TOKENS }, (_, i) => BigInt(1000 + ((i * 37) % 20_000)));
    return {
      input_ids: new Tensor("int64", many, shape),
      attention_mask: new Tensor("int64", new BigInt64Array(batch * TOKENS).fill(1n), shape),
    };
  };
  const codes = (rows) => ({
    a: new Tensor("uint8", new Uint8Array(rows * WIDTH).fill(77), [rows, WIDTH]),
    h: new Tensor("uint8", new Uint8Array(rows * INNER).fill(77), [rows, INNER]),
  });
  /** Tokens per second over some runs. */
  const speed = (session, inputs, tokens) => async () => {
    const runs = Math.max(2, Math.round((quick ? 4_000 : 16_000) / tokens));
    const started = performance.now();
    for (let i = 0; i < runs; i++) await session.run(inputs);
    return (tokens * runs) / ((performance.now() - started) / 1000);
  };
  const products = Buffer.from(productsOnly());
  const sides = {
    products: speed(await open(products), codes(TOKENS), TOKENS),
    products16: speed(await open(products), codes(16 * TOKENS), 16 * TOKENS),
    products1: speed(await open(products, { intraOpNumThreads: 1 }), codes(TOKENS), TOKENS),
    ours: speed(await open(MODEL, ours), ids(1), TOKENS),
    arena: speed(await open(MODEL, still), ids(1), TOKENS),
    spinning: speed(await open(MODEL), ids(1), TOKENS),
    batch16: speed(await open(MODEL), ids(16), 16 * TOKENS),
    oneThread: speed(await open(MODEL, { ...ours, intraOpNumThreads: 1 }), ids(1), TOKENS),
  };
  const values = await inTurn(sides, quick ? 3 : 7);
  const limit = median(values.products);
  const row = (name, side, note) => ({
    name,
    ours: median(values[side]),
    unit: "tokens/s",
    limit,
    limitName: "products alone",
    share: median(values[side]) / limit,
    spread: spread(values[side]),
    note,
  });
  return [
    row("the integer products alone", "products", `${((limit * MACS_PER_TOKEN * 2) / 1e9).toFixed(0)} Gop/s`),
    row("the integer products alone, 16 texts at once", "products16"),
    row("the graph as we run it", "ours", `${TOKENS} tokens, one text`),
    row("the graph with memory arenas", "arena"),
    row("the graph with threads that spin while they wait, and arenas", "spinning"),
    row("the graph, 16 texts at once, spinning", "batch16", "its vectors differ with what is embedded together"),
    row("the integer products alone, one thread", "products1"),
    row(
      "the graph as we run it, one thread",
      "oneThread",
      `${(median(values.oneThread) / median(values.products1)).toFixed(2)} of the products on one thread`,
    ),
  ];
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({ options: { quick: { type: "boolean" }, runtime: { type: "string" } } });
  console.log(toTable(await bench(values)));
}

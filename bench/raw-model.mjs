// The embedding model with nothing around it: onnxruntime and the graph in a process of its own, token ids in, a time out.
// What any embedder that runs this graph on this machine cannot beat.
import { fork } from "node:child_process";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadTokenizer } from "../dist/shelves/chunks/embedding/tokenizer.js";
import { isMain } from "./measure.mjs";

const SELF = fileURLToPath(import.meta.url);
const MODEL = fileURLToPath(new URL("../dist/models/all-MiniLM-L6-v2/", import.meta.url));

/** `run(texts)` gives the milliseconds the graph takes for them, one text at a time as we do. */
export async function openRawModel() {
  const tokenizer = loadTokenizer(join(MODEL, "tokenizer.json"));
  const child = fork(SELF, { serialization: "advanced" });
  const heard = () =>
    new Promise((resolve, reject) => {
      child.once("message", ({ ms, failure }) => (failure ? reject(new Error(failure)) : resolve(ms)));
      child.once("exit", (code) => reject(new Error(`the bare model ended with ${code}`)));
    });
  return {
    tokens: (texts) => texts.reduce((sum, text) => sum + tokenizer.encode(text).length, 0),
    async run(texts) {
      child.removeAllListeners();
      child.send(texts.map((text) => tokenizer.encode(text)));
      return heard();
    },
    close: () => child.kill(),
  };
}

if (isMain(import.meta.url)) {
  const { InferenceSession, Tensor } = createRequire(import.meta.url)("onnxruntime-node");
  const session = InferenceSession.create(join(MODEL, "model.onnx"), {
    intraOpNumThreads: Math.min(4, availableParallelism()),
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  process.on("disconnect", () => process.exit(0));
  process.on("message", async (batch) => {
    const model = await session;
    const inputs = batch.map((ids) => {
      const shape = [1, ids.length];
      return {
        input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
        attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
      };
    });
    const started = performance.now();
    for (const input of inputs) await model.run(input);
    process.send({ ms: performance.now() - started });
  });
}

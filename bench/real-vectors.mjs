// The model's own vectors of real texts, SciFact's abstracts and claims: made once, then kept under .cache/bench.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEmbedders } from "../dist/shelves/chunks/embedding/embedders.js";
import { readSet } from "./judged.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @returns {Promise<{ passages: Float32Array[], questions: Float32Array[] }>} */
export async function realVectors(count = 4000) {
  const embedders = await createEmbedders();
  const model = embedders.preferred && embedders.get(embedders.preferred);
  if (!model) throw new Error(embedders.unavailable);
  try {
    const { corpus, queries } = readSet("scifact");
    const passages = async () => {
      const some = corpus.slice(0, count).map(({ title, text }) => ({ text, prefix: title }));
      return (await model.windows(some)).map(([first]) => first);
    };
    const questions = () => queries.map(({ text }) => text);
    return {
      passages: await kept(`passages-${count}`, model, passages, "passage"),
      questions: await kept("questions", model, questions, "query"),
    };
  } finally {
    await embedders.close();
  }
}

async function kept(name, model, read, as) {
  const { dimension, weights_sha256 } = model.identity;
  const file = join(root, ".cache", "bench", `real-${name}-${weights_sha256.slice(0, 16)}.bin`);
  if (!existsSync(file)) {
    const texts = await read();
    const vectors = [];
    for (let start = 0; start < texts.length; start += 64)
      vectors.push(...(await model.embed(texts.slice(start, start + 64), { as })));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      Buffer.concat(vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength))),
    );
  }
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  const all = new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
  return Array.from({ length: all.length / dimension }, (_, i) => all.subarray(i * dimension, (i + 1) * dimension));
}

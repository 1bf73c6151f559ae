// One ingest in a process of its own: `node bench/ingest-run.mjs FOLDER STORE.db [--model] [--prune]`. Others measure
// it, watch its memory, or kill it. Without --model a stand-in embeds, so that reading and storing can be seen alone.
import { parseArgs } from "node:util";
import { createIdentifier } from "../dist/citations/bibliography/identifier.js";
import { createIngestion } from "../dist/ingest/ingestion.js";
import { createReaderPool } from "../dist/ingest/reader-pool.js";
import { createEmbedders } from "../dist/shelves/chunks/embedding/embedders.js";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";

const {
  positionals: [folder, file],
  values,
} = parseArgs({ allowPositionals: true, options: { model: { type: "boolean" }, prune: { type: "boolean" } } });

let tokens = 0;
const store = sqliteChunkStore({ file });
const embedders = values.model ? counted(await createEmbedders()) : standIn();
const readers = createReaderPool();
const ingestion = createIngestion({ store, embedders, readers, openIdentifier: (run) => createIdentifier(run) });
await ingestion.ensureProject("bench");
const started = performance.now();
let peak = 0;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 100);
const summary = await ingestion.ingestPaths("bench", [folder], {
  prune: values.prune ?? false,
  progress: (done, total) => process.send?.({ done, total, rss: process.memoryUsage.rss() }),
});
clearInterval(watch);
console.log(
  JSON.stringify({
    ...summary,
    tokens,
    seconds: (performance.now() - started) / 1000,
    peakRssMb: Math.round(peak / 1024 ** 2),
  }),
);
await readers.close();
await embedders.close();
await store.close();

/** The same, with what the model reads counted. */
function counted(embedders) {
  return {
    preferred: embedders.preferred,
    unavailable: embedders.unavailable,
    list: embedders.list,
    close: embedders.close,
    get(wanted) {
      const model = embedders.get(wanted);
      return (
        model && {
          ...model,
          async embed(texts, options) {
            for (const text of texts) tokens += await model.countTokens(text);
            return model.embed(texts, options);
          },
        }
      );
    },
  };
}

/** Vectors made of letters: the same text gives the same vector in every run. */
function standIn() {
  const identity = { id: "stand-in", dimension: 16, pooling: "none", max_tokens: 256, weights_sha256: null };
  const embedder = {
    identity,
    async embed(texts) {
      return texts.map((text) => {
        const vector = new Float32Array(16);
        for (let i = 0; i < text.length; i++) vector[i % 16] += text.charCodeAt(i) % 13;
        const norm = Math.hypot(...vector) || 1;
        return vector.map((value) => value / norm);
      });
    },
    tokens: { by: "words" },
    windows: async (passages) => passages.map(({ text, prefix }) => [`${prefix}\n${text}`]),
    countTokens: async (text) => Math.ceil((text.match(/\S+/g)?.length ?? 0) * 1.3) + 2,
    async close() {},
  };
  return { preferred: identity, unavailable: undefined, get: () => embedder, list: () => [identity], async close() {} };
}

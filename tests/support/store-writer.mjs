// Stores batches in a chunk store until it is killed or done; a line on stdout acknowledges each.
//   node store-writer.mjs STORE_MODULE FILE NAME FIRST BATCHES SHARED
import { writeSync } from "node:fs";
import { bareChunk } from "./bare-chunk.mjs";

const [module, file, name, first, batches, shared] = process.argv.slice(2);
const { sqliteChunkStore } = await import(module);
const store = sqliteChunkStore({ file });
for (let n = Number(first); n < Number(first) + Number(batches); n++) {
  const chunks = Array.from({ length: 20 }, (_, i) => chunk(`${name}-${n}-${i}`, `batch${n} item${i} of ${name}`));
  for (let i = 0; i < Number(shared); i++)
    chunks.push(chunk(`shared-${i}`, `shared item${i} as ${name} wrote it in batch${n}`));
  await store.upsert("a", chunks);
  writeSync(1, `${n}\n`);
}
await store.close();

function chunk(id, text) {
  const vector = Float32Array.from({ length: 8 }, (_, i) => ((id.length * (i + 3)) % 7) + 0.5);
  return bareChunk({ id, text, tags: [name], vectors: [vector] });
}

// What the filter by signs is worth in a project whose vector codes do not fit in memory (docs/decisions/0005): the same
// questions with the filter, with all codes in memory and no filter, and what reading the codes from the file adds without it.
//
//   npm run build && node bench/vector-filter.mjs [--quick | --full]
//
// 100,000 vectors; --quick takes 20,000, --full 400,000. Clusters of made-up vectors, and vectors made of real ones where
// SciFact is there: how the vectors lie decides how many must be compared exactly. Both sides read every code, so times
// grow with the size and the ratio does not.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../dist/shelves/chunks/stores/sqlite/database.js";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { judgedSets } from "./judged.mjs";
import { DIMENSION, likeReal, synthetic, unit } from "./made-up-chunks.mjs";
import { main, median } from "./measure.mjs";

const QUESTIONS = 20;
/** Real vectors that the others are mixed from. */
const REAL = 1000;
/** As many as a hybrid search takes. */
const DEPTH = 50;
const PROJECT = "bench/filter";

/** @returns {Promise<import("./measure.mjs").Row[]>} */
export async function bench({ quick = false, full = false } = {}) {
  const size = quick ? 20_000 : full ? 400_000 : 100_000;
  const madeUp = synthetic(5);
  const rows = await rowsFor("made-up clusters", size, madeUp.vector, Array.from({ length: QUESTIONS }, madeUp.query));
  if (!judgedSets().includes("scifact")) return rows;
  const { realVectors } = await import("./real-vectors.mjs");
  const { passages, questions } = await realVectors(REAL);
  const world = likeReal(passages, 7);
  const asked = questions.slice(0, QUESTIONS).map((question) => unit(question));
  return [...rows, ...(await rowsFor("like real texts", size, world.vector, asked))];
}

async function rowsFor(kind, size, vectorOf, questions) {
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-filter-"));
  const file = join(folder, "bookwheel.db");
  const codes = size * DIMENSION;
  const open = (vectorCacheBytes) => sqliteChunkStore({ file, vectorCacheBytes });
  const filtered = open(codes / 2);
  const whole = open(codes * 1.25);
  try {
    await fill(filtered, size, vectorOf);
    const [some, all, reading] = [[], [], []];
    let right = 0;
    for (let round = -1; round < 3; round++)
      for (const question of questions) {
        const found = await timed(some, round, () => filtered.byMeaning(PROJECT, question, { limit: DEPTH }));
        const exact = await timed(all, round, () => whole.byMeaning(PROJECT, question, { limit: DEPTH }));
        if (round < 0) right += nearestTen(exact).filter((id) => nearestTen(found).includes(id)).length;
      }
    const db = openDatabase(file);
    for (let round = -1; round < 3; round++)
      await timed(reading, round, () => db.read("select codes from vector_blocks").all().length);
    await db.close();
    const [ours, peer] = [median(some), median(all) + median(reading)];
    return [
      {
        name: `${size} vectors, ${kind}: with the filter by signs`,
        ours,
        unit: "ms",
        peer,
        peerName: "a whole scan that reads the codes from the file",
        ratio: ours / peer,
        note: `whole scan with all codes in memory ${median(all).toFixed(1)} ms; reading the codes ${median(reading).toFixed(1)} ms`,
      },
      {
        name: `${size} vectors, ${kind}: of the ten nearest the filter finds`,
        ours: right / 10 / questions.length,
        unit: "",
      },
    ];
  } finally {
    await Promise.all([filtered.close(), whole.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

const nearestTen = (hits) => hits.slice(0, 10).map(({ id }) => id);

async function fill(store, size, vectorOf) {
  await store.createProject({
    id: PROJECT,
    kind: "project",
    name: PROJECT,
    description: null,
    model: { id: "bench", dimension: DIMENSION, pooling: "mean", max_tokens: 256, weights_sha256: "" },
    hybrid_enabled: true,
  });
  const { shell } = synthetic(1);
  for (let at = 0; at < size; at += 1000)
    await store.upsert(
      PROJECT,
      Array.from({ length: Math.min(1000, size - at) }, (_, i) => ({
        ...shell(at + i),
        text: "a passage",
        vectors: [vectorOf(at + i)],
      })),
    );
}

/** Milliseconds of CPU, so that what others on the machine take is not counted; the first round warms up. */
async function timed(times, round, work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  if (round >= 0) times.push((user + system) / 1000);
  return result;
}

await main(import.meta.url, bench);

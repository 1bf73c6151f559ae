// What this machine can do at most, measured and not assumed: summing memory, syncing a file, answering HTTP, running the
// model. Beside each, the part of Bookwheel that cannot be quicker than that.
import { fork } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { bareChunk } from "../tests/support/bare-chunk.mjs";
import { newProject } from "./made-up.mjs";
import { inTurn, main, median, spread } from "./measure.mjs";
import { openRawModel } from "./raw-model.mjs";

const SELF = fileURLToPath(import.meta.url);
const BYTES = 256 * 1024 * 1024;
const isHttpChild = process.argv[2] === "http-server";

export async function bench({ quick = false } = {}) {
  const rounds = quick ? 3 : 7;
  return [
    ...(await memory(rounds)),
    ...(await disk(rounds, quick)),
    ...(await http(rounds, quick)),
    ...(await model(quick)),
  ];
}

async function memory(rounds) {
  const numbers = new Float64Array(BYTES / 8).fill(1);
  const { sum } = await inTurn({ sum: () => summing(numbers) }, rounds);
  return [{ name: "memory read by one core", ours: median(sum), unit: "GB/s", spread: spread(sum) }];
}

function summing(numbers) {
  const started = performance.now();
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < numbers.length; i += 4) {
    a += numbers[i];
    b += numbers[i + 1];
    c += numbers[i + 2];
    d += numbers[i + 3];
  }
  if (a + b + c + d !== numbers.length) throw new Error("the sum is wrong");
  return BYTES / ((performance.now() - started) / 1000) / 1e9;
}

/** A commit of the store writes and syncs its log once: it cannot be more frequent than a bare write and sync. */
async function disk(rounds, quick) {
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-limits-"));
  const file = openSync(join(folder, "raw"), "w");
  const store = sqliteChunkStore({ file: join(folder, "shelf.db") });
  await store.createProject(newProject("p", 8));
  const count = quick ? 20 : 100;
  const page = Buffer.alloc(4096, 7);
  let id = 0;
  const rate = async (work) => {
    const started = performance.now();
    for (let i = 0; i < count; i++) await work();
    return count / ((performance.now() - started) / 1000);
  };
  try {
    const { raw, ours } = await inTurn(
      {
        raw: () =>
          rate(() => {
            writeSync(file, page);
            fsyncSync(file);
          }),
        ours: () => rate(() => store.upsert("p", [chunk(`c${id++}`)])),
      },
      rounds,
    );
    const share = median(ours) / median(raw);
    return [
      { name: "write and sync of 4 KiB", ours: median(raw), unit: "/s", spread: spread(raw) },
      {
        name: "durable store of one chunk",
        ours: median(ours),
        unit: "/s",
        limit: median(raw),
        limitName: "syncs",
        share,
        spread: spread(ours),
      },
    ];
  } finally {
    closeSync(file);
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const chunk = (id) => bareChunk({ id, text: `a short passage called ${id}`, vectors: [new Float32Array(8).fill(0.5)] });

async function http(rounds, quick) {
  const child = fork(SELF, ["http-server"]);
  const port = await new Promise((resolve) => child.once("message", resolve));
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const count = quick ? 500 : 3000;
  const ask = () =>
    new Promise((resolve, reject) => {
      request({ port, host: "127.0.0.1", agent }, (response) => response.resume().on("end", resolve))
        .on("error", reject)
        .end();
    });
  const { raw } = await inTurn(
    {
      raw: async () => {
        const started = performance.now();
        let left = count;
        await Promise.all(
          Array.from({ length: 8 }, async () => {
            while (left-- > 0) await ask();
          }),
        );
        return count / ((performance.now() - started) / 1000);
      },
    },
    rounds,
  );
  child.kill();
  agent.destroy();
  return [
    {
      name: "bare node:http, eight callers",
      ours: median(raw),
      unit: "/s",
      spread: spread(raw),
      note: "what a call is measured against: calls",
    },
  ];
}

async function model(quick) {
  const raw = await openRawModel();
  const texts = Array.from({ length: 8 }, (_, i) =>
    `${i} A wheel of books turns the right page to the reader who asks for it. `.repeat(8),
  );
  const tokens = raw.tokens(texts);
  const { speed } = await inTurn(
    { speed: async () => tokens / ((await raw.run(texts)) / 1000) },
    quick ? 2 : 7,
  ).finally(raw.close);
  return [
    {
      name: "the embedding model's own speed",
      ours: median(speed),
      unit: "tokens/s",
      spread: spread(speed),
      note: "the bare graph: the limit of ingest and embedding",
    },
  ];
}

if (isHttpChild) {
  const server = createServer((_incoming, response) => response.end("ok"));
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
} else await main(import.meta.url, bench);

// How fast documents become chunks, and where the time goes: `node bench/ingest.mjs [--folder PATH] [--stand-in]` after a
// build. Memory while many files are read: `node bench/ingest.mjs --memory 200` (MB of generated files, up to 2048).
import { fork } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const shared = join(process.env.BOOKWHEEL_SHARED ?? join(root, "..", "shared"), "corpora", "documents", "pdf");
const { values } = parseArgs({
  options: { folder: { type: "string", default: shared }, "stand-in": { type: "boolean" }, memory: { type: "string" } },
});
const folder = mkdtempSync(join(tmpdir(), "bookwheel-bench-"));
try {
  if (values.memory) await memory(Math.min(2048, Number(values.memory)));
  else await speed();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function speed() {
  if (!existsSync(values.folder)) return console.log(`Skipped: ${values.folder} is not there. Name one with --folder.`);
  const { summary } = await ingest(values.folder, values["stand-in"] ? [] : ["--model"]);
  const total = Object.values(summary.ms).reduce((sum, ms) => sum + ms, 0);
  console.log(
    `${summary.read} documents, ${summary.pages} pages, ${summary.chunks} chunks in ${summary.seconds.toFixed(1)} s: ${(summary.pages / summary.seconds).toFixed(1)} pages/s, peak ${summary.peakRssMb} MB`,
  );
  for (const [stage, ms] of Object.entries(summary.ms))
    console.log(
      `  ${stage.padEnd(6)} ${(ms / 1000).toFixed(2).padStart(8)} s  ${((100 * ms) / total).toFixed(1).padStart(5)} %`,
    );
}

/** Resident memory must not grow with what was read: the last tenth of the run is compared with the second. */
async function memory(megabytes) {
  const files = join(folder, "in");
  mkdirSync(files);
  const size = 4 * 1024 * 1024;
  const count = Math.max(4, Math.round((megabytes * 1024 * 1024) / size));
  for (let i = 0; i < count; i++) writeFileSync(join(files, `book-${String(i).padStart(5, "0")}.html`), page(i, size));
  console.log(
    `${count} files, ${Math.round((count * size) / 1024 ** 2)} MB of HTML, ${Math.round(size / 1024 ** 2)} MB each, with the stand-in for the model`,
  );
  const { summary, rss } = await ingest(files, []);
  const tenth = Math.max(1, Math.floor(rss.length / 10));
  const highest = (values) => Math.round(Math.max(...values) / 1024 ** 2);
  console.log(
    `${summary.read} read, ${summary.chunks} chunks in ${summary.seconds.toFixed(0)} s; RSS of the ingest: ${highest(rss.slice(tenth, tenth * 2))} MB early, ${highest(rss.slice(-tenth))} MB late, ${summary.peakRssMb} MB at most`,
  );
}

/** A book of plain paragraphs, mostly mark-up that is thrown away: real pages are like that. */
function page(number, size) {
  const noise = `<div class="${"x".repeat(900)}"></div>`;
  const parts = [
    `<!doctype html><html lang="en"><head><title>Book ${number}</title></head><body><h1>Book ${number}</h1>`,
  ];
  for (let length = 0, i = 0; length < size; i++) {
    const text = `<p>Paragraph ${i} of book ${number} says ${Math.sin(i * number + i).toFixed(12)} and goes on for a while about wheels, desks and readers. It has a second sentence. It has a third one too.</p>${noise}`;
    if (i % 200 === 0) parts.push(`<h2>Chapter ${i / 200}</h2>`);
    parts.push(text);
    length += text.length;
  }
  return `${parts.join("\n")}</body></html>`;
}

function ingest(from, flags) {
  return new Promise((resolve, reject) => {
    const child = fork(join(root, "bench", "ingest-run.mjs"), [from, join(folder, "bench.db"), ...flags], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    const rss = [];
    let out = "";
    child.stdout.on("data", (data) => {
      out += data;
    });
    child.on("message", (message) => rss.push(message.rss));
    child.on("exit", (code) =>
      code === 0 ? resolve({ summary: JSON.parse(out), rss }) : reject(new Error(`The ingest ended with ${code}.`)),
    );
  });
}

// How fast documents become chunks, and where the time goes, beside the bare model on the same words; and whether memory
// grows with what was read, on generated files (--quick 40 MB, otherwise 200 MB, --full 2 GB).
// `node bench/ingest.mjs [--quick | --full]` after a build.
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { missingRow, shared } from "./judged.mjs";
import { main, median, spread } from "./measure.mjs";
import { openRawModel } from "./raw-model.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MIB = 1024 ** 2;

export async function bench({ quick = false, full = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-bench-"));
  try {
    return [
      ...(await speed(folder, join(shared, "corpora", "documents", quick ? "docx" : "pdf"), quick ? 1 : 3)),
      ...(await memory(folder, quick ? 40 : full ? 2048 : 200)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same documents a few times, each time into a new store, in turn with the bare model. */
async function speed(folder, documents, rounds) {
  if (!existsSync(documents)) return [missingRow("the folder of documents")];
  const raw = await openRawModel();
  const text = "Alice was beginning to get very tired of sitting by her sister on the bank. ".repeat(8);
  const passages = Array(20).fill(text);
  const runs = [];
  for (let round = 0; round < rounds; round++) {
    await raw.run(passages);
    const bare = raw.tokens(passages) / ((await raw.run(passages)) / 1000);
    runs.push({ bare, ...(await ingest(folder, documents, ["--model"])).summary });
  }
  raw.close();
  const of = (pick) => runs.map(pick);
  const total = ({ ms }) => Object.values(ms).reduce((sum, value) => sum + value, 0);
  const { read, pages, chunks, ms } = runs[0];
  const rate = of(({ tokens, seconds }) => tokens / seconds);
  const share = of(({ tokens, seconds, bare }) => tokens / seconds / bare);
  return [
    {
      name: "documents to stored chunks",
      ours: median(of((run) => (run.pages || run.read) / run.seconds)),
      unit: pages ? "pages/s" : "documents/s",
      spread: spread(of((run) => run.seconds)),
      note: `${read} documents, ${pages} pages, ${chunks} chunks`,
    },
    {
      name: "the same in tokens of the model",
      ours: median(rate),
      unit: "tokens/s",
      limit: median(of(({ bare }) => bare)),
      limitName: "the bare model",
      share: median(share),
      spread: spread(rate),
    },
    ...Object.keys(ms).map((stage) => ({
      name: `stage: ${stage}`,
      ours: median(of((run) => run.ms[stage])) / 1000,
      unit: "s",
      note: `${(100 * median(of((run) => run.ms[stage] / total(run)))).toFixed(1)} % of the work`,
    })),
    {
      name: "memory of the ingest at most",
      ours: median(of(({ peakRssMb }) => peakRssMb)),
      unit: "MiB RSS",
    },
  ];
}

/** Resident memory must not grow with what was read: the last tenth of the run is compared with the second. */
async function memory(folder, megabytes) {
  const files = join(folder, "in");
  mkdirSync(files);
  const size = 4 * MIB;
  const count = Math.max(4, Math.round((megabytes * MIB) / size));
  for (let i = 0; i < count; i++) writeFileSync(join(files, `book-${String(i).padStart(5, "0")}.pdf`), pdf(i, size));
  const { summary, rss } = await ingest(folder, files, []);
  const tenth = Math.max(1, Math.floor(rss.length / 10));
  const highest = (values) => Math.max(...values) / MIB;
  const [early, late] = [highest(rss.slice(tenth, tenth * 2)), highest(rss.slice(-tenth))];
  return [
    {
      name: `memory late in ${megabytes} MB of PDF, beside early`,
      ours: late,
      unit: "MiB RSS",
      peer: early,
      peerName: "early",
      ratio: early / late,
      goal: "≤ 1.5x",
      met: late <= early * 1.5,
      note: `${summary.read} files in ${summary.seconds.toFixed(0)} s, a stand-in for the model, ${summary.peakRssMb} at most`,
    },
  ];
}

/** A PDF as they are: some pages of text, and pictures that make up nearly all of its bytes. */
function pdf(number, size) {
  const pages = 12;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${Array.from({ length: pages }, (_, i) => `${5 + i * 2} 0 R`).join(" ")}] /Count ${pages} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ].map((body) => Buffer.from(body));
  const picture = randomBytes(size);
  objects.push(
    Buffer.concat([
      Buffer.from(
        `<< /Type /XObject /Subtype /Image /Width 1024 /Height 1024 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Length ${size} >>\nstream\n`,
      ),
      picture,
      Buffer.from("\nendstream"),
    ]),
  );
  for (let page = 0; page < pages; page++) {
    const lines = Array.from(
      { length: 40 },
      (_, i) =>
        `BT /F1 10 Tf 72 ${720 - i * 14} Td (Line ${i} on page ${page} of book ${number} says ${Math.sin(i * number + page).toFixed(9)} about wheels and desks.) Tj ET`,
    ).join("\n");
    objects.push(
      Buffer.from(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> /XObject << /I 4 0 R >> >> /Contents " +
          `${6 + page * 2} 0 R >>`,
      ),
    );
    objects.push(Buffer.from(`<< /Length ${lines.length} >>\nstream\n${lines}\nendstream`));
  }
  const parts = [Buffer.from("%PDF-1.4\n")];
  let length = parts[0].length;
  const offsets = objects.map((body, i) => {
    const at = length;
    const part = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), body, Buffer.from("\nendobj\n")]);
    parts.push(part);
    length += part.length;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

let stores = 0;
function ingest(folder, from, flags) {
  const file = join(folder, `bench-${stores++}.db`);
  return new Promise((resolve, reject) => {
    const child = fork(join(root, "bench", "ingest-run.mjs"), [from, file, ...flags], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    const rss = [];
    let out = "";
    child.stdout.on("data", (data) => {
      out += data;
    });
    child.on("message", (message) => rss.push(message.rss));
    child.on("close", (code) =>
      code === 0 ? resolve({ summary: JSON.parse(out), rss }) : reject(new Error(`The ingest ended with ${code}.`)),
    );
  });
}

await main(import.meta.url, bench);

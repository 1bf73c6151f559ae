// How fast documents become chunks, and where the time goes: `node bench/ingest.mjs [--folder PATH] [--stand-in]` after a
// build. Memory while many files are read: `node bench/ingest.mjs --memory 200` (MB of generated files, up to 2048).
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
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
  for (let i = 0; i < count; i++) writeFileSync(join(files, `book-${String(i).padStart(5, "0")}.pdf`), pdf(i, size));
  console.log(
    `${count} files, ${Math.round((count * size) / 1024 ** 2)} MB of PDF, ${Math.round(size / 1024 ** 2)} MB each, with the stand-in for the model`,
  );
  const { summary, rss } = await ingest(files, []);
  const tenth = Math.max(1, Math.floor(rss.length / 10));
  const highest = (values) => Math.round(Math.max(...values) / 1024 ** 2);
  console.log(
    `${summary.read} read, ${summary.chunks} chunks in ${summary.seconds.toFixed(0)} s; RSS of the ingest: ${highest(rss.slice(tenth, tenth * 2))} MB early, ${highest(rss.slice(-tenth))} MB late, ${summary.peakRssMb} MB at most`,
  );
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

// How fast documents become chunks, and where the time goes, beside the bare model on the same words; and whether memory
// grows with what was read, on generated files (--quick 40 MB, otherwise 200 MB, --full 2 GB).
// `node bench/ingest.mjs [--quick | --full]` after a build. Reading and storing alone are measured on the PDFs that
// `node scripts/fetch-documents.mjs` fetches; BOOKWHEEL_AGAINST is a checkout of another commit, built, to compare with.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { REAL_DOCUMENTS } from "../scripts/real-documents.mjs";
import { ingest } from "./ingest-process.mjs";
import { missingRow, shared } from "./judged.mjs";
import { pdfOf } from "./made-up-pdf.mjs";
import { main, median, spread } from "./measure.mjs";
import { openRawModel } from "./raw-model.mjs";

const MIB = 1024 ** 2;

export async function bench({ quick = false, full = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-bench-"));
  try {
    return [
      ...(await speed(folder, join(shared, "corpora", "documents", quick ? "docx" : "pdf"), quick ? 1 : 3)),
      await withoutModel(folder, quick ? 1 : 3),
      ...(await memory(folder, quick ? 40 : full ? 2048 : 200)),
      longBook(folder),
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

/** Reading, cutting and storing of real PDFs, in turn with the same of another build. */
async function withoutModel(folder, rounds) {
  const documents = realPdfs(folder);
  if (!documents) return missingRow("the folder of documents");
  const against = process.env.BOOKWHEEL_AGAINST;
  const runs = { ours: [], peer: [] };
  for (let round = 0; round < rounds; round++) {
    runs.ours.push((await ingest(folder, documents, [])).summary);
    if (against) runs.peer.push((await ingest(folder, documents, [], join(against, "bench"))).summary);
  }
  const rates = (each) => each.map(({ pages, seconds }) => pages / seconds);
  const [ours, peer] = [median(rates(runs.ours)), against ? median(rates(runs.peer)) : undefined];
  const { read, pages, chunks } = runs.ours[0];
  return {
    name: "real PDFs to stored chunks, a stand-in for the model",
    ours,
    unit: "pages/s",
    ...(against ? { peer, peerName: "the other build", ratio: ours / peer } : {}),
    spread: spread(rates(runs.ours)),
    goal: `≥ 24.6${against ? ", ≥ 1x" : ""}`,
    met: ours >= 24.6 && (peer === undefined || ours >= peer),
    note: `${read} documents, ${pages} pages, ${chunks} chunks`,
  };
}

/** The PDFs of the corpus in one folder; where they were not fetched, the shared ones. */
function realPdfs(folder) {
  const cache = process.env.BOOKWHEEL_DOCUMENTS ?? fileURLToPath(new URL("../.cache/documents", import.meta.url));
  const files = REAL_DOCUMENTS.flatMap(({ file }) => (file?.endsWith(".pdf") ? [join(cache, file)] : []));
  const there = files.filter((file) => existsSync(file));
  if (there.length === 0) return [join(shared, "corpora", "documents", "pdf")].find((each) => existsSync(each));
  const documents = join(folder, "real");
  mkdirSync(documents);
  for (const [i, file] of there.entries()) copyFileSync(file, join(documents, `${i}.pdf`));
  return documents;
}

/** Resident memory must not grow with what was read: the last tenth of the run is compared with the second. */
async function memory(folder, megabytes) {
  const files = join(folder, "in");
  mkdirSync(files);
  const size = 4 * MIB;
  const count = Math.max(4, Math.round((megabytes * MIB) / size));
  for (let i = 0; i < count; i++)
    writeFileSync(join(files, `book-${String(i).padStart(5, "0")}.pdf`), pdfOf(i, { pages: 12, pictureBytes: size }));
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

/** One book of 3,000 pages, in a process with the heap a reader gets. */
function longBook(folder) {
  const file = join(folder, "long.pdf");
  writeFileSync(file, pdfOf(1, { pages: 3_000, pictureBytes: 1_000 }));
  const script = fileURLToPath(new URL("read-one.mjs", import.meta.url));
  const { pages, seconds, peakRssMb } = JSON.parse(
    execFileSync(process.execPath, ["--max-old-space-size=768", script, file], { encoding: "utf8" }),
  );
  return {
    name: "memory for a PDF of 3,000 pages",
    ours: peakRssMb,
    unit: "MiB RSS",
    goal: "≤ 400 MiB",
    met: peakRssMb <= 400,
    note: `${pages} pages in ${seconds.toFixed(1)} s`,
  };
}

await main(import.meta.url, bench);

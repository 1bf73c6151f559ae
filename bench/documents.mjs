// What the readers make of real documents: pages, joints, paragraphs, names, quotes. `node scripts/fetch-documents.mjs`
// fetches them. `node bench/documents.mjs [--dist FOLDER] [--each] [--only TEXT]` after a build. `--speed` measures only the
// processor time per page, beside bare pdf.js and, with `--against FOLDER`, the build of another commit.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { REAL_DOCUMENTS } from "../scripts/real-documents.mjs";
import { checkQuotes } from "./documents-quotes.mjs";
import { processorTimes } from "./documents-speed.mjs";
import { againstPoppler, lostFromHtml, popplerPages, trueQuotes, wrongAuthors } from "./documents-truth.mjs";

const { values } = parseArgs({
  options: {
    dist: { type: "string", default: join(import.meta.dirname, "..", "dist") },
    each: { type: "boolean", default: false },
    only: { type: "string" },
    broken: { type: "boolean", default: false },
    quotes: { type: "boolean", default: true },
    speed: { type: "boolean", default: false },
    against: { type: "string" },
    rounds: { type: "string", default: "3" },
  },
  allowNegative: true,
});
const from = (path) => import(pathToFileURL(resolve(values.dist, path)).href);
const { readFile } = await from("ingest/read-file.js");
const { cutDocument, recipeFor } = await from("ingest/cutting.js");
const { toChunks } = await from("ingest/to-chunks.js");
const { sqliteChunkStore } = await from("shelves/chunks/stores/sqlite.js");
const { createQuotes } = await from("citations/quotes.js");
const cache = process.env.BOOKWHEEL_DOCUMENTS ?? join(import.meta.dirname, "..", ".cache", "documents");
const shared = join(
  process.env.BOOKWHEEL_SHARED ?? join(import.meta.dirname, "..", "..", "shared"),
  "corpora",
  "documents",
);

const documents = [
  ...REAL_DOCUMENTS.map((each) => ({ ...each, path: join(cache, each.file ?? each.folder) })),
  ...(existsSync(shared)
    ? readdirSync(join(shared, "pdf")).map((name) => ({ file: name, path: join(shared, "pdf", name) }))
    : []),
].filter(({ path }) => existsSync(path) && (!values.only || path.includes(values.only)));

if (values.speed) {
  const files = documents.flatMap(({ path }) => (path.endsWith(".pdf") ? [path] : []));
  const { pages, each, ...times } = await processorTimes(files, { ...values, rounds: Number(values.rounds) });
  const ratios = ({ bare, reader, against }) => ({
    "ms of processor per page": Math.round((reader / pages) * 100) / 100,
    "of bare pdf.js": reader / bare,
    ...(against ? { "of the other build": reader / against } : {}),
  });
  if (values.each)
    for (const { file, bare, reader, against } of each)
      console.log(file.split("/").slice(-2).join("/"), { bare, reader, ...(against ? { against } : {}) });
  console.log({ documents: files.length, pages, ...ratios(times) });
  process.exit();
}
const stores = mkdtempSync(join(tmpdir(), "bookwheel-documents-"));
process.on("exit", () => rmSync(stores, { recursive: true, force: true }));
let opened = 0;
const openStore = () => sqliteChunkStore({ file: join(stores, `${opened++}.db`) });
const rows = [];
const html = { pages: 0, losing: 0, lost: 0 };
const all = {
  right: 0,
  wrong: 0,
  lost: 0,
  quotes: 0,
  kept: 0,
  fooled: 0,
  names: 0,
  falseNames: 0,
  pages: 0,
  seconds: 0,
  languages: 0,
  falseLanguages: 0,
};
for (const document of documents) {
  if (document.html) {
    for (const name of readdirSync(document.path)
      .filter((each) => each.endsWith(".html"))
      .slice(0, document.html)) {
      const source = readFileSync(join(document.path, name));
      // A page without a word of its own is refused, with a reason.
      const read = await readFile(source, { path: name }).catch(() => ({ text: "" }));
      const lost = lostFromHtml(source.toString(), read);
      html.pages++;
      html.lost += lost.length;
      if (lost.length) html.losing++;
      if (values.each && lost.length) console.log(`${name}: ${lost.length} lost: ${lost[0]}`);
    }
    continue;
  }
  if (document.file.endsWith(".bib")) continue;
  const started = performance.now();
  const read = await readFile(readFileSync(document.path), { path: document.path });
  all.seconds += (performance.now() - started) / 1000;
  all.pages += read.pages.length;
  const row = { name: document.path.split("/").slice(-2).join("/"), pages: read.pages.length };
  if (document.authors) {
    all.names++;
    const wrong = wrongAuthors(read.meta.authors ?? [], document.authors);
    if (wrong.length) all.falseNames++;
    row.authors = wrong.length ? `WRONG ${wrong.join(" | ")}` : (read.meta.authors ?? ["–"]).join(" | ");
  }
  if (document.language) {
    all.languages++;
    if (read.language !== document.language) {
      all.falseLanguages++;
      row.language = read.language;
    }
  }
  row.title = read.title.slice(0, 50);
  if (/\.pdf$/.test(document.path)) {
    const pages = popplerPages(document.path);
    const { truth, joints } = againstPoppler(read, pages);
    all.right += truth.right;
    all.wrong += truth.wrong;
    all.lost += truth.lost;
    Object.assign(row, {
      joints: joints.all ? joints.held / joints.all : 1,
      count: joints.all,
      wrong: truth.wrong,
      lost: truth.lost,
    });
    if (values.broken) for (const each of joints.broken.slice(0, 60)) console.log(`   ${each}`);
    if (values.quotes) {
      const quotes = await checkQuotes(
        { openStore, createQuotes, cutDocument, recipeFor, toChunks },
        read,
        trueQuotes(document.path, pages),
      );
      all.quotes += quotes.all;
      all.kept += quotes.kept;
      all.fooled += quotes.fooled;
      if (values.broken) for (const each of quotes.failed) console.log(`   quote ${each}`);
      row.quotes = `${quotes.kept}/${quotes.all}`;
    }
  }
  rows.push(row);
}
if (values.each)
  for (const { name, pages, joints, count, wrong, lost, quotes, authors, title, language } of rows)
    console.log(
      `${name.slice(0, 44).padEnd(45)}${String(pages).padStart(4)} p ${joints === undefined ? "    " : joints.toFixed(3)} of ${String(count ?? "").padEnd(5)} wrong ${wrong} lost ${lost} quotes ${quotes}${language ? ` LANG ${language}` : ""} | ${authors} | ${title}`,
    );
const shares = rows.flatMap(({ joints }) => (joints === undefined ? [] : [joints])).sort((a, b) => a - b);
console.log({
  documents: rows.length,
  pages: all.pages,
  "pages/s": Math.round((all.pages / all.seconds) * 10) / 10,
  "page truth": all.right / (all.right + all.wrong),
  lines: all.right + all.wrong,
  "lines lost": all.lost,
  "joints median": shares[shares.length >> 1],
  "joints least": shares.slice(0, 5),
  "below .75": shares.filter((share) => share < 0.75).length,
  quotes: all.kept / all.quotes,
  of: all.quotes,
  "altered taken for true": all.fooled,
  "documents with a false author": all.falseNames,
  named: all.names,
  "false languages": all.falseLanguages,
  html,
});

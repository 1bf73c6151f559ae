import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lines, makePdf, tempFolder, wordEmbedder, wordEmbedders } from "../../tests/support/ingest-files.js";
import { memoryChunkStore } from "../../tests/support/memory-chunk-store.js";
import { canRecognise, scanOf } from "../../tests/support/scanned-pdf.js";
import { createIdentifier } from "../citations/bibliography/identifier.js";
import { createQuotes } from "../citations/quotes.js";
import { createIngestion } from "./ingestion.js";
import { type Ocr, openOcr } from "./ocr.js";
import { createReaderPool, type Readers } from "./reader-pool.js";

const PAGES = [
  ["The wheelwright seasons his timber", "for seven winters before he cuts", "a single spoke out of the oak."],
  ["A felloe is a curved piece of wood", "that forms part of the outer rim,", "and six of them make one wheel."],
  [
    "The tyre is heated in a ring of fire",
    "and shrinks upon the rim as it cools,",
    "so that every joint is drawn tight.",
  ],
];
const book = () => makePdf(PAGES.map((texts) => lines(texts, { size: 14, leading: 22 })));

describe("without text recognition", () => {
  it("a setting that cannot work is refused in words that help", async () => {
    const folder = await tempFolder();
    try {
      await expect(openOcr("eng", { folder: folder.path, path: folder.path })).rejects.toThrow(/tesseract-ocr/);
      await expect(openOcr("eng; rm", { folder: folder.path, path: folder.path })).rejects.toThrow(/deu\+eng/);
      await writeFile(join(folder.path, "tesseract"), "#!/bin/sh\nprintf 'List of languages\\neng\\nosd\\n'\n");
      await chmod(join(folder.path, "tesseract"), 0o755);
      await expect(openOcr("eng+fra", { folder: folder.path, path: folder.path })).rejects.toThrow(
        "tesseract has no language 'fra'; it has eng. Debian's package is tesseract-ocr-fra.",
      );
    } finally {
      await folder.remove();
    }
  });
});

describe.skipIf(!canRecognise())("scanned pages", () => {
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  let readers: Readers[] = [];
  const store = memoryChunkStore();
  const at = (...parts: string[]) => join(folder.path, ...parts);
  const open = (ocr?: Ocr) => {
    const pool = createReaderPool({ ocr });
    readers.push(pool);
    return createIngestion({
      store,
      embedders: wordEmbedders(wordEmbedder()),
      readers: pool,
      ocr,
      openIdentifier: (run) => createIdentifier(run),
    });
  };
  const recognition = () => openOcr("eng", { folder: at("recognised"), path: process.env.PATH ?? "" });

  beforeEach(async () => {
    folder = await tempFolder();
    await mkdir(at("docs"));
  });
  afterEach(async () => {
    for (const pool of readers) await pool.close();
    readers = [];
    await folder.remove();
  });

  it("become passages on their own pages that say they are not certain", { timeout: 120_000 }, async () => {
    const scan = scanOf(book());
    await writeFile(at("docs", "wheels.pdf"), scan.pdf);
    await writeFile(at("docs", "photo.jpg"), scan.pictures[1]!);
    const off = open();
    await off.ensureProject("scans");
    const without = await off.ingestPaths("scans", [at("docs")]);
    expect(without.skipped).toEqual([
      { path: at("docs", "wheels.pdf"), reason: expect.stringMatching(/scan without a text layer.*--ocr eng/) },
    ]);
    expect(without.ignored).toEqual([at("docs", "photo.jpg")]);

    const on = open(await recognition());
    const shown: string[] = [];
    const summary = await on.ingestPaths("scans", [at("docs")], {
      progress: (_done, _total, message) => void shown.push(message ?? ""),
    });
    expect(summary).toMatchObject({ read: 2, skipped: [], pages: 4 });
    expect(shown).toContain("wheels.pdf, page 3 of 3");
    expect(summary.warnings.map(({ warning }) => warning)).toContain(
      "Recognised from pictures (eng), letters may be misread: page 1–3.",
    );
    const documents = await store.documents("scans");
    const wheels = documents.find(({ kind }) => kind === "pdf")!;
    const chunks = await store.chunks("scans", { doc_id: wheels.id });
    expect(chunks.every(({ metadata }) => metadata.recognised === true)).toBe(true);
    // Kept pages are of use only until the document is stored.
    expect(await readdir(at("recognised"))).toEqual([]);

    const quotes = createQuotes({ store });
    const found = await quotes.verify("scans", "and six of them make one wheel", { source: wheels.id });
    expect(found.verdict).toBe("exact");
    expect(found.matches[0]?.page_span).toEqual([2, 2]);
    expect(found.note).toMatch(/recognised from a picture/);

    expect(await on.ingestPaths("scans", [at("docs")])).toMatchObject({ read: 0, replaced: 0, unchanged: 2 });
  });

  it("recognised before a run was stopped are not recognised again", { timeout: 120_000 }, async () => {
    await writeFile(at("docs", "wheels.pdf"), scanOf(book()).pdf);
    const ocr = await recognition();
    const stop = new AbortController();
    const first = open(ocr);
    await first.ensureProject("stopped");
    const run = first.ingestPaths("stopped", [at("docs")], {
      signal: stop.signal,
      progress: (_done, _total, message) => {
        if (message === "wheels.pdf, page 3 of 3") stop.abort(new Error("stopped"));
      },
    });
    await expect(run).rejects.toThrow("stopped");
    const [kept] = await readdir(at("recognised"));
    expect((await readdir(at("recognised", kept!))).filter((name) => name.endsWith(".tsv")).sort()).toEqual([
      "1.tsv",
      "2.tsv",
    ]);
    // A mark in what is kept shows that it is used.
    await writeFile(
      at("recognised", kept!, "1.tsv"),
      `header\n5\t1\t1\t1\t1\t1\t100\t100\t400\t40\t96\tKept\n5\t1\t1\t1\t1\t2\t520\t100\t400\t40\t96\tbefore-the-stop\n`,
    );
    await open(ocr).ingestPaths("stopped", [at("docs")]);
    const [document] = await store.documents("stopped");
    expect((await store.document("stopped", document!.id))?.text).toMatch(/Kept before-the-stop[\s\S]*felloe/);
  });

  it("among others are read alone, and a page that fails is named", { timeout: 120_000 }, async () => {
    const ocr = await recognition();
    await writeFile(at("slow"), "#!/bin/sh\nexit 3\n");
    await chmod(at("slow"), 0o755);
    await writeFile(at("docs", "mixed.pdf"), makePdf([lines(PAGES[0]!), [], lines(PAGES[2]!)]));
    const on = open({ ...ocr, tesseract: at("slow") });
    await on.ensureProject("mixed");
    const summary = await on.ingestPaths("mixed", [at("docs")]);
    expect(summary.read).toBe(1);
    expect(summary.warnings.map(({ warning }) => warning)).toContain("Text recognition failed: page 2.");
  });

  it("that hang are stopped and named, and the pages after them are read", { timeout: 120_000 }, async () => {
    // Answers as tesseract does, except for the first page it sees, for which the program it starts never ends.
    const word = "5\\t1\\t1\\t1\\t1\\t1\\t100\\t100\\t400\\t40\\t96\\tRecognised-afterwards\\n";
    await writeFile(
      at("hangs"),
      `#!/bin/sh\nif mkdir "${at("seen")}" 2>/dev/null; then sleep 60; fi\ncat >/dev/null\nprintf 'header\\n${word}'\n`,
    );
    await chmod(at("hangs"), 0o755);
    await writeFile(at("docs", "mixed.pdf"), makePdf([lines(PAGES[0]!), [], [], lines(PAGES[2]!)]));
    const on = open({ ...(await recognition()), tesseract: at("hangs"), pageMs: 3_000 });
    await on.ensureProject("hanging");
    const summary = await on.ingestPaths("hanging", [at("docs")]);
    expect(summary).toMatchObject({ read: 1, skipped: [] });
    const warnings = summary.warnings.map(({ warning }) => warning);
    expect(warnings).toContain("Text recognition took too long and was stopped: page 2.");
    expect(warnings).toContain("Recognised from pictures (eng), letters may be misread: page 3.");
    const [document] = await store.documents("hanging");
    expect((await store.document("hanging", document!.id))?.text).toMatch(/Recognised-afterwards[\s\S]*tyre is heated/);
  });
});

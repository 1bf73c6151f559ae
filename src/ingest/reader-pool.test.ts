import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  corpusFile,
  hasDocuments,
  lines,
  makeEpub,
  makePdf,
  tempFolder,
  xhtml,
} from "../../tests/support/ingest-files.js";
import { moduleUrl } from "../kernel/module-url.js";
import { createReaderPool, type Readers } from "./reader-pool.js";

const bytesOf = (text: string) => new TextEncoder().encode(text);

const UNKNOWN = { uid: 54_321, gid: 54_321 };
const compiledPool = moduleUrl("./reader-pool.js", import.meta.url).href;
const mayBeAnyUser =
  process.getuid?.() === 0 &&
  spawnSync(
    process.execPath,
    ["-e", `require("node:fs").accessSync(${JSON.stringify(fileURLToPath(compiledPool))})`],
    UNKNOWN,
  ).status === 0;
const alive = async (readers: Readers) => (await readers.readBytes(bytesOf("Still here."), { path: "a.txt" })).text;

describe("the reader process", () => {
  let readers: Readers;
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  beforeAll(async () => {
    if (!existsSync(fileURLToPath(moduleUrl("./worker.js", import.meta.url))))
      throw new Error("The reader process runs compiled code: npm run build first.");
    readers = createReaderPool({ size: 2 });
    folder = await tempFolder();
  });
  afterAll(async () => {
    await readers.close();
    await folder.remove();
  });

  it("reads files by path and bytes by their type", async () => {
    const path = join(folder.path, "note.md");
    await writeFile(path, "# Title\n\nSome words.");
    expect(await readers.readFile(path)).toMatchObject({
      document: { kind: "markdown", text: "Title\n\nSome words." },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(
      await readers.readBytes(bytesOf("<p>Some words.</p>"), {
        contentType: "text/html; charset=utf-8",
        url: "http://x.test/",
      }),
    ).toMatchObject({ kind: "html", text: "Some words." });
  });

  it("tells why a file cannot be read, in words for its owner", async () => {
    await expect(readers.readBytes(makePdf([[]]), { path: "scan.pdf" })).rejects.toMatchObject({
      code: "PROCESSING_FAILED",
      details: { reason: "no_text" },
    });
    await expect(readers.readFile(join(folder.path, "gone.txt"))).rejects.toMatchObject({ code: "PROCESSING_FAILED" });
  });

  it("gives parsers a home, which the user of a pod does not have", async () => {
    const home = await readers.run({ module: new URL("node:os"), name: "homedir", args: [] }, 1);
    expect(home).toBe(tmpdir());
  });

  // An image's user has no entry among the system's users unless the one who starts it adds one, as Podman does.
  it.skipIf(!mayBeAnyUser)("reads a PDF for a user the system does not know", () => {
    const pdf = Buffer.from(makePdf([[{ text: "A page of words.", y: 700 }]])).toString("base64");
    const script = `
      const { createReaderPool } = await import(${JSON.stringify(compiledPool)});
      const readers = createReaderPool({ size: 1 });
      const { text } = await readers.readBytes(Buffer.from("${pdf}", "base64"), { path: "a.pdf" });
      console.log(text);
      await readers.close();`;
    const read = spawnSync(process.execPath, ["--input-type=module", "-e", script], { ...UNKNOWN, encoding: "utf8" });
    expect(`${read.stdout}${read.stderr}`).toContain("A page of words.");
  });

  it("reads texts that were handed over, and the text of HTML", async () => {
    expect(await readers.readGiven({ title: "Note", text: "One.\n\nTwo." })).toMatchObject({
      title: "Note",
      kind: "text",
      text: "One.\n\nTwo.",
    });
    expect(await readers.readGiven({ title: "Note", text: "# H\n\n*x*", format: "markdown" })).toMatchObject({
      title: "Note",
      text: "H\n\nx",
      headings: [{ title: "H" }],
    });
    const pasted = "# H  \n\n*x*\u00a0 ";
    expect(await readers.readGiven({ text: pasted, format: "pasted" })).toMatchObject({ title: "H", text: pasted });
    expect(await readers.htmlText("<p>a</p><p>b &amp; c</p>")).toBe("a\nb & c");
  });

  it("reads Markdown made to be slow in seconds, and keeps its words", { timeout: 60_000 }, async () => {
    for (const part of ["*a ", "_a ", "!", "*a**b", "[a](", "`a "]) {
      const { text } = await readers.readGiven({ text: part.repeat(150_000 / part.length), format: "markdown" });
      expect(text.length, part).toBeGreaterThan(50_000);
    }
  });

  it("keeps a parser free for those who wait, however slow the files of a folder are", async () => {
    const pool = createReaderPool({ size: 2 });
    try {
      const slow = join(folder.path, "slow.pdf");
      await writeFile(slow, manyPages(3_000));
      const stop = new AbortController();
      const files = [slow, slow, slow].map((path) =>
        pool.readFile(path, stop.signal).then(
          () => "read",
          () => "stopped",
        ),
      );
      expect(await pool.htmlText("<p>quick</p>")).toBe("quick");
      stop.abort();
      expect(await Promise.all(files)).toEqual(["stopped", "stopped", "stopped"]);
    } finally {
      await pool.close();
    }
  });

  it("stops a small text sooner than a large file", async () => {
    const pool = createReaderPool({ size: 1, smallTimeoutMs: 1 });
    await expect(pool.readGiven({ text: "a ".repeat(400_000) })).rejects.toMatchObject({
      details: { reason: "timeout" },
    });
    await pool.close();
  });

  it("does not follow a link that has taken a file's place", async () => {
    await writeFile(join(folder.path, "secret.txt"), "secret");
    await symlink(join(folder.path, "secret.txt"), join(folder.path, "link.txt"));
    await expect(readers.readFile(join(folder.path, "link.txt"))).rejects.toMatchObject({ code: "PROCESSING_FAILED" });
  });

  it("that takes too long is stopped, and the next file is read by a new one", async () => {
    const hasty = createReaderPool({ timeoutMs: 50 });
    await expect(hasty.readBytes(manyPages(3_000), { path: "long.pdf" })).rejects.toMatchObject({
      details: { reason: "timeout" },
    });
    await hasty.close();
    const patient = createReaderPool();
    expect(await alive(patient)).toBe("Still here.");
    await patient.close();
  });

  it("that takes too much memory dies alone", async () => {
    const poor = createReaderPool({ heapMb: 64, rssMb: 4_000 });
    await expect(
      poor.readBytes(bytesOf(`<p>${"<b>word</b> ".repeat(600_000)}</p>`), { path: "big.html" }),
    ).rejects.toMatchObject({ details: { reason: "too_large" } });
    expect(await alive(poor)).toBe("Still here.");
    await poor.close();
    const lean = createReaderPool({ rssMb: 60 });
    await expect(lean.readBytes(manyPages(5_000), { path: "big.pdf" })).rejects.toMatchObject({
      details: { reason: "too_large" },
    });
    await lean.close();
  });

  it("stops when the signal aborts, also while it waits for its turn", async () => {
    const one = createReaderPool({ size: 1 });
    const stop = new AbortController();
    const first = one.readBytes(manyPages(5_000), { path: "a.pdf" }, stop.signal);
    const second = one.readBytes(manyPages(10), { path: "b.pdf" }, stop.signal);
    setTimeout(() => stop.abort(), 30);
    await expect(first).rejects.toMatchObject({ name: "AbortError" });
    await expect(second).rejects.toMatchObject({ name: "AbortError" });
    expect(await alive(one)).toBe("Still here.");
    await one.close();
  });

  it("refuses a file that is larger than any document", async () => {
    const strict = createReaderPool({ maxBytes: 10 });
    await expect(strict.readBytes(new Uint8Array(11), { path: "x.txt" })).rejects.toMatchObject({
      details: { reason: "too_large" },
    });
    await strict.close();
  });

  it("reads ten thousand pages", { timeout: 120_000 }, async () => {
    const document = await readers.readBytes(manyPages(10_000), { path: "huge.pdf" });
    expect(document.pages).toHaveLength(10_000);
    const { start, end } = document.pages[7_776]!;
    expect(document.text.slice(start, end)).toContain("leaf 7777");
  });

  it.skipIf(!hasDocuments)("survives files that were cut short or damaged", { timeout: 120_000 }, async () => {
    const sources = [
      "pdf/multicolumn.pdf",
      "pdf/google-doc-document.pdf",
      "docx/word_sample.docx",
      "epub/alice.epub",
      "jats/pone.0234687.nxml",
      "html/wiki_duck.html",
    ];
    const random = seeded(7);
    for (const source of sources) {
      const whole = await corpusFile(source);
      for (let round = 0; round < 4; round++) {
        const bytes = round < 2 ? whole.slice(0, Math.floor(random() * whole.length)) : damaged(whole, random);
        const outcome = await readers.readBytes(bytes, { path: source }).then(
          ({ text }) => (text.length > 0 ? "read" : "empty"),
          (error: { code?: string }) => error.code,
        );
        expect(["read", "PROCESSING_FAILED"]).toContain(outcome);
      }
    }
    expect(await alive(readers)).toBe("Still here.");
  });

  it("leaves nothing behind and fetches nothing for a hostile archive", async () => {
    await mkdir(join(folder.path, "in"), { recursive: true });
    const evil = makeEpub({ chapters: { "a.xhtml": xhtml("<p>x</p>") }, extra: { "../../../escape.txt": "x" } });
    await expect(readers.readBytes(evil, { path: "e.epub" })).rejects.toMatchObject({ details: { reason: "refused" } });
    expect(existsSync(join(folder.path, "..", "escape.txt"))).toBe(false);
  });
});

function manyPages(count: number): Uint8Array {
  return makePdf(
    Array.from({ length: count }, (_, i) => lines([`This is leaf ${i + 1} of a very long book.`, "It says little."])),
  );
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function damaged(bytes: Uint8Array, random: () => number): Uint8Array {
  const copy = bytes.slice();
  for (let i = 0; i < 200; i++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  return copy;
}

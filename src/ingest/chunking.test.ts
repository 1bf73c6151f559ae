import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { corpusFile, hasDocuments, wordEmbedder } from "../../tests/support/ingest-files.js";
import { cut, type Piece, sizesFor } from "./chunking.js";
import { cutDocument, recipeFor } from "./cutting.js";
import type { ReadDocument } from "./document.js";
import { readFile } from "./read-file.js";
import { readMarkdown } from "./readers/markdown.js";
import { sentenceSpans } from "./sentences.js";
import { embedInto, type ToChunksOptions, toChunks } from "./to-chunks.js";

const countTokens = (text: string) => text.match(/\S+/g)?.length ?? 0;
const small = { countTokens, maxTokens: 30, overlapTokens: 8 };
const texts = (pieces: Piece[]) => pieces.map(({ text }) => text);
const prose = (n: number, about: string) =>
  Array.from({ length: n }, (_, i) => `Sentence ${i + 1} speaks about ${about}.`).join(" ");

describe("cutting", () => {
  it("never lets a piece reach over a heading of the first two levels", () => {
    const document = readMarkdown(
      `# One\n\n${prose(2, "one")}\n\n## Two\n\n${prose(2, "two")}\n\n### Three\n\n${prose(1, "three")}\n`,
      {},
    );
    const pieces = cut(document, { ...small, maxTokens: 200 });
    expect(pieces.map(({ section_path, text }) => [section_path, text.split("\n\n")[0]])).toEqual([
      [["One"], "One"],
      [["One", "Two"], "Two"],
    ]);
    expect(pieces[1]!.text).toContain("Three");
  });

  it("repeats whole sentences at the start of the next piece", () => {
    const pieces = cut(readMarkdown(prose(12, "wheels"), {}), small);
    expect(pieces.length).toBeGreaterThan(2);
    for (const [i, piece] of pieces.entries()) {
      expect(piece.text).toMatch(/^Sentence \d+ .*\.$/s);
      if (i > 0) expect(pieces[i - 1]!.end).toBeGreaterThan(piece.start);
    }
  });

  it("keeps a table, a list and code whole where they fit, and between lines where they do not", () => {
    const list = Array.from({ length: 4 }, (_, i) => `- item number ${i} of them`).join("\n");
    const long = Array.from({ length: 20 }, (_, i) => `- item number ${i} of the long list`).join("\n");
    const pieces = texts(
      cut(readMarkdown(`${prose(4, "before")}\n\n${list}\n\nBetween the lists.\n\n${long}`, {}), small),
    );
    expect(
      pieces.filter((text) => text.includes("item number 0 of them") && text.includes("item number 3 of them")),
    ).toHaveLength(1);
    for (const text of pieces.filter((each) => each.includes("long list"))) expect(text).toMatch(/long list$/);
  });

  it("leaves lists of references out, and keeps a chapter that only bears the name", () => {
    const entries = Array.from({ length: 6 }, (_, i) => `[${i + 1}] Writer, A. (199${i}). A book. Somewhere.`).join(
      "\n\n",
    );
    const document = readMarkdown(
      `# Body\n\n${prose(2, "body")}\n\n## References\n\n${entries}\n\n## After\n\n${prose(1, "after")}`,
      {},
    );
    expect(texts(cut(document, small)).join()).not.toContain("Writer, A.");
    expect(texts(cut(document, small)).join()).toContain("after");
    const kept = cut(document, { ...small, references: true }).filter(({ kind }) => kind === "references");
    expect(texts(kept).join()).toContain("Writer, A.");
    expect(
      texts(cut(readMarkdown("# References\n\nHe asked for references. They gave him none at all.", {}), small)).join(),
    ).toContain("none at all");
  });

  it("says null where a page is not known, and both names of a page where they are", () => {
    const base = readMarkdown(prose(6, "pages"), {});
    const half = base.text.indexOf("Sentence 4");
    const pages = [{ number: 3, label: "iii", start: half, end: base.text.length }];
    const pieces = cut({ ...base, pages }, { countTokens, maxTokens: 10, overlapTokens: 0 });
    for (const { start, page_span, page_labels } of pieces) {
      expect(page_span).toEqual(start >= half ? [3, 3] : null);
      expect(page_labels).toEqual(start >= half ? ["iii", "iii"] : null);
    }
  });

  it("holds for any text: pieces are slices in order, within the size, and no word is left out", () => {
    const paragraph = fc
      .array(
        fc.string({ unit: fc.constantFrom("a", "é", "。", "漢", " ", ".", "!", "-", "😀", "\n"), maxLength: 60 }),
        { maxLength: 8 },
      )
      .map((parts) => parts.join(" "));
    fc.assert(
      fc.property(fc.array(paragraph, { maxLength: 12 }), (paragraphs) => {
        const source = paragraphs.join("\n\n").trim();
        fc.pre(/[\p{L}\p{N}]/u.test(source));
        const text = source;
        const blocks: ReadDocument["blocks"] = [...text.matchAll(/\S(?:[^\n]|\n(?!\s*\n))*/g)].map((found) => ({
          kind: "paragraph",
          start: found.index,
          end: found.index + found[0].trimEnd().length,
        }));
        const pieces = cut({ text, blocks, headings: [], pages: [], language: null }, small);
        const covered = new Uint8Array(text.length);
        for (const piece of pieces) {
          expect(piece.text).toBe(text.slice(piece.start, piece.end));
          expect(countTokens(piece.text)).toBeLessThanOrEqual(small.maxTokens);
          covered.fill(1, piece.start, piece.end);
        }
        for (let i = 0; i < text.length; i++) if (/[\p{L}\p{N}]/u.test(text[i]!)) expect(covered[i]).toBe(1);
        for (let i = 1; i < pieces.length; i++) expect(pieces[i]!.end).toBeGreaterThan(pieces[i - 1]!.end);
      }),
      { numRuns: 200 },
    );
  });

  it("knows that an abbreviation does not end a sentence, nor does a line break", () => {
    const text = "Dr. Watson met Mr. Holmes, e.g. in\nBaker Street. It was cold, cf. Fig. 3.";
    expect(sentenceSpans(text, 0, "en").map(({ start, end }) => text.slice(start, end))).toEqual([
      "Dr. Watson met Mr. Holmes, e.g. in\nBaker Street.",
      "It was cold, cf. Fig. 3.",
    ]);
  });

  it("finds the same sentences however long the paragraph is", () => {
    const short = "潮水每天涨落两次,没有人问为什么。";
    const spans = sentenceSpans(short.repeat(3_000), 0, "zh");
    expect(spans).toHaveLength(3_000);
    expect(new Set(spans.map(({ start, end }) => end - start))).toEqual(new Set([short.length]));
    const long = `A ${"word and a ".repeat(3_000)}stop.`;
    expect(sentenceSpans(`One. ${long} Two.`, 0, "en").map(({ end, start }) => end - start)).toEqual([
      4,
      long.length,
      4,
    ]);
  });

  it("leaves room for title and headings in any model", () => {
    expect(sizesFor(256)).toEqual({ maxTokens: 215, overlapTokens: 32 });
    expect(sizesFor(8192).maxTokens).toBe(450);
  });
});

describe("chunks", () => {
  const document = readMarkdown(`# One\n\n${prose(40, "one")}\n\n# Two\n\n${prose(40, "two")}`, {});
  const options = {
    docId: "sha256_0123456789abcdef",
    modelId: "test-model",
    citekey: "writer2020",
  };

  const chunked = (read: ReadDocument, own: ToChunksOptions = options, references = false) =>
    toChunks(cutDocument(read, recipeFor(wordEmbedder(), references)), own);

  it("have ids that come from document, place, model and number, and nothing else", async () => {
    const [first] = await chunked(document);
    // sha256("sha256_0123456789abcdef:One:test-model:0"), first 16 digits
    expect(first!.id).toBe("3e988a48ecc6025b");
    expect((await chunked(document)).map(({ id }) => id)).toEqual(
      (await chunked(document, { ...options, citekey: "other" })).map(({ id }) => id),
    );
    expect((await chunked(document, { ...options, modelId: "other" }))[0]!.id).not.toBe(first!.id);
  });

  it("are embedded with title and headings in front, while their own text stays verbatim", async () => {
    const embedder = wordEmbedder();
    const chunks = await chunked(document);
    await embedInto(chunks, document.title, embedder, {});
    expect(chunks.every(({ vectors }) => vectors.length === 1)).toBe(true);
    expect(embedder.embedded[0]).toMatch(/^One\nOne\n/);
    for (const { text, start, end } of chunks) expect(document.text.slice(start!, end!)).toBe(text);
  });

  it("stop being embedded when the signal aborts", async () => {
    const stop = new AbortController();
    const embedder = {
      ...wordEmbedder(),
      async embed() {
        stop.abort();
        return [new Float32Array(4)];
      },
    };
    const long = readMarkdown(prose(4_000, "much"), {});
    await expect(embedInto(await chunked(long), long.title, embedder, { signal: stop.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
  });

  it.skipIf(!hasDocuments)("of a real book hold every word of it, in sizes the model can read", async () => {
    const book = await readFile(await corpusFile("epub/se-mary-shelley_frankenstein.epub"), {});
    const embedder = wordEmbedder();
    const chunks = await chunked(book, options, true);
    const covered = new Uint8Array(book.text.length);
    for (const { start, end, text } of chunks) {
      covered.fill(1, start!, end!);
      expect(await embedder.countTokens(text)).toBeLessThanOrEqual(256);
    }
    const left = [...book.text].filter((character, i) => /[\p{L}\p{N}]/u.test(character) && !covered[i]);
    expect(left).toEqual([]);
    const sizes = (await Promise.all(chunks.map(({ text }) => embedder.countTokens(text)))).sort((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length / 2)]).toBeGreaterThan(150);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { bareChunk } from "../../tests/support/bare-chunk.mjs";
import { memoryChunkStore } from "../../tests/support/memory-chunk-store.js";
import type { Chunk, ChunkStore } from "../shelves/chunks/chunk-store.js";
import { createPassages } from "./passages.js";

const NOW = "2025-01-01T00:00:00.000Z";
const PARAGRAPHS = ["First things first.", "The second difficulty was greater.", "A third and last word."];
const TEXT = PARAGRAPHS.join("\n\n");
let store: ChunkStore;
const read = (request: Parameters<ReturnType<typeof createPassages>["read"]>[1]) =>
  createPassages({ store }).read("p", request);

const chunk = (id: string, text: string, more: Partial<Chunk>) =>
  bareChunk({ id, text, doc_id: "d", citekey: "k", title: "T", ...more });

beforeAll(async () => {
  store = memoryChunkStore();
  const model = { id: "none", dimension: 2, pooling: "mean", max_tokens: 256, weights_sha256: null };
  await store.createProject({ id: "p", kind: "project", name: "p", description: null, model, hybrid_enabled: true });
  const starts = PARAGRAPHS.map((paragraph) => TEXT.indexOf(paragraph));
  await store.replaceDocument(
    "p",
    {
      id: "d",
      citekey: "k",
      title: "T",
      text: TEXT,
      kind: "pdf",
      origin: null,
      sha256: "s",
      chunk_count: 3,
      char_count: TEXT.length,
      language: "en",
      csl: null,
      added_at: NOW,
      updated_at: NOW,
      extra: {},
      pages: starts.map((start, i) => ({
        number: i + 1,
        label: ["i", "ii", "1"][i]!,
        start,
        end: starts[i + 1] ?? TEXT.length,
      })),
      headings: [
        { level: 1, title: "Opening", start: 0 },
        { level: 1, title: "End", start: starts[2]! },
      ],
      edits: [{ at: TEXT.indexOf("ficulty"), length: 0, original: "-\n" }],
    },
    PARAGRAPHS.map((text, position) =>
      chunk(`c${position}`, text, { position, start: starts[position]!, end: starts[position]! + text.length }),
    ),
  );
  await store.upsert("p", [
    chunk("w0", "Found by its citekey alone.", { doc_id: null, citekey: "wordless", vectors: [] }),
    chunk("l0", "Loose beginnings are joined", { doc_id: "loose", position: 0, citekey: "loose", page_span: [4, 4] }),
    chunk("l1", "to their sequel.", { doc_id: "loose", position: 1, citekey: "loose", page_span: [5, 5] }),
    chunk("alone", "Belongs to nothing.", { doc_id: null, citekey: null }),
  ]);
});

describe("reading a passage", () => {
  it("shows a chunk as normalised and as printed, with its place", async () => {
    expect(await read({ chunk_id: "c1", neighbours: 0 })).toEqual({
      doc_id: "d",
      citekey: "k",
      title: "T",
      author: null,
      url: null,
      cite: "[@k, p. ii]",
      page_span: [2, 2],
      page_labels: ["ii", "ii"],
      section_path: ["Opening"],
      start: TEXT.indexOf("The second"),
      end: TEXT.indexOf("The second") + PARAGRAPHS[1]!.length,
      text: "The second difficulty was greater.",
      printed: "The second dif-\nficulty was greater.",
      next_start: null,
      truncated: false,
      chars_before: 21,
      chars_after: 24,
      chunk_ids: ["c1"],
    });
  });

  it("shows its neighbours too", async () => {
    expect(await read({ chunk_id: "c1" })).toMatchObject({
      text: TEXT,
      page_span: [1, 3],
      chunk_ids: ["c0", "c1", "c2"],
    });
  });

  it("shows pages of a source by their physical numbers", async () => {
    expect(await read({ source: "@k", pages: [2, 3] })).toMatchObject({
      text: TEXT.slice(TEXT.indexOf("The second")),
      page_labels: ["ii", "1"],
    });
    await expect(read({ source: "k", pages: [9] })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("1 to 3"),
    });
  });

  it("cuts between words and says where to go on, until everything was shown once", async () => {
    let shown = "";
    for (let start: number | null = 0; start !== null; ) {
      const passage: Awaited<ReturnType<typeof read>> = await read({ source: "d", start, max_chars: 20 });
      expect(passage.text.length).toBeLessThanOrEqual(20);
      expect(passage.truncated).toBe(passage.next_start !== null);
      shown += passage.text;
      start = passage.next_start;
    }
    expect(shown).toBe(TEXT);
  });

  it("joins chunks whose document is not stored", async () => {
    expect(await read({ chunk_id: "l1" })).toMatchObject({
      text: "Loose beginnings are joined\nto their sequel.",
      page_span: [4, 5],
    });
    expect(await read({ source: "loose", pages: [5, 5] })).toMatchObject({ text: "to their sequel." });
    expect(await read({ chunk_id: "alone" })).toMatchObject({ text: "Belongs to nothing.", doc_id: null });
  });

  it("reads a chunk without a document or a vector by its citekey", async () => {
    expect(await read({ source: "wordless" })).toMatchObject({ text: "Found by its citekey alone." });
  });

  it("reads a section by its heading, paragraphs by their number, and as much around as asked", async () => {
    expect(await read({ source: "k", heading: "opening" })).toMatchObject({
      text: `${PARAGRAPHS[0]}\n\n${PARAGRAPHS[1]}\n\n`,
      cite: "[@k, pp. i–ii]",
    });
    expect((await read({ source: "T", heading: "Opening", paragraphs: [2] })).text).toBe(PARAGRAPHS[1]);
    expect((await read({ source: "k", paragraphs: [2, 3] })).text).toBe(`${PARAGRAPHS[1]}\n\n${PARAGRAPHS[2]}`);
    expect((await read({ source: "k", paragraphs: [2], around: 12 })).text).toBe(
      " first.\n\nThe second difficulty was greater.\n\nA third ",
    );
    await expect(read({ source: "k", heading: "Openning" })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("Opening"),
    });
    await expect(read({ source: "k", paragraphs: [7] })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("says what is missing or unknown", async () => {
    await expect(read({})).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(read({ chunk_id: "nope" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(read({ source: "nope" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(read({ source: "d", start: 9999 })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

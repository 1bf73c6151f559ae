import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type Book, cutChunks, cutPages, loadBooks, makeCases } from "../../bench/quote-cases.mjs";
import { bareChunk } from "../../tests/support/bare-chunk.mjs";
import { memoryChunkStore } from "../../tests/support/memory-chunk-store.js";
import type { Chunk, ChunkStore, DocumentRecord } from "../shelves/chunks/chunk-store.js";
import { sqliteChunkStore } from "../shelves/chunks/stores/sqlite.js";
import { createQuotes } from "./quotes.js";

const shared = process.env.BOOKWHEEL_SHARED ?? join(import.meta.dirname, "../../../shared");
const documents = join(shared, "corpora/documents");

const MODEL = { id: "none", dimension: 2, pooling: "mean", max_tokens: 256, weights_sha256: null };
const NOW = "2025-01-01T00:00:00.000Z";

async function openStore(hybrid_enabled = true) {
  const store = memoryChunkStore();
  await createProject(store, hybrid_enabled);
  return store;
}

async function createProject(store: ChunkStore, hybrid_enabled = true) {
  await store.createProject({ id: "p", kind: "project", name: "p", description: null, model: MODEL, hybrid_enabled });
}

const chunk = (id: string, text: string, more: Partial<Chunk> = {}) => bareChunk({ id, text, ...more });

async function addDocument(store: ChunkStore, { id, citekey, title, text }: Book, more: Partial<DocumentRecord> = {}) {
  const record: DocumentRecord = {
    id,
    citekey,
    title,
    text,
    kind: "text",
    origin: null,
    sha256: id,
    chunk_count: 0,
    char_count: text.length,
    language: "en",
    csl: null,
    added_at: NOW,
    updated_at: NOW,
    extra: {},
    pages: cutPages(text),
    headings: [],
    edits: [],
    ...more,
  };
  const chunks = cutChunks(text).map(([start, end], position) =>
    chunk(`${id}-${position}`, text.slice(start, end), { doc_id: id, citekey, title, position, start, end }),
  );
  await store.replaceDocument("p", record, chunks);
}

const ALICE = {
  id: "alice",
  citekey: "carroll1865alice",
  title: "Alice",
  text: [
    "Down the Rabbit-Hole",
    "Alice was beginning to get very tired of sitting by her sister on the bank, and of having nothing to do: once or twice she had peeped into the book her sister was reading, but it had no pictures or conversations in it, “and what is the use of a book,” thought Alice “without pictures or conversations?”",
    "So she was considering in her own mind (as well as she could, for the hot day made her feel very sleepy and stupid), whether the pleasure of making a daisy-chain would be worth the trouble of getting up and picking the daisies, when suddenly a White Rabbit with pink eyes ran close by her.",
    "There was nothing so very remarkable in that; nor did Alice think it so very much out of the way to hear the Rabbit say to itself, “Oh dear! Oh dear! I shall be late!”",
  ].join("\n\n"),
};
const WALDEN = {
  id: "walden",
  citekey: "thoreau1854walden",
  title: "Walden",
  text: [
    "I went to the woods because I wished to live deliberately, to front only the essential facts of life, and see if I could not learn what it had to teach, and not, when I came to die, discover that I had not lived.",
    "The mass of men lead lives of quiet desperation. What is called resignation is conﬁrmed desperation.",
  ].join("\n\n"),
};

describe("verifying a quote", () => {
  let store: ChunkStore;
  const verify = (quote: string, source?: string) => createQuotes({ store }).verify("p", quote, { source });
  beforeAll(async () => {
    store = await openStore();
    const half = ALICE.text.indexOf("So she was");
    await addDocument(store, ALICE, {
      pages: [
        { number: 13, label: "1", start: 0, end: half },
        { number: 14, label: "2", start: half, end: ALICE.text.length },
      ],
      headings: [{ level: 1, title: "Down the Rabbit-Hole", start: 0 }],
      edits: [
        { at: ALICE.text.indexOf("Hole"), length: 0, original: "\n" },
        { at: ALICE.text.indexOf("sidering in"), length: 0, original: "-\n" },
        { at: ALICE.text.indexOf(" with pink eyes"), length: 0, original: "1" },
        { at: ALICE.text.indexOf(" ran close by her"), length: 0, original: " [2]" },
      ],
    });
    await addDocument(store, WALDEN);
  });

  it.each(["Down the RabbitHole Alice was beginning to get", "she was con-sidering in her own mind"])(
    "lets the hyphen of a word broken at a line end be there or not: %s",
    async (quote) => {
      expect((await verify(quote)).verdict).toBe("normalised");
    },
  );

  it.each([
    ["White Rabbit1 with pink eyes [2] ran close by her", "normalised"],
    ["when suddenly a White Rabbit1 with pink eyes", "normalised"],
    ["when suddenly a White Rabbit with pink eyes [2]", "fuzzy"],
    ["when suddenly a White Rabbit2 with pink eyes ran", "fuzzy"],
  ])("lets the marks of notes be there as the file has them, or none: %s", async (quote, verdict) => {
    expect((await verify(quote)).verdict).toBe(verdict);
  });

  it("finds the exact words and says where they stand", async () => {
    const quote = "she was considering in her own mind";
    const start = ALICE.text.indexOf(quote);
    expect(await verify(quote)).toEqual({
      verdict: "exact",
      closest: null,
      note: expect.stringContaining("wording only"),
      searched: { projects: ["p"], notebooks: [], highlights: null },
      matches: [
        {
          level: "exact",
          similarity: 1,
          project: "p",
          origin: "project",
          doc_id: "alice",
          citekey: "carroll1865alice",
          title: "Alice",
          cite: "[@carroll1865alice, p. 2]",
          chunk_id: "alice-0",
          page_span: [14, 14],
          page_labels: ["2", "2"],
          section_path: ["Down the Rabbit-Hole"],
          start,
          end: start + quote.length,
          text: quote,
          printed: "she was con-\nsidering in her own mind",
        },
      ],
    });
  });

  it("looks past white space, and past nothing else, for exact", async () => {
    expect((await verify("Alice was beginning\n  to get very tired")).verdict).toBe("exact");
    expect((await verify("alice was beginning to get very tired")).verdict).toBe("normalised");
  });

  it.each([
    ["straight quotation marks", `"and what is the use of a book," thought Alice "without pictures`],
    ["a hyphen at a line end", "once or twice she had pee-\nped into the book"],
    ["a ligature in the source", "What is called resignation is confirmed desperation."],
    ["a bracketed capital", "[S]he was considering in her own mind"],
    ["a comma for the full stop at its end", "The mass of men lead lives of quiet desperation,"],
    ["a full stop the source goes on without", "“The mass of men lead lives.”"],
  ])("calls a quote that differs by %s normalised", async (_what, quote) => {
    expect((await verify(quote)).verdict).toBe("normalised");
  });

  it("does not count the quotation marks put around a quote", async () => {
    expect((await verify("“The mass of men lead lives of quiet desperation.”")).verdict).toBe("exact");
  });

  it("marks every word that is not the source's", async () => {
    const result = await verify("The mass of women lead lives of quiet desperation");
    expect(result.verdict).toBe("fuzzy");
    expect(result.matches[0]).toMatchObject({
      citekey: "thoreau1854walden",
      text: "The mass of men lead lives of quiet desperation",
      differences: [{ quote: "women", source: "men" }],
    });
    expect(result.matches[0]?.marked).toContain("mass of [-women-] {+men+} lead");
  });

  it.each([
    ["The mass of men lead lives of quiet cheer", "The mass of men lead lives of quiet desperation."],
    ["A mass of men lead lives of quiet desperation", "The mass of men lead lives of quiet desperation"],
    ["The mass of men lead lives of quiet desperation indeed", "The mass of men lead lives of quiet desperation."],
  ])("gives the source's own first and last word: %s", async (quote, text) => {
    expect((await verify(quote)).matches[0]).toMatchObject({ level: "fuzzy", text });
  });

  it.each([
    ["The mass of women lead lives of quiet desperation", "1 word differs: the source has “men”, the quote “women”."],
    [
      "The mass of men lead lives of very quiet desperation",
      "1 word differs: the source has nothing, the quote “very”.",
    ],
    [
      "The mass of women live lives of quiet desperation",
      "2 words differ: the source has “men lead”, the quote “women live”.",
    ],
    ["The mass of men, lead lives of quiet desperation", "Only punctuation differs."],
  ])("says how many words differ, and which: %s", async (quote, note) => {
    expect((await verify(quote)).note).toContain(note);
  });

  it("does not take a hyphen for nothing inside a line", async () => {
    expect((await verify("the pleasure of making a daisychain would be worth the trouble")).verdict).toBe("fuzzy");
  });

  it("does not find a quote that begins or ends inside a word", async () => {
    expect((await verify("ass of men lead lives of quiet desp")).verdict).not.toMatch(/exact|normalised/);
  });

  it("names the true source of a quote given to another", async () => {
    const result = await verify("The mass of men lead lives of quiet desperation", "carroll1865alice");
    expect(result.verdict).toBe("misattributed");
    expect(result.matches[0]).toMatchObject({ citekey: "thoreau1854walden", level: "exact" });
  });

  it("accepts a citekey with its at sign, and a document id", async () => {
    expect((await verify("The mass of men lead lives of quiet", "@thoreau1854walden")).verdict).toBe("exact");
    expect((await verify("The mass of men lead lives of quiet", "walden")).verdict).toBe("exact");
  });

  it("finds both places of a stitched quote", async () => {
    const result = await verify(
      "I went to the woods because I wished to live once or twice she had peeped into the book",
    );
    expect(result.verdict).toBe("stitched");
    expect(result.matches.map(({ citekey, quoted }) => [citekey, quoted])).toEqual([
      ["thoreau1854walden", "I went to the woods because I wished to live"],
      ["carroll1865alice", "once or twice she had peeped into the book"],
    ]);
  });

  it("finds the places of a stitched quote that has a few words of the quoter's own between and around them", async () => {
    const result = await verify(
      "I went to the woods because I wished to live and once or twice she had peeped into the book is godlike",
    );
    expect(result.verdict).toBe("stitched");
    expect(result.matches.map(({ citekey }) => citekey)).toEqual(["thoreau1854walden", "carroll1865alice"]);
  });

  it("accepts marked omissions in order and close together", async () => {
    const result = await verify(
      "I went to the woods […] to front only the essential facts of life … discover that I had not lived",
    );
    expect(result.verdict).toBe("exact");
    expect(result.matches[0]?.text).toMatch(/^I went to the woods because .* not lived$/s);
    expect((await verify("to front only the essential facts of life … I went to the woods because")).verdict).toBe(
      "stitched",
    );
  });

  it("does not accept words gathered from here and there", async () => {
    expect((await verify("Alice wished the daisies pictures of quiet woods and late conversations")).verdict).toBe(
      "absent",
    );
  });

  it("shows the nearest passage to an absent quote", async () => {
    const result = await verify(
      "I walked into the forest because I wanted to live deliberately and face only the facts of life",
    );
    expect(result.verdict).toBe("absent");
    expect(result.matches).toEqual([]);
    expect(result.closest).toMatchObject({ citekey: "thoreau1854walden" });
    expect(result.closest?.similarity).toBeLessThan(0.85);
  });

  it.each(["to be or", "hello wide", "of"])("refuses %j: it would match anywhere", async (quote) => {
    await expect(verify(quote)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { fields: [{ field: "quote", problem: expect.any(String) }] },
    });
  });

  it("says which sources are near a name the project does not have", async () => {
    await expect(verify("The mass of men lead lives", "thoreau1854waldn")).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("thoreau1854walden"),
    });
    await expect(createQuotes({ store }).verify("q", "The mass of men lead lives")).rejects.toMatchObject({
      code: "INVALID_PROJECT",
      details: { available_projects: ["p"] },
    });
  });
});

describe("verifying against chunks without a stored document", () => {
  it("follows a quote from one chunk into the next, once where they overlap", async () => {
    const store = await openStore();
    await store.upsert("p", [
      chunk("c2", "to live deliberately, to front only the essential facts of life", {
        doc_id: "d",
        position: 1,
        citekey: "w",
        page_span: [91, 91],
      }),
      chunk("c1", "I went to the woods because I wished to live deliberately,", {
        doc_id: "d",
        position: 0,
        citekey: "w",
        page_span: [90, 90],
      }),
    ]);
    const result = await createQuotes({ store }).verify(
      "p",
      "I wished to live deliberately, to front only the essential facts",
      { source: "w" },
    );
    expect(result).toMatchObject({
      verdict: "exact",
      matches: [{ doc_id: "d", citekey: "w", page_span: [90, 91] }],
    });
  });

  it("checks chunks that belong to no document", async () => {
    const store = await openStore();
    await store.upsert("p", [chunk("c1", "The mass of men lead lives of quiet desperation.", { citekey: "w" })]);
    expect(await createQuotes({ store }).verify("p", "lead lives of quiet desperation")).toMatchObject({
      verdict: "exact",
      matches: [{ chunk_id: "c1" }],
    });
  });

  it("trusts a chunk's own text where its document has none, or another at that place", async () => {
    const store = await openStore();
    await addDocument(store, { ...WALDEN, id: "empty", text: "" });
    await addDocument(store, { ...ALICE, text: ALICE.text });
    const text = "A highlight that stands in no stored text at all";
    await store.upsert("p", [
      chunk("h1", text, { doc_id: "empty", citekey: "thoreau1854walden" }),
      chunk("h2", "Another that claims a place it does not have", { doc_id: "alice", start: 5, end: 49 }),
    ]);
    const { verify } = createQuotes({ store });
    expect(await verify("p", text, { source: "empty" })).toMatchObject({
      verdict: "exact",
      matches: [{ doc_id: "empty" }],
    });
    expect(await verify("p", "that claims a place it does not", { source: "alice" })).toMatchObject({
      verdict: "exact",
      matches: [{ doc_id: "alice", chunk_id: "h2" }],
    });
  });

  it("finds words that no chunk holds, such as those of a reference list", async () => {
    const store = await openStore();
    await addDocument(store, WALDEN);
    const chunks = await store.chunks("p", { doc_id: "walden" });
    const record = await store.document("p", "walden");
    const text = `${WALDEN.text}\n\nEmerson, Ralph Waldo. Nature, Addresses and Lectures. Boston, 1849.`;
    await store.replaceDocument(
      "p",
      { ...record!, text, char_count: text.length },
      chunks.map((each) => ({ ...each, vectors: [new Float32Array([1, 0])] })),
    );
    expect((await createQuotes({ store }).verify("p", "Nature, Addresses and Lectures. Boston")).verdict).toBe("exact");
  });

  it("reads everything where the project has no word index", async () => {
    const store = await openStore(false);
    await addDocument(store, WALDEN);
    expect(await createQuotes({ store }).verify("p", "The mass of men lead lives of quiet")).toMatchObject({
      verdict: "exact",
    });
  });

  it("reads Chinese, where a character counts as a word", async () => {
    const store = await openStore();
    await store.upsert("p", [
      chunk("c1", "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？人不知而不愠，不亦君子乎？", {
        doc_id: "lunyu",
        language: "zh",
      }),
    ]);
    const { verify } = createQuotes({ store });
    expect((await verify("p", "有朋自远方来，不亦乐乎？人不知")).verdict).toBe("exact");
    expect((await verify("p", "有朋自远方來，不亦乐乎？人不知而不愠")).verdict).toBe("fuzzy");
    await expect(verify("p", "有朋自远方来")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("stops when the caller does", async () => {
    const store = await openStore(false);
    await addDocument(store, WALDEN);
    await expect(
      createQuotes({ store }).verify("p", "The mass of men lead lives", { signal: AbortSignal.abort() }),
    ).rejects.toThrow(/abort/i);
  });
});

describe("any quote cut from a text", () => {
  const passage = `${ALICE.text}\n\n${WALDEN.text}`;
  it("is found where it was cut, however its white space, case and marks were changed", async () => {
    const store = await openStore();
    await addDocument(store, { id: "d", citekey: "d", title: "d", text: passage });
    const { verify } = createQuotes({ store });
    const starts = [...passage.matchAll(/\S+/g)].map(({ index }) => index);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: starts.length - 40 }),
        fc.integer({ min: 5, max: 39 }),
        fc.constantFrom(
          (text: string) => text.replace(/\s+/g, "\n "),
          (text: string) => text.toUpperCase(),
          (text: string) => text.replace(/[“”]/g, '"'),
          (text: string) => text.replace(/(\w{3})(\w{3})/, "$1-\n$2"),
        ),
        async (first, length, change) => {
          const start = starts[first]!;
          const cut = passage.slice(start, starts[first + length]).trim();
          const { verdict, matches } = await verify("p", change(cut));
          expect(verdict).toMatch(/exact|normalised/);
          expect(matches.some((match) => match.start! <= start + 1 && match.end! >= start + cut.length - 1)).toBe(true);
        },
      ),
      { numRuns: 150, seed: 11 },
    );
  });
});

describe.skipIf(!existsSync(documents))("verifying quotes of real books (needs the shared corpora)", () => {
  it("gives the right verdict at least 99 times in 100, and never calls an invented quote verbatim", async () => {
    const { books, heldOut } = loadBooks(documents);
    const folder = await mkdtemp(join(tmpdir(), "bookwheel-quotes-"));
    const store = sqliteChunkStore({ file: join(folder, "store.db") });
    await createProject(store);
    for (const book of books.slice(0, 3)) await addDocument(store, book);
    const { verify } = createQuotes({ store });
    const wrong: unknown[] = [];
    const cases = makeCases({ books: books.slice(0, 3), heldOut, count: 72, seed: 7 });
    for (const { quote, source, expected, kind, from } of cases) {
      const { verdict, matches } = await verify("p", quote, { source });
      const placed =
        !from ||
        matches.some((match) => match.doc_id === from.doc_id && match.start! < from.end && match.end! > from.start);
      if (verdict !== expected || !placed) wrong.push({ kind, quote, expected, verdict });
      if (kind === "invented") expect(verdict).not.toMatch(/exact|normalised/);
    }
    await store.close();
    await rm(folder, { recursive: true, force: true });
    expect(wrong.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(cases.length * 0.01);
  }, 60_000);
});

import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { Library } from "../../../sandbox/readwise/library.js";
import { type ReadwiseSandbox, startReadwiseSandbox } from "../../../sandbox/readwise/server.js";
import { MODEL, tempFolder, wordEmbedder, wordEmbedders } from "../../../tests/support/ingest-files.js";
import { memoryChunkStore } from "../../../tests/support/memory-chunk-store.js";
import { NOON } from "../../../tests/support/readwise.js";
import { type SmallLibrary, smallLibrary } from "../../../tests/support/small-library.js";
import { createIdentifier } from "../../citations/bibliography/identifier.js";
import { createQuotes } from "../../citations/quotes.js";
import type { ChunkStore } from "../../shelves/chunks/chunk-store.js";
import { sqliteChunkStore } from "../../shelves/chunks/stores/sqlite.js";
import { httpReadwise } from "../../shelves/readwise/backends/http.js";
import { memoryCacheStore } from "../../shelves/readwise/cache/stores/memory.js";
import { createReadwiseShelf, type ReadwiseShelf } from "../../shelves/readwise/library/library.js";
import { createReaderPool } from "../reader-pool.js";
import { createLibrarySync, type SyncOptions } from "./sync.js";

const readers = createReaderPool();
afterAll(() => readers.close());

function otherLibrary(): Library {
  const library = new Library("somebody else's");
  library.addDocument({ category: "article", title: "On kites", html: "<p>A kite wants wind.</p>" }, NOON - 1000);
  return library;
}

const LIST = "GET /api/v3/list/";
const EXPORT = "GET /api/v2/export/";

describe("syncing a library into a project", () => {
  let now: number;
  let small: SmallLibrary;
  let sandbox: ReadwiseSandbox;
  let shelf: ReadwiseShelf;
  let store: ChunkStore;
  let embedder: ReturnType<typeof wordEmbedder>;
  let waits: number[];

  const open = (prepare: { embedders?: ReturnType<typeof wordEmbedders> } = {}) =>
    createLibrarySync({
      store,
      embedders: prepare.embedders ?? wordEmbedders(embedder),
      readers,
      openIdentifier: (run) => createIdentifier(run),
      clock: () => now,
      wait: async (ms) => {
        waits.push(ms);
        now += ms;
      },
    });
  const sync = (options: SyncOptions = {}, key = "mine") => open().sync("reading", shelf.forKey(key).syncing, options);
  const stored = async () =>
    (await store.documents("reading"))
      .map(({ id }) => id)
      .filter((id) => !id.startsWith("readwise_sync_"))
      .sort();
  const works = async () => (await stored()).filter((id) => !id.endsWith("_notes"));
  const requests = () => sandbox.requests.count();
  /** Later than any overlap, so that only real changes show. */
  const pass = (ms = 3_600_000) => {
    now += ms;
  };

  beforeEach(async () => {
    now = NOON;
    waits = [];
    small = smallLibrary();
    sandbox = await startReadwiseSandbox({
      clock: () => now,
      exportPageSize: 2,
      libraries: { mine: small.library, "mine-again": small.library, other: () => otherLibrary() },
    });
    shelf = createReadwiseShelf({
      api: httpReadwise({ baseUrl: sandbox.url, timeoutMs: 5_000 }),
      cache: { enabled: true, maxBytes: 1 << 24, ttlMs: 300_000 },
      store: memoryCacheStore,
      clock: () => now,
    });
    store = memoryChunkStore();
    embedder = wordEmbedder();
    await store.createProject({
      id: "reading",
      kind: "project",
      name: "reading",
      description: null,
      model: MODEL,
      hybrid_enabled: true,
    });
  });
  afterEach(async () => {
    await shelf.close();
    await sandbox.close();
  });

  it("stores a source's highlights as chunks that lead back to them, with page, tags and key", async () => {
    expect(await sync()).toEqual({
      project: "reading",
      complete: true,
      highlights: { added: 3, updated: 0, unchanged: 0, removed: 0 },
      documents: { added: 2, updated: 0, unchanged: 0, removed: 0 },
      chunks: 7,
      skipped: [],
      warnings: [],
      stopped: null,
      left: [],
    });
    const id = `readwise_${small.tides.id}`;
    const [first, second] = await store.chunks("reading", { doc_id: id });
    expect(first).toMatchObject({
      id: `${id}_${small.lines.id}`,
      text: "Water keeps no straight lines.",
      url: `https://readwise.io/open/${small.lines.id}`,
      citekey: "mossField",
      title: "A Field Guide to Tides",
      page_span: [12, 12],
      tags: ["shape", "sea"],
      metadata: { readwise: { kind: "highlight", highlight_id: small.lines.id, source_id: small.tides.id } },
    });
    expect(second).toMatchObject({ page_span: [40, 40] });
    const document = await store.document("reading", id);
    expect(document).toMatchObject({
      kind: "highlights",
      csl: { type: "book", title: "A Field Guide to Tides", author: [{ family: "Moss", given: "R." }] },
      text: "Water keeps no straight lines.\n\nThe moon pulls first, the shore answers later.",
    });
    for (const chunk of [first!, second!]) expect(document!.text.slice(chunk.start!, chunk.end!)).toBe(chunk.text);
  });

  it("stores the text of Reader documents, under one key with the highlights made in them", async () => {
    await sync();
    const [chunk] = await store.chunks("reading", { doc_id: `reader_${small.article.id}` });
    expect(chunk).toMatchObject({
      text: "Salt moved by camel.\n\nThen it moved by ship.",
      url: `https://read.readwise.io/read/${small.article.id}`,
      title: "How salt travels",
      tags: ["Trade Routes"],
      page_span: null,
      metadata: { readwise: { kind: "document", document_id: small.article.id } },
    });
    const keys = (await store.documents("reading"))
      .filter(({ extra }) => extra.reader_id === small.article.id)
      .map(({ kind, citekey }) => [kind, citekey]);
    expect(keys.sort()).toEqual([
      ["highlights", chunk?.citekey],
      ["reader", chunk?.citekey],
    ]);
    const video = await store.document("reading", `reader_${small.video.id}`);
    expect(video?.text).toBe("The moon pulls.\n\nTwice a day & always.");
    expect(video?.csl).toMatchObject({ type: "motion_picture", issued: { "date-parts": [[2026, 1, 30]] } });
  });

  it("keeps the reader's own notes beside the sources, and never takes them for words of theirs", async () => {
    await sync();
    const [note] = await store.chunks("reading", { doc_id: `readwise_${small.tides.id}_notes` });
    expect(note).toMatchObject({
      text: "compare rivers",
      title: "Notes on A Field Guide to Tides",
      citekey: null,
      url: `https://readwise.io/open/${small.lines.id}`,
    });
    const quotes = createQuotes({ store });
    expect(await quotes.verify("reading", "Water keeps no straight lines.")).toMatchObject({ verdict: "exact" });
    small.library.addHighlight(
      small.law,
      { text: "Laws sleep.", note: "My grandmother said much the same about cats in winter" },
      now,
    );
    pass();
    await sync();
    const words = "My grandmother said much the same about cats in winter";
    const { citekey } = (await store.document("reading", `readwise_${small.law.id}`))!;
    expect(await quotes.verify("reading", words, { source: citekey! })).toMatchObject({ verdict: "misattributed" });
    expect(await quotes.verify("reading", words)).toMatchObject({
      matches: [{ title: "Notes on On the Rule of Law" }],
    });

    pass();
    for (const { id, note: text } of small.law.highlights) if (text) small.library.highlights.get(id)!.note = "";
    small.library.changed(small.law.highlights[1]!, now);
    pass();
    await sync();
    expect(await stored()).not.toContain(`readwise_${small.law.id}_notes`);
  });

  it("asks only for changes the second time, and embeds nothing that reads as before", async () => {
    await sync();
    pass();
    const embedded = embedder.embedded.length;
    const before = requests();
    expect(await sync()).toMatchObject({
      complete: true,
      highlights: { added: 0, updated: 0 },
      documents: { added: 0, updated: 0, removed: 0 },
      chunks: 0,
    });
    expect(embedder.embedded.length).toBe(embedded);
    const asked = sandbox.requests.list("mine").slice(before);
    expect(asked.filter(({ endpoint }) => endpoint === EXPORT)).toMatchObject([
      { query: { updatedAfter: expect.any(String), includeDeleted: "true" } },
    ]);
    expect(asked.filter(({ query }) => query.withHtmlContent === "true" && !query.updatedAfter)).toEqual([]);
  });

  it("takes a new highlight into its source and embeds that one alone", async () => {
    await sync();
    pass();
    small.library.addHighlight(small.tides, { text: "Neap tides are shy.", location: 20, location_type: "page" }, now);
    pass();
    const embedded = embedder.embedded.length;
    expect(await sync()).toMatchObject({ highlights: { added: 0, updated: 1, removed: 0 } });
    expect(embedder.embedded.slice(embedded)).toEqual(["A Field Guide to Tides\nNeap tides are shy."]);
    const chunks = await store.chunks("reading", { doc_id: `readwise_${small.tides.id}` });
    expect(chunks.map(({ text }) => text)).toEqual([
      "Water keeps no straight lines.",
      "Neap tides are shy.",
      "The moon pulls first, the shore answers later.",
    ]);
  });

  it("does the same in the embedded store", async () => {
    const model = (await store.project("reading"))!;
    const folder = await tempFolder();
    store = sqliteChunkStore({ file: join(folder.path, "store.db") });
    try {
      await store.createProject(model);
      expect(await sync()).toMatchObject({ complete: true, chunks: 7 });
      pass();
      small.library.addHighlight(small.law, { text: "Laws sleep." }, now);
      small.library.removeDocument(small.video.id);
      pass();
      const embedded = embedder.embedded.length;
      expect(await sync()).toMatchObject({ highlights: { updated: 1 }, documents: { removed: 1 } });
      expect(embedder.embedded.slice(embedded)).toEqual(["On the Rule of Law\nLaws sleep."]);
      expect(await works()).toHaveLength(4);
    } finally {
      await store.close();
      await folder.remove();
    }
  });

  it("drops what was deleted: a highlight, a source, a document that left no trace", async () => {
    await sync();
    pass();
    small.library.deleteHighlight(small.lines, now);
    small.library.deleteBook(small.law, now);
    small.library.removeDocument(small.video.id);
    pass();
    expect(await sync()).toMatchObject({
      complete: true,
      highlights: { updated: 1, removed: 1 },
      documents: { removed: 1 },
    });
    const salt = [...small.library.books.values()].find(({ external_id }) => external_id === small.article.id)!;
    expect(await works()).toEqual(
      [`reader_${small.article.id}`, `readwise_${small.tides.id}`, `readwise_${salt.id}`].sort(),
    );
    expect(await store.byWords("reading", "straight", { limit: 5 })).toEqual([]);
  });

  it("drops a source whose last highlight is gone", async () => {
    await sync();
    pass();
    for (const highlight of small.law.highlights) small.library.deleteHighlight(highlight, now);
    pass();
    expect(await sync()).toMatchObject({ highlights: { removed: 1 } });
    expect(await stored()).not.toContain(`readwise_${small.law.id}`);
  });

  it("reads nothing again when only the place in a document moved on", async () => {
    await sync();
    pass();
    Object.assign(small.article, { reading_progress: 0.8, updated_at: now });
    small.library.touch();
    pass();
    const embedded = embedder.embedded.length;
    expect(await sync()).toMatchObject({ documents: { updated: 0, unchanged: 1 } });
    expect(embedder.embedded.length).toBe(embedded);
  });

  it("keeps a document that is touched while the list of all documents is read", async () => {
    for (let i = 0; i < 120; i++)
      small.library.addDocument(
        { category: "article", title: `Essay ${i}`, html: `<p>Essay number ${i}.</p>` },
        NOON - 40 * 86_400_000 + i * 1000,
      );
    sandbox.faults.set({ kind: "throttle", endpoint: LIST, nth: 6, times: 1, retry_after_s: 200 });
    while (!(await sync({ include: "documents" })).complete) pass(250_000);
    pass();
    // The first page of the list is read, then a run ends, and meanwhile an old document moves to that first page.
    sandbox.faults.set({ kind: "throttle", endpoint: LIST, nth: 3, times: 1, retry_after_s: 200 });
    expect(await sync({ include: "documents" })).toMatchObject({
      complete: false,
      left: ["what was deleted in Reader"],
    });
    pass(250_000);
    small.article.updated_at = now;
    small.library.touch();
    expect(await sync({ include: "documents" })).toMatchObject({ complete: true, documents: { removed: 0 } });
    expect(await stored()).toContain(`reader_${small.article.id}`);
  });

  it("waits when Readwise asks for it and goes on", async () => {
    sandbox.faults.set({ kind: "throttle", endpoint: LIST, nth: 1, times: 1, retry_after_s: 16 });
    expect(await sync()).toMatchObject({ complete: true, documents: { added: 2 } });
    expect(waits).toEqual([16_000]);
  });

  it("stops where waiting is not worth it, says so, and goes on from there", async () => {
    sandbox.faults.set({ kind: "throttle", endpoint: EXPORT, nth: 2, times: 1, retry_after_s: 600 });
    expect(await sync()).toMatchObject({
      complete: false,
      retry_after: 600,
      stopped: expect.stringContaining("600 s"),
      left: ["highlights", "documents"],
      highlights: { added: 2 },
    });
    expect(await works()).toHaveLength(2);
    pass();
    const before = requests();
    expect(await sync()).toMatchObject({ complete: true, highlights: { added: 1, unchanged: 0 } });
    expect(sandbox.requests.list("mine")[before]).toMatchObject({ query: { pageCursor: String(small.tides.id) } });
  });

  it("writes no more than it may in one run, and the rest in the next ones", async () => {
    expect(await sync({ maxDocuments: 2 })).toMatchObject({ complete: false, highlights: { added: 2 } });
    expect(await sync({ maxDocuments: 2 })).toMatchObject({
      complete: false,
      highlights: { added: 1 },
      documents: { added: 1 },
      left: ["about 3 documents"],
    });
    expect(await sync({ maxDocuments: 2 })).toMatchObject({ complete: true, documents: { added: 1 } });
    expect(await works()).toHaveLength(5);
  });

  it("ends in the same store whichever write a kill follows", async () => {
    await sync();
    const whole = await stored();
    const texts = async () =>
      Promise.all((await stored()).map(async (id) => (await store.document("reading", id))?.text));
    const undisturbed = await texts();
    for (let writes = 1; writes <= 6; writes++) {
      const inner = memoryChunkStore();
      await inner.createProject((await store.project("reading"))!);
      let left = writes;
      store = {
        ...inner,
        replaceDocument: async (...call) => {
          if (left-- <= 0) throw new Error("killed");
          return inner.replaceDocument(...call);
        },
      };
      await expect(sync()).rejects.toThrow("killed");
      store = inner;
      expect(await sync()).toMatchObject({ complete: true });
      expect(await stored()).toEqual(whole);
      expect(await texts()).toEqual(undisturbed);
    }
  });

  it("stops in good order when its time is over", async () => {
    sandbox.faults.set({ kind: "throttle", endpoint: EXPORT, nth: 2, times: 1, retry_after_s: 60 });
    expect(await sync({ withinMs: 30_000 })).toMatchObject({ complete: false, retry_after: 60 });
    expect(waits).toEqual([]);
  });

  it("looks again for the text of a document that Reader was still fetching", async () => {
    pass();
    const fresh = small.library.addDocument({ category: "article", title: "Just saved" }, now);
    expect(await sync()).toMatchObject({
      complete: true,
      skipped: [{ title: "Just saved", reason: expect.stringContaining("looks again") }],
    });
    // The text comes without any sign of a change.
    fresh.html = "<p>Here it is at last.</p>";
    pass();
    expect(await sync()).toMatchObject({ documents: { added: 1 }, skipped: [] });
    pass();
    expect(await sync()).toMatchObject({ documents: { added: 0 }, skipped: [] });
  });

  it("gets over an error of the server, and over a cursor that has expired", async () => {
    sandbox.faults.set({ kind: "status", status: 503, endpoint: EXPORT, nth: 2, times: 2 });
    expect(await sync()).toMatchObject({ complete: true, highlights: { added: 3 } });
    expect(waits).toEqual([2_000, 8_000]);

    pass();
    for (let i = 0; i < 60; i++)
      small.library.addDocument(
        { category: "article", title: `Essay ${i}`, html: `<p>Essay number ${i}.</p>` },
        now + i * 1000,
      );
    pass();
    sandbox.faults.set({ kind: "throttle", endpoint: LIST, nth: 2, times: 1, retry_after_s: 200 });
    sandbox.faults.set({ kind: "status", status: 400, endpoint: LIST, nth: 3, times: 1 });
    expect(await sync({ include: "documents" })).toMatchObject({ complete: false, documents: { added: 25 } });
    pass(250_000);
    expect(await sync({ include: "documents" })).toMatchObject({
      complete: true,
      documents: { added: 35, unchanged: 25, removed: 0 },
    });
  });

  it("keeps two libraries in one project apart, but knows its own after the key was changed", async () => {
    await sync();
    expect(await sync({ include: "documents" }, "other")).toMatchObject({ complete: true, documents: { added: 1 } });
    expect(await works()).toHaveLength(6);

    small.library.removeDocument(small.video.id);
    expect(await sync({ include: "documents" }, "mine-again")).toMatchObject({
      documents: { unchanged: 1, removed: 1 },
    });
    expect(await works()).toHaveLength(5);
  });

  it("takes part of the library where only a part is wanted", async () => {
    expect(await sync({ include: "highlights" })).toMatchObject({ complete: true, documents: { added: 0 } });
    expect(sandbox.requests.count(LIST)).toBe(0);
    expect(await sync({ include: "documents" })).toMatchObject({ complete: true, documents: { added: 2 } });
  });

  it("lets a second run over the same project wait for the first", async () => {
    const service = open();
    const library = shelf.forKey("mine").syncing;
    const [first, second] = await Promise.all([service.sync("reading", library), service.sync("reading", library)]);
    expect(first).toMatchObject({ highlights: { added: 3 } });
    expect(second).toMatchObject({ highlights: { added: 0 }, documents: { added: 0 } });
  });

  it("stores for words alone where the model is not here, and says so", async () => {
    const without = { ...wordEmbedders(embedder), get: () => undefined, unavailable: "It was not installed." };
    const summary = await open({ embedders: without }).sync("reading", shelf.forKey("mine").syncing);
    expect(summary).toMatchObject({ complete: true, warnings: [expect.stringContaining("not installed")] });
    expect(await store.byWords("reading", "straight", { limit: 5 })).toHaveLength(1);
    // With the model back, everything is read and embedded.
    expect(await sync()).toMatchObject({ highlights: { updated: 3 }, documents: { updated: 2 } });
  });

  it("wants a key, and a project that exists", async () => {
    await expect(open().sync("reading", shelf.forKey(undefined).syncing)).rejects.toMatchObject({ code: "auth_error" });
    await expect(open().sync("elsewhere", shelf.forKey("mine").syncing)).rejects.toMatchObject({
      code: "INVALID_PROJECT",
    });
  });
});

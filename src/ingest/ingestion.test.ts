import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { startZotero, type ZoteroItem } from "../../sandbox/zotero/server.js";
import { lines, MODEL, makePdf, tempFolder, wordEmbedder, wordEmbedders } from "../../tests/support/ingest-files.js";
import { memoryChunkStore } from "../../tests/support/memory-chunk-store.js";
import { createIdentifier } from "../citations/bibliography/identifier.js";
import { createCitations } from "../citations/citations.js";
import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import { fileBibliographyMemory } from "./bibliography-memory.js";
import { createIngestion, type Ingestion } from "./ingestion.js";
import { createReaderPool } from "./reader-pool.js";

const readers = createReaderPool();
afterAll(() => readers.close());

const note = (about: string) => `# Of ${about}\n\n${`A sentence about ${about}, and one more. `.repeat(30)}\n`;

async function zoteroWith(items: ZoteroItem[]) {
  const zotero = await startZotero({ items });
  return { url: zotero.url, [Symbol.asyncDispose]: zotero.close };
}

describe("ingesting a folder", () => {
  let store: ChunkStore;
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  let ingestion: Ingestion;
  let embedder: ReturnType<typeof wordEmbedder>;
  const at = (...parts: string[]) => join(folder.path, ...parts);
  const open = (roots: string[] = []) =>
    createIngestion({
      store,
      embedders: wordEmbedders(embedder),
      readers,
      openIdentifier: ({ signal, ...run }) => createIdentifier({ ...run, signal }),
      roots,
    });
  const stored = async () =>
    (await store.documents("p")).map(({ origin, citekey }) => [origin?.slice(folder.path.length + 1), citekey]).sort();

  beforeEach(async () => {
    store = memoryChunkStore();
    embedder = wordEmbedder();
    folder = await tempFolder();
    ingestion = open();
    await ingestion.ensureProject("p");
    await writeFile(at("spokes.md"), note("spokes"));
    await writeFile(at("rims.md"), note("rims"));
  });
  afterEach(() => folder.remove());

  describe("with a bibliography among the files", () => {
    const bib = "@book{marlowe2025wheel, title={The Turning of Wooden Spokes}, author={Marlowe, Ada}, year={2025}}\n";
    beforeEach(() => writeFile(at("spokes.md"), note("spokes").replace("Of spokes", "The Turning of Wooden Spokes")));

    it("uses it, says so, and keeps its keys when it is gone", async () => {
      await writeFile(at("library.bib"), bib);
      const first = await ingestion.ingestPaths("p", [folder.path]);
      expect(first).toMatchObject({ bibliographies: [at("library.bib")], ignored: [] });
      expect(first.unmatched.map(({ path }) => path)).toEqual([at("rims.md")]);
      expect(await stored()).toContainEqual(["spokes.md", "marlowe2025wheel"]);

      await rm(at("library.bib"));
      await writeFile(
        at("spokes.md"),
        `${note("spokes").replace("Of spokes", "The Turning of Wooden Spokes")}\nOne more line.\n`,
      );
      expect(await ingestion.ingestPaths("p", [folder.path])).toMatchObject({
        bibliographies: [],
        changed: [at("spokes.md")],
      });
      expect(await stored()).toContainEqual(["spokes.md", "marlowe2025wheel"]);
      const [spokes] = (await store.documents("p")).filter(({ citekey }) => citekey === "marlowe2025wheel");
      expect(spokes?.csl).toMatchObject({ author: [{ family: "Marlowe", given: "Ada" }] });
    });

    it("takes over a key of an entry that is new without embedding again, and knows the document by the old one", async () => {
      await ingestion.ingestPaths("p", [folder.path]);
      const [[, madeUp] = []] = (await stored()).filter(([path]) => path === "spokes.md");
      const embedded = embedder.embedded.length;
      await writeFile(at("library.bib"), bib.replace("year={2025}", "year={2025}, ids={wheel}"));
      await ingestion.ingestPaths("p", [folder.path]);
      expect(embedder.embedded).toHaveLength(embedded);
      const [spokes] = (await store.documents("p")).filter(({ citekey }) => citekey === "marlowe2025wheel");
      expect(spokes?.extra.aliases).toEqual([madeUp, "wheel"]);
      expect((await store.chunks("p", { doc_id: spokes!.id }))[0]).toMatchObject({
        citekey: "marlowe2025wheel",
        year: 2025,
      });
      const citations = createCitations({ store });
      const { citation } = await citations.cite(["p"], { sources: ["wheel, p. 3"], signal: AbortSignal.timeout(5000) });
      expect(citation).toBe("[@marlowe2025wheel, p. 3]");
    });

    it("names documents that were read before it, and remembers itself for those still to come", async () => {
      const file = at("memory.json");
      const named = () =>
        createIngestion({
          store,
          embedders: wordEmbedders(embedder),
          readers,
          memory: fileBibliographyMemory(file),
          openIdentifier: (run) => createIdentifier(run),
        });
      await named().ingestPaths("p", [at("spokes.md")]);
      const embedded = embedder.embedded.length;
      await mkdir(at("later"));
      await writeFile(
        at("later", "library.bib"),
        `${bib}@book{reed1900rims, title={The Rims of Old Wheels}, author={Reed, Bo}, year={1900}}\n`,
      );
      expect(await named().ingestPaths("p", [at("later")])).toMatchObject({
        bibliographies: [at("later", "library.bib")],
        changed: [at("spokes.md")],
        unmatched: [],
      });
      expect(embedder.embedded).toHaveLength(embedded);
      expect(await stored()).toEqual([["spokes.md", "marlowe2025wheel"]]);

      await writeFile(at("rims.md"), note("rims").replace("Of rims", "The Rims of Old Wheels"));
      await named().ingestPaths("p", [at("rims.md")]);
      expect(await stored()).toContainEqual(["rims.md", "reed1900rims"]);
    });

    it("remembers files and Zotero that no document matched yet, and says when one is gone", async () => {
      const file = at("memory.json");
      await using zotero = await zoteroWith([
        { key: "AAAA1111", data: { itemType: "book", title: "The Rims of Old Wheels", citationKey: "rims1900" } },
      ]);
      await writeFile(at("library.bib"), bib);
      const named = (settings: object) =>
        createIngestion({
          store,
          embedders: wordEmbedders(embedder),
          readers,
          memory: fileBibliographyMemory(file),
          openIdentifier: (run) => createIdentifier({ ...run, ...settings }),
        });
      await mkdir(at("papers"));
      await rename(at("rims.md"), at("papers", "rims.md"));
      await named({ bibliographyFiles: [at("library.bib")], zotero: { url: zotero.url } }).ingestPaths("p", [
        at("papers"),
      ]);
      await rm(at("library.bib"));
      await writeFile(at("papers", "old.md"), note("rims").replace("Of rims", "The Rims of Old Wheels"));
      const again = await named({}).ingestPaths("p", [at("papers")]);
      expect(again.bibliographies).toEqual([`zotero:${zotero.url}/`]);
      expect(again.warnings).toContainEqual({ path: at("library.bib"), warning: expect.stringContaining("gone") });
      expect((await stored()).map(([, key]) => key)).toContain("rims1900");
    });

    it("remembers one that lies elsewhere and was used before", async () => {
      await mkdir(at("papers"));
      await mkdir(at("refs"));
      await writeFile(at("refs", "library.bib"), bib);
      await rename(at("spokes.md"), at("papers", "spokes.md"));
      await ingestion.ingestPaths("p", [at("papers"), at("refs", "library.bib")]);
      const again = await ingestion.ingestPaths("p", [at("papers")]);
      expect(again).toMatchObject({ unchanged: 1, bibliographies: [at("refs", "library.bib")], unmatched: [] });
    });

    it("keeps the key it made up as another name when a record turns up", async () => {
      await ingestion.ingestPaths("p", [folder.path]);
      const before = (await store.documents("p")).find(({ origin }) => origin === at("spokes.md"))!.citekey;
      await writeFile(at("library.bib"), bib);
      await ingestion.ingestPaths("p", [folder.path]);
      const [spokes] = (await store.documents("p")).filter(({ citekey }) => citekey === "marlowe2025wheel");
      expect(spokes?.extra.aliases).toEqual([before]);
    });
  });

  it("names what is new, what was renamed and what is gone, and drops nothing unasked", async () => {
    const first = await ingestion.ingestPaths("p", [folder.path]);
    expect(first.added.sort()).toEqual([at("rims.md"), at("spokes.md")]);
    await rename(at("spokes.md"), at("moved.md"));
    await rm(at("rims.md"));
    const embedded = embedder.embedded.length;
    const second = await ingestion.ingestPaths("p", [folder.path]);
    expect(second).toMatchObject({
      changed: [at("moved.md")],
      moved: [{ from: at("spokes.md"), to: at("moved.md") }],
      vanished: [at("rims.md")],
      pruned: 0,
    });
    expect(embedder.embedded).toHaveLength(embedded);
    const found = await store.byMeaning("p", (await embedder.embed(["spokes"], { as: "query" }))[0]!, { limit: 1 });
    expect(found).toHaveLength(1);
    expect((await stored()).map(([path]) => path)).toEqual(["moved.md", "rims.md"]);
    expect(await ingestion.ingestPaths("p", [folder.path], { prune: true })).toMatchObject({ pruned: 1 });
  });

  it("stores each document with its chunks, pages and a key a person can read", async () => {
    await writeFile(
      at("wheels.pdf"),
      makePdf([lines(["On the first page there are some words."]), lines(["On the second page there are others."])], {
        title: "The Art of Wheels",
      }),
    );
    const summary = await ingestion.ingestPaths("p", [folder.path]);

    expect(summary).toMatchObject({ read: 3, unchanged: 0, replaced: 0, pruned: 0, skipped: [], pages: 2 });
    expect(summary.unmatched).toHaveLength(3);
    const pdf = (await store.documents("p")).find(({ kind }) => kind === "pdf")!;
    expect(pdf).toMatchObject({
      title: "The Art of Wheels",
      id: `sha256_${pdf.sha256.slice(0, 16)}`,
      citekey: expect.stringMatching(/wheels/i),
      csl: { title: "The Art of Wheels" },
    });
    const [chunk] = await store.chunks("p", { doc_id: pdf.id });
    expect(chunk).toMatchObject({ page_span: [1, 2], position: 0, citekey: pdf.citekey, title: "The Art of Wheels" });
    const document = await store.document("p", pdf.id);
    expect(document!.text.slice(chunk!.start!, chunk!.end!)).toBe(chunk!.text);
  });

  it("skips what has not changed, without embedding it again", async () => {
    await ingestion.ingestPaths("p", [folder.path]);
    const before = embedder.embedded.length;
    expect(await ingestion.ingestPaths("p", [folder.path])).toMatchObject({ read: 0, unchanged: 2 });
    expect(embedder.embedded.length).toBe(before);
  });

  it("counts two files with the same bytes as one document", async () => {
    await writeFile(at("copy.md"), note("rims"));
    expect(await ingestion.ingestPaths("p", [folder.path])).toMatchObject({ read: 2, unchanged: 1 });
    expect(await store.documents("p")).toHaveLength(2);
  });

  it("replaces what changed and leaves no orphans", async () => {
    await ingestion.ingestPaths("p", [folder.path]);
    await writeFile(at("rims.md"), "# Of rims\n\nShort now.");
    expect(await ingestion.ingestPaths("p", [folder.path])).toMatchObject({ read: 0, replaced: 1, unchanged: 1 });

    const documents = await store.documents("p");
    expect(documents).toHaveLength(2);
    expect(await store.count("p")).toBe(documents.reduce((sum, { chunk_count }) => sum + chunk_count, 0));
    expect(await store.byWords("p", '"about rims"', { limit: 5 })).toEqual([]);
  });

  it("keeps a text that another file still holds when one of its copies changes", async () => {
    await writeFile(at("copy.md"), note("rims"));
    await ingestion.ingestPaths("p", [folder.path]);
    await writeFile(at("copy.md"), note("hubs"));
    await ingestion.ingestPaths("p", [folder.path]);
    expect((await store.documents("p")).map(({ title }) => title).sort()).toEqual(["Of hubs", "Of rims", "Of spokes"]);
  });

  it("cleans up after a run that was killed between the new text and the old", async () => {
    await ingestion.ingestPaths("p", [folder.path]);
    const [old] = (await store.documents("p")).filter(({ title }) => title === "Of rims");
    const record = (await store.document("p", old!.id))!;
    await store.replaceDocument("p", { ...record, id: "sha256_0000000000000000", sha256: "0".repeat(64) }, []);
    await ingestion.ingestPaths("p", [folder.path]);
    expect((await store.documents("p")).map(({ id }) => id)).not.toContain("sha256_0000000000000000");
  });

  it("hashes a new file while it is read, and beforehand only where its bytes may be stored already", async () => {
    expect((await ingestion.ingestPaths("p", [at("rims.md")])).ms).toMatchObject({ hash: 0 });
    await rename(at("rims.md"), at("renamed.md"));
    const summary = await ingestion.ingestPaths("p", [at("renamed.md")]);
    expect(summary.ms.hash).toBeGreaterThan(0);
    expect(await stored()).toEqual([["renamed.md", expect.any(String)]]);
  });

  it("drops a vanished file only when asked to, and never one beside the folder", async () => {
    await mkdir(at("a"));
    await mkdir(at("b"));
    await rename(at("rims.md"), at("a", "rims.md"));
    await rename(at("spokes.md"), at("b", "spokes.md"));
    await ingestion.ingestPaths("p", [at("a"), at("b")]);
    await rm(at("a", "rims.md"));
    await rm(at("b", "spokes.md"));
    expect(await ingestion.ingestPaths("p", [at("a")])).toMatchObject({ pruned: 0 });
    expect(await ingestion.ingestPaths("p", [at("a")], { prune: true })).toMatchObject({ pruned: 1 });
    expect(await stored()).toEqual([["b/spokes.md", expect.any(String)]]);
  });

  it("drops nothing when the folder itself is gone", async () => {
    await ingestion.ingestPaths("p", [folder.path]);
    await rename(folder.path, `${folder.path}-away`);
    const summary = await ingestion.ingestPaths("p", [folder.path], { prune: true });
    await rename(`${folder.path}-away`, folder.path);
    expect(summary).toMatchObject({ pruned: 0, skipped: [{ reason: expect.stringContaining("no such") }] });
    expect(await store.documents("p")).toHaveLength(2);
  });

  it("reports what cannot be read, goes on, and keeps what it had of it", async () => {
    await ingestion.ingestPaths("p", [folder.path]);
    await writeFile(at("rims.md"), "");
    await writeFile(at("scan.pdf"), makePdf([[], []]));
    await writeFile(at("photo.jpg"), "not a document");
    const summary = await ingestion.ingestPaths("p", [folder.path]);
    expect(summary.skipped.map(({ path, reason }) => [path.slice(folder.path.length + 1), reason])).toEqual([
      ["rims.md", "The file is empty."],
      ["scan.pdf", expect.stringContaining("scan without a text layer")],
    ]);
    expect(summary).toMatchObject({ ignored: [at("photo.jpg")], unchanged: 1 });
    expect(await store.documents("p")).toHaveLength(2);
  });

  it("follows links inside the folder and none that lead out of it", async () => {
    const outside = await tempFolder();
    await writeFile(join(outside.path, "secret.md"), note("secrets"));
    await mkdir(at("sub"));
    await symlink(outside.path, at("out"));
    await symlink(join(outside.path, "secret.md"), at("secret.md"));
    await symlink(folder.path, at("sub", "loop"));
    const summary = await ingestion.ingestPaths("p", [folder.path]);
    await outside.remove();
    expect(summary.read).toBe(2);
    expect(summary.skipped.map(({ reason }) => reason)).toEqual(
      Array(2).fill("The link leads out of the folder and was not followed."),
    );
  });

  it.skipIf(process.getuid?.() === 0)("names a file it may not open", async () => {
    await chmod(at("rims.md"), 0);
    expect((await ingestion.ingestPaths("p", [folder.path])).skipped).toHaveLength(1);
  });

  it("reads over MCP only under the roots the owner allowed, links resolved", async () => {
    const outside = await tempFolder();
    await symlink(outside.path, at("out"));
    const fenced = open([folder.path]);
    await expect(open().allowed([folder.path])).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("BOOKWHEEL_INGEST_ROOTS"),
    });
    for (const path of [outside.path, at("out"), at(".."), "/etc/passwd", `${folder.path}-other`])
      await expect(fenced.allowed([path])).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(await fenced.allowed([at("rims.md")])).toEqual([at("rims.md")]);
    await outside.remove();
  });

  it("takes a key from the owner's sidecar file once there is one", async () => {
    expect((await ingestion.ingestPaths("p", [folder.path])).unmatched).toHaveLength(2);
    await writeFile(at("rims.md.bookwheel.json"), JSON.stringify({ citekey: "rimmer1999", tags: ["wheels"] }));
    expect(await ingestion.ingestPaths("p", [folder.path])).toMatchObject({
      replaced: 1,
      unchanged: 1,
      unmatched: [{ path: at("spokes.md") }],
    });
    expect(await stored()).toContainEqual(["rims.md", "rimmer1999"]);
    const [chunk] = await store.chunks("p", {
      doc_id: (await store.documents("p")).find(({ citekey }) => citekey === "rimmer1999")!.id,
    });
    expect(chunk).toMatchObject({ citekey: "rimmer1999", tags: ["wheels"] });
  });

  it("gives two works of one name two keys, and keeps them", async () => {
    await writeFile(at("other.md"), `${note("rims")} Another text.`);
    await ingestion.ingestPaths("p", [folder.path]);
    const keys = await stored();
    expect(new Set(keys.map(([, key]) => key)).size).toBe(3);
    await ingestion.ingestPaths("p", [folder.path]);
    expect(await stored()).toEqual(keys);
  });

  it("reports progress and stops when the signal aborts, leaving only whole documents", async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const running = ingestion.ingestPaths("p", [folder.path], {
      signal: stop.signal,
      progress(done) {
        seen.push(done);
        if (done > 1) stop.abort();
      },
    });
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    expect(seen.at(0)).toBe(0);
    const [document, ...others] = await store.documents("p");
    expect(others).toEqual([]);
    expect(await store.count("p")).toBe(document!.chunk_count);
  });

  it("stores words without vectors, and says so, where the model is missing; and adds them once it is there", async () => {
    const wordless = createIngestion({
      store,
      embedders: { preferred: undefined, unavailable: "No runtime.", get: () => undefined },
      readers,
      openIdentifier: (run) => createIdentifier(run),
    });
    expect((await wordless.ingestPaths("p", [folder.path])).warnings).toEqual([
      { path: "p", warning: expect.stringContaining("No runtime.") },
    ]);
    expect(await ingestion.ingestPaths("p", [folder.path])).toMatchObject({ replaced: 2, warnings: [] });
    expect(await store.byMeaning("p", new Float32Array([1, 0, 0, 0]), { limit: 5 })).not.toEqual([]);
  });

  it("names the projects there are when asked for another", async () => {
    await expect(ingestion.ingestPaths("q", [folder.path])).rejects.toMatchObject({
      code: "INVALID_PROJECT",
      details: { available_projects: ["p"] },
    });
  });

  it("binds a new project to the preferred model and leaves an old one alone", async () => {
    expect(await ingestion.ensureProject("new")).toMatchObject({ id: "new", model: MODEL, hybrid_enabled: true });
    expect(await ingestion.ensureProject("new")).toMatchObject({ id: "new" });
  });
});

describe("ingesting texts", () => {
  it("replaces a text of the same title and skips it when it is the same", async () => {
    const store = memoryChunkStore();
    const ingestion = createIngestion({
      store,
      embedders: wordEmbedders(),
      readers,
      openIdentifier: (run) => createIdentifier(run),
    });
    await ingestion.ensureProject("p");
    expect(await ingestion.ingestTexts("p", [{ title: "Note", text: "First version." }])).toMatchObject({ read: 1 });
    expect(await ingestion.ingestTexts("p", [{ title: "Note", text: "First version." }])).toMatchObject({
      unchanged: 1,
    });
    expect(
      await ingestion.ingestTexts("p", [
        {
          title: "Note",
          text: "Second version.",
          citekey: "me2020",
          csl: { author: [{ family: "Me" }], issued: { "date-parts": [[2020]] } },
          tags: ["own"],
        },
      ]),
    ).toMatchObject({ replaced: 1 });
    expect(await store.documents("p")).toMatchObject([
      {
        title: "Note",
        citekey: "me2020",
        csl: { id: "me2020", title: "Note", author: [{ family: "Me" }], issued: { "date-parts": [[2020]] } },
        kind: "text",
        origin: "text:Note",
      },
    ]);
    expect(await store.count("p")).toBe(1);
  });
});

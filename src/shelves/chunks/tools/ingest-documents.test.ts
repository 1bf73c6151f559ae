import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connected, connect } from "../../../../tests/support/connect.js";
import { tempFolder, wordEmbedders } from "../../../../tests/support/ingest-files.js";
import { html, type Site, startSite } from "../../../../tests/support/local-notebooks.js";
import { memoryChunkStore } from "../../../../tests/support/memory-chunk-store.js";
import { createIdentifier } from "../../../citations/bibliography/identifier.js";
import { createIngestion } from "../../../ingest/ingestion.js";
import { createIngestJobs } from "../../../ingest/jobs.js";
import { createReaderPool } from "../../../ingest/reader-pool.js";
import { createFetcher } from "../../../ingest/web/safe-fetch.js";
import { ingestDocuments } from "./ingest-documents.js";

describe("ingest_documents", () => {
  const readers = createReaderPool();
  const store = memoryChunkStore();
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  let client: Connected;
  let site: Site;
  let pageText = "The tide rises twice a day, and the wheel of the mill turns with it.";
  beforeAll(async () => {
    site = await startSite(({ path }, response) =>
      path.startsWith("/tides")
        ? html(
            response,
            `<article><h1>The Tide Mill</h1><p>${pageText}</p></article>`,
            '<title>The Tide Mill</title><meta name="author" content="Ada Marlowe"><link rel="canonical" href="/tides">',
          )
        : response.writeHead(404).end(),
    );
    folder = await tempFolder();
    await mkdir(join(folder.path, "papers"));
    await writeFile(join(folder.path, "papers", "wheels.md"), "# Wheels\n\nA wheel turns about its axle.");
    await writeFile(join(folder.path, "papers", "empty.txt"), "");
    const ingestion = createIngestion({
      store,
      embedders: wordEmbedders(),
      readers,
      openIdentifier: (run) => createIdentifier(run),
      roots: [join(folder.path, "papers")],
      fetcher: createFetcher({ allowPrivate: true }),
    });
    await ingestion.ensureProject("thesis");
    client = await connect({ services: { ingestion, ingestJobs: createIngestJobs() }, tools: [ingestDocuments] });
  });
  afterAll(async () => {
    await client.close();
    await site.close();
    await readers.close();
    await folder.remove();
  });

  it("reads a folder, tells what it could not read, and how far it is", async () => {
    const seen: number[] = [];
    const answer = await client.call(
      "ingest_documents",
      { project: "thesis", paths: [join(folder.path, "papers")] },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(answer).toEqual({
      read: 1,
      replaced: 0,
      unchanged: 0,
      ignored: 0,
      pruned: 0,
      chunks: 1,
      added: [expect.stringMatching(/wheels\.md$/)],
      changed: [],
      vanished: [],
      ignored_files: [],
      bibliographies: [],
      skipped: [{ path: expect.stringMatching(/empty\.txt$/), reason: "The file is empty." }],
      skipped_count: 1,
      unmatched: [{ path: expect.stringMatching(/wheels\.md$/), citekey: "wheels" }],
      unmatched_count: 1,
      warnings: [],
    });
    expect(seen.length).toBeGreaterThan(0);
  });

  it("reads a web page into citable chunks, keeps its key when it changes, and names what cannot be read", async () => {
    const ingest = (...paths: string[]) => client.call("ingest_documents", { project: "web", paths });
    const page = `${site.url}/tides`;
    expect(await ingest(`${page}?utm_source=mail`, `${site.url}/gone`)).toMatchObject({
      read: 1,
      added: [page],
      skipped: [{ path: `${site.url}/gone`, reason: expect.stringContaining("HTTP 404") }],
    });
    const [before] = await store.documents("web");
    expect(before).toMatchObject({ title: "The Tide Mill", origin: page, csl: { URL: page } });
    expect(await ingest(page)).toMatchObject({ read: 0, unchanged: 1 });

    pageText = "The tide rises twice a day, and the mill stands still.";
    expect(await ingest(page)).toMatchObject({ replaced: 1, changed: [page], skipped: [] });
    const after = await store.documents("web");
    expect(after).toHaveLength(1);
    expect(after[0]?.citekey).toBe(before?.citekey);
    const [chunk] = await store.chunks("web", { doc_id: after[0]!.id });
    expect(chunk).toMatchObject({ url: page, text: expect.stringContaining("stands still") });
  });

  it("fetches nothing of a private network where that is not allowed", async () => {
    const closed = createIngestion({
      store,
      embedders: wordEmbedders(),
      readers,
      openIdentifier: (run) => createIdentifier(run),
    });
    const asked = site.requests.length;
    const { skipped } = await closed.ingestPages("thesis", [`${site.url}/tides`]);
    expect(skipped).toEqual([
      { path: `${site.url}/tides`, reason: expect.stringContaining("leads into a private network") },
    ]);
    expect(site.requests).toHaveLength(asked);
  });

  it("takes text that is handed over", async () => {
    expect(
      await client.call("ingest_documents", {
        project: "thesis",
        texts: [{ title: "A note", text: "Axles need grease." }],
      }),
    ).toMatchObject({ read: 1, chunks: 1 });
    expect((await store.documents("thesis")).map(({ title }) => title)).toContain("A note");
  });

  it("knows author and year of a text that is handed over, and makes its key of them", async () => {
    await client.call("ingest_documents", {
      project: "thesis",
      texts: [
        { title: "On Axles", text: "An axle carries a wheel.", author: "Ada Lovelace and Charles Babbage", year: 1843 },
      ],
    });
    expect((await store.documents("thesis")).find(({ title }) => title === "On Axles")).toMatchObject({
      citekey: "lovelaceAxles1843",
      csl: {
        author: [
          { family: "Lovelace", given: "Ada" },
          { family: "Babbage", given: "Charles" },
        ],
        issued: { "date-parts": [[1843]] },
      },
    });
  });

  it("says how the owner allows a folder it may not read", async () => {
    expect(await client.call("ingest_documents", { project: "thesis", paths: [folder.path] })).toMatchObject({
      error: { code: "INVALID_INPUT", message: expect.stringContaining("BOOKWHEEL_INGEST_ROOTS") },
    });
  });

  it("says which folders it may read when nothing is given, and makes the project it is to fill", async () => {
    expect(await client.call("ingest_documents", { project: "thesis" })).toMatchObject({
      error: { code: "INVALID_INPUT", details: { allowed_roots: [join(folder.path, "papers")] } },
    });
    expect(
      await client.call("ingest_documents", { project: "other", texts: [{ title: "A", text: "b" }] }),
    ).toMatchObject({ read: 1 });
    expect(await store.project("other")).toBeDefined();
  });
});

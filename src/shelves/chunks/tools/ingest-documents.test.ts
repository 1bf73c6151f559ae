import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connected, connect } from "../../../../tests/support/connect.js";
import { tempFolder, wordEmbedders } from "../../../../tests/support/ingest-files.js";
import { createIdentifier } from "../../../citations/bibliography/identifier.js";
import { createIngestion } from "../../../ingest/ingestion.js";
import { createIngestJobs } from "../../../ingest/jobs.js";
import { createReaderPool } from "../../../ingest/reader-pool.js";
import { memoryChunkStore } from "../stores/memory.js";
import { ingestDocuments } from "./ingest-documents.js";

describe("ingest_documents", () => {
  const readers = createReaderPool();
  const store = memoryChunkStore();
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  let client: Connected;
  beforeAll(async () => {
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
    });
    await ingestion.ensureProject("thesis");
    client = await connect({ services: { ingestion, ingestJobs: createIngestJobs() }, tools: [ingestDocuments] });
  });
  afterAll(async () => {
    await client.close();
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

  it("takes text that is handed over", async () => {
    expect(
      await client.call("ingest_documents", {
        project: "thesis",
        texts: [{ title: "A note", text: "Axles need grease." }],
      }),
    ).toMatchObject({ read: 1, chunks: 1 });
    expect((await store.documents("thesis")).map(({ title }) => title)).toContain("A note");
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

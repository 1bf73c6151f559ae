import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Connected, connect } from "../../../../tests/support/connect.js";
import { tempFolder, wordEmbedders } from "../../../../tests/support/ingest-files.js";
import { memoryChunkStore } from "../../../../tests/support/memory-chunk-store.js";
import { createIdentifier } from "../../../citations/bibliography/identifier.js";
import { createCitations } from "../../../citations/citations.js";
import { createRecords } from "../../../citations/records.js";
import { createIngestion } from "../../../ingest/ingestion.js";
import { createIngestJobs } from "../../../ingest/jobs.js";
import { createReaderPool } from "../../../ingest/reader-pool.js";
import type { ChunkStore } from "../chunk-store.js";
import { createRetrieval } from "../retrieval.js";
import { cite } from "./cite.js";
import { ingestDocuments } from "./ingest-documents.js";
import { inspectCollection } from "./inspect-collection.js";
import { queryHybrid } from "./query-hybrid.js";
import { updateDocumentRecord } from "./update-document-record.js";

const BOOK = `---
title: Walden
author: Chuck
date: 2014
---

# Economy

Produced for Project Gutenberg. The mass of men lead lives of quiet desperation.
`;

describe("update_document_record", () => {
  const readers = createReaderPool();
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  let store: ChunkStore;
  let client: Connected;
  const project = "thesis";
  beforeAll(async () => {
    folder = await tempFolder();
  });
  beforeEach(async () => {
    await writeFile(join(folder.path, "walden.md"), BOOK);
    store = memoryChunkStore();
    const embedders = wordEmbedders();
    const ingestion = createIngestion({
      store,
      embedders,
      readers,
      openIdentifier: (run) => createIdentifier(run),
      roots: [folder.path],
    });
    client = await connect({
      services: {
        ingestion,
        ingestJobs: createIngestJobs(),
        retrieval: createRetrieval({ store, embedders }),
        citations: createCitations({ store }),
        records: createRecords({ store }),
      },
      tools: [ingestDocuments, inspectCollection, queryHybrid, cite, updateDocumentRecord],
    });
    await client.call("ingest_documents", { project, paths: [folder.path] });
    return () => client.close();
  });
  afterAll(async () => {
    await readers.close();
    await folder.remove();
  });
  const documents = async () =>
    ((await client.call("inspect_collection", { project, documents: true })) as { documents: object[] }).documents;
  const correction = {
    project,
    source: "Walden",
    author: "Henry David Thoreau",
    year: 1854,
    publisher: "Ticknor and Fields",
    key: "thoreau1854",
  };

  it("finds a wrong author and year flagged, with where each field came from", async () => {
    expect(await documents()).toEqual([
      expect.objectContaining({
        title: "Walden",
        author: "Chuck",
        year: 2014,
        path: expect.stringMatching(/walden\.md$/),
        added_at: expect.any(String),
        fields_from: { title: "file", author: "file", year: "file", key: "made up" },
        suspicious: [expect.objectContaining({ field: "author", value: "Chuck" })],
      }),
    ]);
    expect(await client.call("cite", { project, sources: ["Walden"] })).toMatchObject({
      suspicious: [
        { field: "author", value: "Chuck" },
        { field: "year", value: "2014" },
      ],
    });
  });

  it("corrects the record everywhere: lists, hits and citations; the old key still finds it", async () => {
    expect(await client.call("update_document_record", correction)).toMatchObject({
      documents: [
        {
          citekey: "thoreau1854",
          author: "Henry David Thoreau",
          year: 1854,
          fields_from: {
            title: "file",
            author: "corrected",
            year: "corrected",
            publisher: "corrected",
            key: "corrected",
          },
        },
      ],
    });
    expect(await documents()).not.toEqual([expect.objectContaining({ suspicious: expect.anything() })]);
    expect(await client.call("query_hybrid", { project, query: "quiet desperation" })).toMatchObject({
      items: [{ citekey: "thoreau1854", year: 1854, author: "Henry David Thoreau" }],
    });
    expect(await client.call("cite", { project, sources: ["thoreau1854, p. 8"], style: "apa" })).toMatchObject({
      citation: "(Thoreau, 1854, p. 8)",
      suspicious: [],
    });
  });

  it("keeps the correction when the file is read again, unchanged or changed", async () => {
    await client.call("update_document_record", correction);
    expect(await client.call("ingest_documents", { project, paths: [folder.path] })).toMatchObject({ unchanged: 1 });
    await writeFile(join(folder.path, "walden.md"), `${BOOK}\nSimplify, simplify.\n`);
    expect(await client.call("ingest_documents", { project, paths: [folder.path] })).toMatchObject({ replaced: 1 });
    expect(await documents()).toEqual([
      expect.objectContaining({ citekey: "thoreau1854", author: "Henry David Thoreau", year: 1854, chunk_count: 1 }),
    ]);
    expect(await client.call("ingest_documents", { project, paths: [folder.path] })).toMatchObject({ unchanged: 1 });
  });

  it("refuses a key that another work has, and a source that is not there", async () => {
    await client.call("ingest_documents", { project, texts: [{ title: "Tides", text: "The moon pulls first." }] });
    expect(await client.call("update_document_record", { project, source: "Walden", key: "tides" })).toMatchObject({
      error: { code: "INVALID_INPUT", message: expect.stringContaining("'Tides'"), recoverable: true },
    });
    expect(await client.call("update_document_record", { project, source: "Emma", year: 1815 })).toMatchObject({
      error: { code: "NOT_FOUND" },
    });
    expect(await client.call("update_document_record", { project, source: "Walden" })).toMatchObject({
      error: { code: "INVALID_INPUT", message: expect.stringContaining("nothing to correct") },
    });
  });
});

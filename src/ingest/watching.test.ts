import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tempFolder, wordEmbedder, wordEmbedders } from "../../tests/support/ingest-files.js";
import { memoryChunkStore } from "../../tests/support/memory-chunk-store.js";
import { createIdentifier } from "../citations/bibliography/identifier.js";
import { createIngestion } from "./ingestion.js";
import { createReaderPool } from "./reader-pool.js";
import { watchFolders } from "./watching.js";

const note = (about: string) => `# Of ${about}\n\n${`A sentence about ${about}, and one more. `.repeat(10)}\n`;

describe("a watched folder", () => {
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  let stop: AbortController;
  let ended: Promise<void>;
  let lines: string[];
  const store = memoryChunkStore();
  const readers = createReaderPool();
  const at = (...parts: string[]) => join(folder.path, ...parts);
  const ingestion = createIngestion({
    store,
    embedders: wordEmbedders(wordEmbedder()),
    readers,
    openIdentifier: (run) => createIdentifier(run),
  });
  const origins = async () =>
    (await store.documents("p")).map(({ origin }) => origin?.slice(folder.path.length + 1)).sort();
  const said = (line: string) => vi.waitFor(() => expect(lines).toContain(line), { timeout: 30_000, interval: 50 });

  beforeEach(async () => {
    folder = await tempFolder();
    await mkdir(at("docs"));
    stop = new AbortController();
    lines = [];
  });
  afterEach(async () => {
    stop.abort();
    await ended;
    await readers.close();
    await folder.remove();
  });

  it("keeps its project in step: added, changed, moved and removed, a line each", { timeout: 120_000 }, async () => {
    await writeFile(at("docs", "spokes.md"), note("spokes"));
    ended = watchFolders([{ project: "p", paths: [at("docs")] }], {
      ingestion,
      say: (project, line) => lines.push(`${project} ${line.replaceAll(folder.path, "")}`),
      signal: stop.signal,
      quietMs: 100,
      againMs: 2000,
    });
    await said("p added /docs/spokes.md");
    await writeFile(at("docs", "rims.md"), note("rims"));
    await said("p added /docs/rims.md");
    await writeFile(at("docs", "rims.md"), note("rims and tyres"));
    await said("p changed /docs/rims.md");
    await mkdir(at("docs", "wood"));
    await rename(at("docs", "spokes.md"), at("docs", "wood", "oak.md"));
    await said("p moved /docs/spokes.md to /docs/wood/oak.md");
    await rm(at("docs", "rims.md"));
    await said("p removed /docs/rims.md");
    expect(await origins()).toEqual(["docs/wood/oak.md"]);

    // A disk that is not there looks like an empty folder.
    await rename(at("docs", "wood"), at("elsewhere"));
    await vi.waitFor(() => expect(lines.at(-1)).toMatch(/nothing is left .*--prune/), { timeout: 30_000 });
    expect(await origins()).toEqual(["docs/wood/oak.md"]);
  });
});

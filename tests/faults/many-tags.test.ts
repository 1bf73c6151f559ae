import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { HEAPS } from "../../bench/soak.mjs";
import { Library } from "../../sandbox/readwise/library.js";
import { startReadwiseSandbox } from "../../sandbox/readwise/server.js";
import type { Program } from "../support/program.js";
import { callProgram, chunkCount, items, PROJECT, serveFrom } from "./program-calls.js";

const KEY = "tags-readwise-key";
const MILLION = 1_000_000;
/** Half a minute: for `make faults`. */
const skipped = process.env.BOOKWHEEL_KILLS === undefined;
if (skipped) console.log("skipped: a million tags (make faults tries them)");

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean();
});

/** With the heap and the cache that the image sets. */
async function serve(env: Record<string, string> = {}): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "bookwheel-tags-"));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  const program = await serveFrom(folder, { NODE_OPTIONS: HEAPS.image, CACHE_MAX_SIZE_MB: "48", ...env });
  cleanUp.push(() => program.stop());
  return program;
}

it.skipIf(skipped)("a million tags on chunks are stored, searched by and deleted", { timeout: 240_000 }, async () => {
  const [batch, tags] = [500, 250];
  const { url, child } = await serve();
  await callProgram(url, "create_project", { project: PROJECT });
  for (let from = 0; from < MILLION; from += batch * tags) {
    const some = items(`t${from}`, batch, 5).map((item, i) => ({
      ...item,
      embedding: item.embedding.map((value) => Math.round(value * 100)),
      metadata: { tags: Array.from({ length: tags }, (_, t) => `tag ${from + i * tags + t}`) },
    }));
    expect(await callProgram(url, "store_chunks", { project: PROJECT, items: some })).toMatchObject({
      chunks_added: batch,
    });
  }
  const chunks = await chunkCount(url);
  expect(chunks * tags).toBe(MILLION);
  for (const tag of [0, MILLION / 2, MILLION - 1]) {
    const { items: found } = (await callProgram(url, "query_hybrid", {
      project: PROJECT,
      query: "item",
      filters: { tags: [`tag ${tag}`] },
    })) as unknown as { items: { id: string }[] };
    const from = Math.floor(tag / (batch * tags)) * batch * tags;
    expect(found.map(({ id }) => id)).toEqual([`t${from}-${Math.floor((tag - from) / tags)}`]);
  }
  expect((await callProgram(url, "delete_project", { project: PROJECT, chunks })).error).toBeUndefined();
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  expect(child.exitCode).toBeNull();
});

it.skipIf(skipped).each([
  [2_000, 500],
  [400, 2_500],
])(
  "a Reader library of %i documents with %i tags each is filtered by one of them, or refused in words",
  {
    timeout: 240_000,
  },
  async (documents, tags) => {
    const library = new Library("tags");
    for (let i = 0; i < documents; i++)
      library.addDocument(
        {
          category: "article",
          title: `Document ${i}`,
          source_url: `https://a.example/${i}`,
          location: "new",
          tags: Array.from({ length: tags }, (_, t) => `tag ${i * tags + t}`),
        },
        Date.now() - 86_400_000,
      );
    const sandbox = await startReadwiseSandbox({ libraries: { [KEY]: library }, limits: false });
    cleanUp.push(() => sandbox.close());
    const { url, child } = await serve({
      BOOKWHEEL_SHELVES: "readwise",
      READWISE_API_URL: sandbox.url,
      READWISE_PROFILES: "all",
    });
    const args = { filter: 'tag:"tag 999999"' };
    const found = await callProgram(url, "list_documents", args, { "x-readwise-token": KEY });
    if (found.error)
      expect(found.error).toMatchObject({ code: "upstream_error", message: expect.stringMatching(/MiB/) });
    else expect(JSON.stringify(found)).toContain(`Document ${documents - 1}`);
    expect(child.exitCode).toBeNull();
  },
);

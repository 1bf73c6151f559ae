import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Library as Account } from "../../../../sandbox/readwise/library.js";
import { type ReadwiseSandbox, startReadwiseSandbox } from "../../../../sandbox/readwise/server.js";
import { NOON } from "../../../../tests/support/readwise.js";
import { httpReadwise } from "../backends/http.js";
import { createReadwiseShelf, type Library } from "../library/library.js";
import { memoryCacheStore } from "./stores/memory.js";

const { signal } = new AbortController();
const KEYS = ["ann", "ben", "cyd"] as const;
type Key = (typeof KEYS)[number];

/** One simulator for every run, each run with its own libraries: starting servers would take most of the time. */
let sandbox: ReadwiseSandbox;
beforeAll(async () => {
  sandbox = await startReadwiseSandbox({
    limits: false,
    exportPageSize: 2,
    libraries: Object.fromEntries(KEYS.map((key) => [key, () => new Account(key)])),
  });
});
afterAll(() => sandbox.close());

function shelfFor(maxBytes: number, ttlMs = 300_000) {
  let now = NOON;
  const clock = () => now;
  sandbox.reset();
  sandbox.setClock(clock);
  const shelf = createReadwiseShelf({
    api: httpReadwise({ baseUrl: sandbox.url, timeoutMs: 10_000 }),
    cache: { enabled: true, maxBytes, ttlMs },
    store: memoryCacheStore,
    clock,
  });
  return {
    shelf,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

/** Every write names its key's holder, so that two holders' writes differ. */
const wordOf = (key: Key) => `${key}words`;

const step = fc.record({
  key: fc.constantFrom(...KEYS),
  what: fc.constantFrom(
    "create",
    "update",
    "delete",
    "tag",
    "save",
    "deleteDocument",
    "search",
    "searchDocuments",
    "sources",
    "export",
    "expire",
    "wait",
    "crowd",
  ),
  pick: fc.nat(20),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

it("never shows one key's data to another, whatever is read, written, evicted and expired in between", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 }),
      fc.constantFrom(2_000, 40_000, 10_000_000),
      async (rounds, maxBytes) => {
        const { shelf, advance } = shelfFor(maxBytes);
        const highlights = new Map<Key, Map<number, string>>(KEYS.map((key) => [key, new Map()]));
        const documents = new Map<Key, string[]>(KEYS.map((key) => [key, []]));

        async function take({ key, what, pick }: Step): Promise<void> {
          const mine: Library = shelf.forKey(key);
          const own = highlights.get(key)!;
          const id = [...own.keys()][pick % Math.max(1, own.size)];
          const kept = documents.get(key)!;
          if (what === "create") {
            const made = await mine.writing.createHighlight(
              { text: `${wordOf(key)} ${pick}`, source_title: `Book ${pick % 3}` },
              signal,
            );
            own.set(made.id!, made.text!);
          } else if (what === "update" && id !== undefined) {
            await mine.writing.updateHighlight(String(id), { note: `${wordOf(key)} noted ${pick}` }, signal);
          } else if (what === "delete" && id !== undefined) {
            own.delete(id);
            await mine.writing.deleteHighlight(String(id), signal);
          } else if (what === "tag" && id !== undefined)
            await mine.writing.addTag("highlight", String(id), wordOf(key), signal);
          else if (what === "save") {
            const { id: saved, created } = await mine.writing.saveDocument(
              { url: `https://${key}.example/${pick}`, title: wordOf(key) },
              signal,
            );
            if (created) kept.push(saved);
          } else if (what === "deleteDocument" && kept.length > 0)
            await mine.writing.deleteDocument(kept.shift()!, signal);
          else if (what === "search") await mine.searching.searchHighlights({ query: wordOf(key), limit: 50 }, signal);
          else if (what === "searchDocuments")
            await mine.searching.searchDocuments({ query: wordOf(key), limit: 50 }, signal);
          else if (what === "sources") await mine.highlights.listSources({ page: 1, page_size: 10 }, undefined, signal);
          else if (what === "export") await mine.exporting.exportHighlights({ limit: 100 }, 20_000, signal);
          else if (what === "expire") advance(300_001);
          else if (what === "wait") advance(31_000);
          else if (what === "crowd")
            await mine.highlights.listHighlights({ page: 1, page_size: 10 }, undefined, signal);
        }

        for (const round of rounds) {
          // Two steps on the same key may race for the same highlight; two keys may not race for anything.
          const apart = round.filter((one, i) => round.findIndex(({ key }) => key === one.key) === i);
          await Promise.all(apart.map(take));
          for (const key of KEYS) {
            const mine = shelf.forKey(key);
            const found = await mine.searching.searchHighlights(
              { query: KEYS.map(wordOf).join(" "), limit: 200 },
              signal,
            );
            expect(found.results.map(({ highlight }) => highlight.id).sort()).toEqual(
              [...highlights.get(key)!.keys()].sort(),
            );
            for (const { highlight } of found.results) expect(highlight.text).toContain(wordOf(key));
            const saved = await mine.searching.searchDocuments(
              { query: KEYS.map(wordOf).join(" "), limit: 200 },
              signal,
            );
            expect(saved.results.map(({ document }) => document.id).sort()).toEqual([...documents.get(key)!].sort());
            const sources = await mine.highlights.listSources({ page: 1, page_size: 100 }, undefined, signal);
            const counted = sources.results.reduce((sum, { highlight_count }) => sum + (highlight_count ?? 0), 0);
            expect(counted).toBe(highlights.get(key)!.size);
          }
          expect(shelf.stats().bytes).toBeLessThanOrEqual(maxBytes);
        }
        await shelf.close();
      },
    ),
    { numRuns: 25 },
  );
}, 120_000);

it("does not grow by changing the same thing again and again", async () => {
  const { shelf, advance } = shelfFor(10_000_000);
  const mine = shelf.forKey("ann");
  const { id } = await mine.writing.createHighlight(
    { text: "Water keeps no straight lines.", source_title: "Tides" },
    signal,
  );
  for (let round = 0; round < 700; round++) {
    advance(1000);
    await mine.writing.updateHighlight(String(id), { note: `round${round} ${"and so on ".repeat(200)}` }, signal);
    expect(await mine.searching.searchHighlights({ query: `round${round}`, limit: 5 }, signal)).toMatchObject({
      count: 1,
      searched: 1,
    });
  }
  expect(shelf.stats().bytes).toBeLessThan(900_000);
}, 120_000);

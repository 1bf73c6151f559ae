import { afterEach, describe, expect, it } from "vitest";
import { type ReadwiseSandbox, startReadwiseSandbox } from "../../sandbox/readwise/server.js";
import { httpReadwise } from "../../src/shelves/readwise/backends/http.js";
import { memoryCacheStore } from "../../src/shelves/readwise/cache/stores/memory.js";
import { createReadwiseShelf } from "../../src/shelves/readwise/library/library.js";
import { type Connected, connect } from "../support/connect.js";
import { readwiseTools } from "../support/readwise.js";
import { smallLibrary } from "../support/small-library.js";
import { type BadWire, badWire, type Trouble } from "./bad-wire.js";

const KEY = "faults-readwise-key";
const HONEST = ["upstream_error", "timeout", "rate_limited"];
const TROUBLES: Record<string, Trouble> = {
  "a wire that delays": { kind: "delay", ms: 900 },
  "a wire that is cut before an answer": { kind: "cut", afterBytes: 0 },
  "a wire that is cut in the head of an answer": { kind: "cut", afterBytes: 40 },
  "a wire that is cut in the body of an answer": { kind: "cut", afterBytes: 400 },
  "a wire that corrupts": { kind: "corrupt" },
  "a wire that trickles": { kind: "throttle", bytes: 40, everyMs: 60 },
  "a host that refuses": { kind: "refuse" },
};
const READS: [tool: string, args: Record<string, unknown>][] = [
  ["list_sources", {}],
  ["list_highlights", {}],
  ["export_highlights", {}],
  ["search_highlights", { query: "water" }],
  ["list_documents", {}],
  ["list_reader_tags", {}],
];

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function setUp(): Promise<{ sandbox: ReadwiseSandbox; wire: BadWire; client: Connected }> {
  const sandbox = await startReadwiseSandbox({ libraries: { [KEY]: smallLibrary().library }, limits: false });
  const wire = await badWire(sandbox.url);
  const shelf = createReadwiseShelf({
    // Short while nothing answers, so that the test ends; long while a slow machine has to answer.
    api: (key) => httpReadwise({ baseUrl: wire.url, timeoutMs: wire.trouble.kind === "none" ? 60_000 : 300 })(key),
    cache: { enabled: true, maxBytes: 16 * 1024 * 1024, ttlMs: 300_000 },
    store: memoryCacheStore,
  });
  const client = await connect({ services: { readwise: shelf }, tools: await readwiseTools(), readwiseKey: KEY });
  closing.push(
    () => sandbox.close(),
    () => wire.close(),
    () => shelf.close(),
    () => client.close(),
  );
  return { sandbox, wire, client };
}

describe.each(Object.entries(TROUBLES))("%s", (_name, trouble) => {
  it("is reported as what it is, and leaves nothing wrong behind", { timeout: 60_000 }, async () => {
    const healthy = await setUp();
    const { wire, client } = await setUp();
    wire.trouble = trouble;
    for (const [tool, args] of READS) {
      const answer = (await client.call(tool, args)) as { error?: { code: string; recoverable: boolean } };
      expect(HONEST, `${tool}: ${JSON.stringify(answer).slice(0, 300)}`).toContain(answer.error?.code);
      expect(answer.error?.recoverable).toBe(true);
    }
    wire.trouble = { kind: "none" };
    // Two servers asked upstream at two moments.
    const atAnyMoment = (answer: Record<string, unknown>) => ({ ...answer, as_of: "some moment" });
    for (const [tool, args] of READS)
      expect(atAnyMoment(await client.call(tool, args)), tool).toEqual(
        atAnyMoment(await healthy.client.call(tool, args)),
      );
  });

  it("never loses a write that was acknowledged, nor makes it twice", { timeout: 60_000 }, async () => {
    const { sandbox, wire, client } = await setUp();
    const acknowledged: string[] = [];
    for (let i = 0; i < 6; i++) {
      wire.trouble = i % 2 ? trouble : { kind: "none" };
      const text = `A line about the sea, number ${i}.`;
      const made = await client.call("create_highlight", { text, source_title: "Lines" });
      if (made.error) expect(HONEST).toContain((made.error as { code: string }).code);
      else acknowledged.push(text);
    }
    const there = [...sandbox.state(KEY).highlights.values()].map(({ text }) => text);
    expect(acknowledged.length).toBeGreaterThanOrEqual(3);
    for (const text of acknowledged) expect(there).toContain(text);
    expect(new Set(there).size).toBe(there.length);
    wire.trouble = { kind: "none" };
    const { results } = (await client.call("search_highlights", { query: "line about the sea", limit: 50 })) as {
      results: unknown;
    };
    for (const text of acknowledged) expect(JSON.stringify(results)).toContain(text);
  });
});

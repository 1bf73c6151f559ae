import { describe, expect, it } from "vitest";
import type { SyncSummary } from "../ingest/sync/summary.js";
import type { SyncOptions } from "../ingest/sync/sync.js";
import { type SyncDeps, syncCommand } from "./sync.js";

const NOTHING = { added: 0, updated: 0, unchanged: 0, removed: 0 };

function setUp(summary: Partial<SyncSummary> = {}) {
  const printed: string[] = [];
  const complained: string[] = [];
  const drawn: string[] = [];
  const asked: unknown[] = [];
  const deps: SyncDeps = {
    print: (line) => printed.push(line),
    complain: (line) => complained.push(line),
    terminal: { write: (text) => drawn.push(text), columns: 60 },
    readwise: {} as SyncDeps["readwise"],
    ingestion: {
      ensureProject: async (id) => ({ id }) as Awaited<ReturnType<SyncDeps["ingestion"]["ensureProject"]>>,
    },
    librarySync: {
      async sync(project: string, _library: unknown, { include, progress }: SyncOptions = {}) {
        asked.push([project, include]);
        progress?.(2, undefined, "A Field Guide\x1b[31m to Tides");
        progress?.(3, 6, "How salt travels");
        return {
          project,
          complete: true,
          highlights: NOTHING,
          documents: NOTHING,
          chunks: 0,
          skipped: [],
          warnings: [],
          stopped: null,
          left: [],
          ...summary,
        };
      },
    },
  };
  return { deps, printed, complained, drawn, asked };
}

describe("bookwheel sync", () => {
  it("draws how far it is, and says in the end what it did", async () => {
    const { deps, printed, drawn, asked } = setUp({
      chunks: 40,
      highlights: { ...NOTHING, added: 3, removed: 1 },
      documents: { ...NOTHING, unchanged: 2 },
    });
    expect(await syncCommand({ positionals: ["reading"] }, deps)).toBe(0);
    expect(asked).toEqual([["reading", "both"]]);
    expect(drawn.slice(0, 2)).toEqual([
      "\r\x1b[2K2 A Field Guide?[31m to Tides",
      "\r\x1b[2K████████████░░░░░░░░░░░░ 3/6 How salt travels",
    ]);
    expect(printed[0]).toMatch(/^reading: 40 chunks written in \d+\.\d s\.$/);
    expect(printed.slice(1)).toEqual([
      "  highlights  3 new sources, 1 gone",
      "  documents   nothing new, 2 documents as before",
    ]);
  });

  it("ends with 1 when something is left, and says when to go on", async () => {
    const { deps, printed } = setUp({
      complete: false,
      stopped: "Readwise throttles this key for 600 s.",
      left: ["about 120 documents"],
      retry_after: 600,
    });
    expect(await syncCommand({ positionals: ["reading"] }, deps)).toBe(1);
    expect(printed.at(-1)).toBe(
      "Readwise throttles this key for 600 s. Left: about 120 documents. Run it again in 600 s to go on from here.",
    );
  });

  it("is silent on a pipe but for the answer, also as JSON", async () => {
    const { deps, printed, drawn } = setUp();
    expect(await syncCommand({ positionals: ["reading"], json: true }, { ...deps, terminal: undefined })).toBe(0);
    expect(drawn).toEqual([]);
    expect(JSON.parse(printed.join("\n"))).toMatchObject({ complete: true });
  });

  it("ends quietly when it is stopped by hand", async () => {
    const { deps, complained } = setUp();
    const stopping = new AbortController();
    const sync: SyncDeps["librarySync"]["sync"] = async (_project, _library, options) => {
      stopping.abort();
      options?.signal?.throwIfAborted();
      throw new Error("not reached");
    };
    const stopped = { ...deps, librarySync: { sync }, signal: stopping.signal };
    expect(await syncCommand({ positionals: ["reading"] }, stopped)).toBe(1);
    expect(complained).toEqual([expect.stringContaining("run it again")]);
  });

  it("asks for what is missing, and refuses what it does not know", async () => {
    const { deps, complained } = setUp();
    expect(await syncCommand({ positionals: [] }, deps)).toBe(2);
    expect(await syncCommand({ positionals: ["reading"], include: "books" }, deps)).toBe(2);
    expect(complained).toEqual([expect.stringContaining("bookwheel sync reading"), expect.stringContaining("'books'")]);
  });
});

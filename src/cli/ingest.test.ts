import { describe, expect, it } from "vitest";
import type { IngestOptions } from "../ingest/ingest-run.js";
import { emptySummary, type IngestSummary } from "../ingest/summary.js";
import { progressBar } from "./console.js";
import { type IngestDeps, ingestCommand } from "./ingest.js";

function setUp(summary: Partial<IngestSummary> = {}) {
  const printed: string[] = [];
  const complained: string[] = [];
  const drawn: string[] = [];
  const made: string[] = [];
  const asked: unknown[] = [];
  const deps: IngestDeps = {
    print: (line) => printed.push(line),
    complain: (line) => complained.push(line),
    terminal: { write: (text) => drawn.push(text), columns: 60 },
    ingestion: {
      async ensureProject(id) {
        made.push(id);
        return {} as Awaited<ReturnType<IngestDeps["ingestion"]["ensureProject"]>>;
      },
      async ingestPaths(project, paths, options) {
        asked.push([project, paths, options?.prune]);
        options?.progress?.(1, 4, "wheels\x1b[31m.pdf");
        return { ...emptySummary(), ...summary };
      },
      async ingestPages(project, addresses) {
        asked.push([project, addresses]);
        return { ...emptySummary(), ...summary };
      },
    },
  };
  return { deps, printed, complained, drawn, made, asked };
}

describe("bookwheel ingest", () => {
  it("makes the project where it is missing, draws a bar, and says in the end what it did", async () => {
    const { deps, printed, drawn, made, asked } = setUp({
      read: 3,
      unchanged: 1,
      chunks: 120,
      pages: 40,
      unmatched: [{ path: "/b/wheels.pdf", citekey: "wheels" }],
    });
    expect(await ingestCommand({ positionals: ["thesis", "/b"], prune: true }, deps)).toBe(0);

    expect(made).toEqual(["thesis"]);
    expect(asked).toEqual([["thesis", ["/b"], true]]);
    expect(drawn[0]).toBe("\r\x1b[2K██████░░░░░░░░░░░░░░░░░░ 1/4 wheels?[31m.pdf");
    expect(drawn.at(-1)).toBe("\r\x1b[2K");
    expect(printed[0]).toMatch(/^thesis: 3 read, 1 unchanged; 120 chunks from 40 pages in \d+\.\d s\.$/);
    expect(printed).toContain("  made up   @wheels for /b/wheels.pdf");
  });

  it("ends with 1 when a file could not be read, and names it with the reason", async () => {
    const { deps, printed } = setUp({
      skipped: [{ path: "/b/scan.pdf", reason: "The PDF is a scan without a text layer." }],
    });
    expect(await ingestCommand({ positionals: ["thesis", "/b"] }, deps)).toBe(1);
    expect(printed).toContain("  skipped   /b/scan.pdf: The PDF is a scan without a text layer.");
  });

  it("reads web pages beside files", async () => {
    const { deps, asked } = setUp({ read: 1 });
    const page = "https://example.org/tides";
    expect(await ingestCommand({ positionals: ["thesis", page, "/b"] }, deps)).toBe(0);
    expect(asked).toEqual([
      ["thesis", ["/b"], false],
      ["thesis", [page]],
    ]);
  });

  it("is silent on a pipe but for the answer, also as JSON", async () => {
    const { deps, printed, drawn } = setUp({ read: 1 });
    expect(await ingestCommand({ positionals: ["thesis", "/b"], json: true }, { ...deps, terminal: undefined })).toBe(
      0,
    );
    expect(drawn).toEqual([]);
    expect(JSON.parse(printed.join("\n"))).toMatchObject({ read: 1 });
  });

  it("says what it kept when Ctrl+C stops it, and how to go on", async () => {
    const { deps, complained } = setUp();
    const stop = new AbortController();
    const ingestion = {
      ...deps.ingestion,
      async ingestPaths(_project: string, _paths: readonly string[], options: IngestOptions = {}) {
        Object.assign(options.summary!, { read: 2, chunks: 40 });
        stop.abort();
        throw stop.signal.reason;
      },
    };
    const request = { positionals: ["thesis", "/my papers"] };
    expect(await ingestCommand(request, { ...deps, ingestion, signal: stop.signal })).toBe(130);
    expect(complained).toEqual([
      "Stopped. Kept: 2 documents read, 0 replaced, 0 unchanged; 40 chunks. The document in work is not stored. Go on with: bookwheel ingest thesis '/my papers'",
    ]);
  });

  it("says how long it will take once it knows", () => {
    const drawn: string[] = [];
    let now = 0;
    const bar = progressBar({ write: (text) => drawn.push(text), columns: 100 }, () => now);
    bar.show(0, 10, "a.pdf");
    now = 60_000;
    bar.show(2.5, 10, "c.pdf, page 40 of 120");
    expect(drawn.map((line) => line.slice(5))).toEqual([
      "░░░░░░░░░░░░░░░░░░░░░░░░ 0/10 a.pdf",
      "██████░░░░░░░░░░░░░░░░░░ 2/10 3 min left, c.pdf, page 40 of 120",
    ]);
  });

  it("asks for what is missing", async () => {
    const { deps, complained } = setUp();
    expect(await ingestCommand({ positionals: ["thesis"] }, deps)).toBe(2);
    expect(complained[0]).toContain("bookwheel ingest thesis");
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connected, connect } from "../../../tests/support/connect.js";
import { type LocalNotebooks, openLocalNotebooks, WITHOUT_MODEL } from "../../../tests/support/local-notebooks.js";
import { memoryChunkStore } from "../../../tests/support/memory-chunk-store.js";
import type { DoorName } from "../../catalog/doors.js";
import type { ProfileName } from "../../catalog/profiles.js";
import { createCitations } from "../../citations/citations.js";
import { createRetrieval } from "../chunks/retrieval.js";
import { memoryRateLimiter } from "./limits/rate-limiter.js";
import { createNotebooks, type NotebooksOptions } from "./notebooks.js";
import { sourceFiles } from "./source-files.js";

let local: LocalNotebooks;
const opened: Connected[] = [];
beforeAll(async () => {
  local = await openLocalNotebooks();
});
afterAll(async () => {
  await Promise.all(opened.map((client) => client.close()));
  await local.close();
});

async function client({
  door = "notebooks",
  profiles,
  ...options
}: Partial<NotebooksOptions> & { door?: DoorName; profiles?: readonly ProfileName[] } = {}): Promise<Connected> {
  const notebooks = createNotebooks({ backend: local.backend, ...options });
  const connected = await connect({
    services: { notebooks, deadline: ({ name }) => notebooks.deadlineFor(name) },
    door,
    ...(profiles ? { profiles } : {}),
  });
  opened.push(connected);
  return connected;
}
const TIDES = "Two high tides happen each lunar day. Spring tides follow the full and the new Moon.";

it("makes a source of passages found in a project, with their citations, and cites it", async () => {
  const store = memoryChunkStore();
  const shelf = await openLocalNotebooks({ store });
  const retrieval = createRetrieval({ store, embedders: WITHOUT_MODEL });
  await retrieval.createProject({ project: "thesis" });
  const metadata = { zotero: { citekey: "darwin1898" }, doc: { page_span: [3, 3] }, title: "The Tides" };
  await retrieval.store("thesis", [{ id: "t1", text: TIDES, metadata }]);
  const connected = await connect({
    services: {
      notebooks: createNotebooks({ backend: shelf.backend }),
      retrieval,
      citations: createCitations({ store }),
    },
  });
  opened.push(connected);
  const notebook_id = await shelf.notebook();
  const source = { notebook_id, source_type: "chunks", project: "thesis", chunk_ids: ["t1"] };
  const added = (await connected.call("add_source", source)) as { source_id: string; title: string };
  expect(added).toMatchObject({ success: true, title: "Passages from The Tides" });
  expect(await connected.call("get_source_text", { notebook_id, source_id: added.source_id })).toMatchObject({
    content: `${TIDES}\n[@darwin1898, p. 3]`,
  });
  expect(
    await connected.call("cite", { project: notebook_id, sources: [added.source_id], style: "apa" }),
  ).toMatchObject({ citation: expect.stringContaining("Passages from The Tides"), not_found: [] });
  expect(await connected.call("cite", { project: notebook_id, sources: ["Passages from The Tides"] })).toMatchObject({
    citation: "[@passagesTides]",
  });
  expect(await connected.call("add_source", { ...source, chunk_ids: ["gone"] })).toMatchObject({
    error: { code: "NOT_FOUND", details: { missing: ["gone"] } },
  });
  await shelf.close();
});

it("keeps what a file says of itself, under a readable key of its own, so that it can be cited", async () => {
  const store = memoryChunkStore();
  const shelf = await openLocalNotebooks({ store });
  const connected = await connect({
    services: { notebooks: createNotebooks({ backend: shelf.backend }), citations: createCitations({ store }) },
  });
  opened.push(connected);
  const notebook_id = await shelf.notebook();
  for (const [name, words] of [
    ["wheel.md", "Many books open at once."],
    ["again.md", "The same title, and other words."],
  ] as const) {
    const text = `---\ntitle: The Wheel\nauthor: Ines Marlowe\ndate: 2025\n---\n\n${words}\n`;
    const source = { source_type: "file", name, bytes: new TextEncoder().encode(text) } as const;
    await shelf.backend.addSource(notebook_id, source, AbortSignal.timeout(20_000));
  }
  const cited = { project: notebook_id, sources: ["marloweWheel2025, p. 4", "marloweWheel2025b"] };
  expect(await connected.call("cite", { ...cited, each: true })).toMatchObject({
    citation: "[@marloweWheel2025, p. 4]\n[@marloweWheel2025b]",
    not_found: [],
  });
  expect(await connected.call("cite", { ...cited, sources: cited.sources.slice(0, 1), style: "apa" })).toMatchObject({
    citation: "(Marlowe, 2025, p. 4)",
    incomplete: [],
  });
  await shelf.close();
});

describe("the notebook tools", () => {
  it("stand under the contract's names on their own door, the destructive ones only when asked for", async () => {
    const names = async (door: DoorName, profiles: readonly ProfileName[]) =>
      (await (await client({ door, profiles })).client.listTools()).tools.map(({ name }) => name).sort();
    const usual = [
      "add_source",
      "ask",
      "create_notebook",
      "get_notebook",
      "get_source_text",
      "health_check",
      "list_notebooks",
      "list_sources",
      "rename_notebook",
    ];
    expect(await names("notebooks", ["notebooks"])).toEqual(usual);
    expect(await names("notebooks", ["notebooks", "notebooks-destructive"])).toEqual(
      [...usual, "delete_notebook", "remove_source"].sort(),
    );
    expect(await names("all", ["notebooks"])).toContain("list_notebook_sources");
  });

  it("take a notebook from its making to a cited answer and to its end", async () => {
    const { call } = await client();
    const created = await call("create_notebook", { name: "  Tides  " });
    expect(created).toMatchObject({ name: "Tides", source_count: 0, description: null });
    const notebook_id = created.id;
    const added = await call("add_source", { notebook_id, source_type: "text", title: "On tides", text: TIDES });
    expect(added).toMatchObject({ success: true, title: "On tides", processing_status: "complete" });
    expect(await call("list_sources", { notebook_id })).toMatchObject({
      sources: [{ id: added.source_id, title: "On tides", type: "text", url: null }],
      total: 1,
    });
    expect(await call("get_notebook", { notebook_id })).toMatchObject({ source_count: 1 });
    expect(await call("ask", { notebook_id, question: "When do spring tides come?" })).toEqual({
      answer: expect.stringContaining("Spring tides follow the full and the new Moon."),
      citations: [
        {
          mark: 1,
          source_id: added.source_id,
          source_title: "On tides",
          excerpt: expect.stringContaining("Spring tides"),
          page_span: null,
          section: null,
          url: null,
        },
      ],
      passages: [{ source_id: added.source_id, source_title: "On tides", section: null, page_span: null, text: TIDES }],
      confidence: expect.stringMatching(/^(high|medium|low)$/),
      follow_up_questions: [],
      conversation_id: expect.any(String),
      method: "extractive",
      notes: expect.arrayContaining([expect.stringContaining("word for word")]),
    });
    expect(await call("rename_notebook", { notebook_id, name: "Sea" })).toMatchObject({ name: "Sea", source_count: 1 });
    expect(await call("list_notebooks", { limit: 100 })).toMatchObject({
      notebooks: expect.arrayContaining([expect.objectContaining({ id: notebook_id, name: "Sea", source_count: 1 })]),
    });
    expect(await call("remove_source", { notebook_id, source_id: added.source_id })).toMatchObject({ removed: true });
    expect(await call("ask", { notebook_id, question: "Anything?" })).toMatchObject({ error: { code: "NO_SOURCES" } });
    expect(await call("delete_notebook", { notebook_id, name: "Lake" })).toMatchObject({
      error: { code: "INVALID_INPUT", message: expect.stringContaining("Nothing is deleted") },
    });
    expect(await call("delete_notebook", { notebook_id, name: "Sea" })).toEqual({
      deleted: true,
      id: notebook_id,
      name: "Sea",
    });
    expect(await call("get_notebook", { notebook_id })).toMatchObject({ error: { code: "NOT_FOUND" } });
  });

  it("leave citations and their marks out when they are not wanted", async () => {
    const notebook_id = await local.notebook(TIDES);
    const { call } = await client();
    const bare = await call("ask", { notebook_id, question: "When do spring tides come?", include_citations: false });
    expect(bare).toMatchObject({ citations: [] });
    expect(bare.answer).not.toMatch(/\[\d+\]/);
  });

  it("go on with a conversation by its id", async () => {
    const notebook_id = await local.notebook(`${TIDES} Neap tides follow the quarter Moons.`);
    const { call } = await client();
    const { conversation_id } = await call("ask", { notebook_id, question: "When do spring tides come?" });
    const next = await call("ask", { notebook_id, question: "And neap ones?", conversation_id });
    expect(next).toMatchObject({ conversation_id, answer: expect.stringContaining("Neap tides follow") });
    const lost = { notebook_id, question: "And neap ones?", conversation_id: "gone" };
    expect(await call("ask", lost)).toMatchObject({ error: { code: "NOT_FOUND" } });
  });

  it("say what a notebook is about where that is asked for", async () => {
    const notebook_id = await local.notebook(`# Moon and sea\n\n${TIDES}`);
    const { call } = await client();
    expect(await call("get_notebook", { notebook_id })).not.toHaveProperty("summary");
    expect(await call("get_notebook", { notebook_id, include_guide: true })).toMatchObject({
      summary: expect.stringContaining("Spring tides follow the full and the new Moon."),
      suggested_questions: [expect.stringContaining("Moon and sea")],
    });
  });

  it("take files only from folders the owner allowed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "bookwheel-files-"));
    try {
      await writeFile(join(folder, "tides.md"), `# Tides\n\n${TIDES}`);
      const notebook_id = await local.notebook();
      const file = { notebook_id, source_type: "file", file: join(folder, "tides.md") };
      const { call: fenced } = await client();
      expect(await fenced("add_source", file)).toMatchObject({
        error: { code: "INVALID_INPUT", message: expect.stringContaining("BOOKWHEEL_INGEST_ROOTS") },
      });
      const { call } = await client({ readSourceFile: sourceFiles([folder]) });
      expect(await call("add_source", file)).toMatchObject({ success: true, title: "Tides" });
      expect(await call("add_source", file)).toMatchObject({ message: expect.stringContaining("already") });
      expect(await call("list_sources", { notebook_id })).toMatchObject({ total: 1 });
      expect(await call("add_source", { ...file, file: join(folder, "none.md") })).toMatchObject({
        error: { code: "INVALID_INPUT" },
      });
      expect(await call("add_source", { notebook_id, source_type: "file" })).toMatchObject({
        error: { code: "INVALID_INPUT" },
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("list the notebooks changed last first, and say when there are more", async () => {
    const { call } = await client();
    await local.notebook();
    await sleep(5); // times have milliseconds
    const last = await local.notebook(TIDES);
    expect(await call("list_notebooks", { limit: 1 })).toMatchObject({ notebooks: [{ id: last }], truncated: true });
  });

  it("give a source's text window by window, never cutting a character in two", async () => {
    const text = "Waves 🌊 and tides 🌙 again";
    const notebook_id = await local.notebook(text);
    const [source] = await local.backend.sources(notebook_id, AbortSignal.timeout(1000));
    const { call } = await client();
    let read = "";
    for (let content_offset: unknown = 0; content_offset !== null; ) {
      const window = await call("get_source_text", {
        notebook_id,
        source_id: source!.id,
        content_offset,
        content_max_chars: 7,
      });
      expect(window).toMatchObject({ title: "Source 1", content_length: text.length });
      expect(String(window.content).isWellFormed?.() ?? true).toBe(true);
      read += window.content;
      expect(window.truncated).toBe(read.length < text.length);
      content_offset = window.next_content_offset;
    }
    expect(read).toBe(text);
  });

  it("read a whole source window by window, also where its JSON is longer than its text", async () => {
    const notebook_id = await local.notebook();
    const { call } = await client();
    const text = `${'He said "yes".\n'.repeat(4_000)}The end.`;
    const { source_id } = await call("add_source", { notebook_id, source_type: "text", text });
    for (const content_max_chars of [16_000, 36_000]) {
      let read = "";
      for (let content_offset: unknown = 0; content_offset !== null; ) {
        const window = await call("get_source_text", { notebook_id, source_id, content_offset, content_max_chars });
        expect(window.left_out).toBeUndefined();
        read += window.content;
        content_offset = window.next_content_offset;
      }
      expect(read).toBe(text);
    }
  });

  it("refuse what the contract refuses, with its codes", async () => {
    const notebook_id = await local.notebook();
    const { call } = await client();
    const cases: [string, Record<string, unknown>, string][] = [
      ["ask", { notebook_id, question: "x".repeat(10_001) }, "QUESTION_TOO_LONG"],
      ["ask", { notebook_id, question: "" }, "INVALID_INPUT"],
      ["ask", { notebook_id, question: "  \n" }, "INVALID_INPUT"],
      ["ask", { notebook_id: "nowhere", question: "Who?" }, "NOT_FOUND"],
      ["add_source", { notebook_id, source_type: "text", text: "x".repeat(500_001) }, "CONTENT_TOO_LARGE"],
      ["add_source", { notebook_id, source_type: "text" }, "INVALID_INPUT"],
      ["add_source", { notebook_id, source_type: "url", text: "x" }, "INVALID_INPUT"],
      ["add_source", { notebook_id, source_type: "url", url: "no address" }, "INVALID_URL"],
      ["add_source", { notebook_id, source_type: "file", url: "x" }, "INVALID_INPUT"],
      ["add_source", { notebook_id, source_type: "text", text: "x", title: "t".repeat(201) }, "INVALID_INPUT"],
      ["add_source", { notebook_id, source_type: "text", text: "x", colour: "red" }, "INVALID_INPUT"],
      ["list_notebooks", { limit: 101 }, "INVALID_INPUT"],
      ["list_notebooks", { limit: 0 }, "INVALID_INPUT"],
      ["create_notebook", { name: " " }, "INVALID_INPUT"],
    ];
    for (const [tool, input, code] of cases)
      expect(await call(tool, input), `${tool} ${JSON.stringify(input).slice(0, 80)}`).toMatchObject({
        error: { code },
      });
  });

  it("tell the health of the backend in use, and what a browser would be for", async () => {
    const { call } = await client();
    expect(await call("health_check")).toMatchObject({
      status: "degraded",
      authenticated: true,
      latency_ms: expect.any(Number),
      browser_ok: expect.any(Boolean),
      backend: "local",
      details: { browser: expect.stringMatching(/browser|Chrome/) },
    });
  });
});

describe("the limits", () => {
  const limited = async () => {
    let now = 0;
    const connected = await client({ limits: memoryRateLimiter(() => now) });
    return { ...connected, later: (seconds: number) => (now += seconds * 1000) };
  };

  it("let ten calls a minute through, whatever they are, and say how long to wait", async () => {
    const { call, later } = await limited();
    for (let i = 0; i < 10; i++) {
      expect(await call("list_notebooks")).not.toHaveProperty("error");
      later(1.5);
    }
    expect(await call("get_notebook", { notebook_id: "x" })).toEqual({
      error: {
        type: "api_error",
        code: "RATE_LIMITED",
        message: "Rate limit exceeded. Please wait 45 seconds.",
        details: { retry_after_seconds: 45, limit: 10, window: "minute" },
        recoverable: true,
        retry_after: 45,
      },
    });
    later(45);
    expect(await call("list_notebooks")).not.toHaveProperty("error");
  });

  it("let five questions and five sources a minute through, and do not count what they refuse", async () => {
    const notebook_id = await local.notebook(TIDES);
    const { call, later } = await limited();
    const ask = () => call("ask", { notebook_id, question: "When do spring tides come?" });
    for (let i = 0; i < 5; i++) expect(await ask()).not.toHaveProperty("error");
    for (let i = 0; i < 20; i++)
      expect(await ask()).toMatchObject({ error: { code: "RATE_LIMITED", details: { limit: 5 } } });
    for (let i = 0; i < 5; i++)
      expect(await call("add_source", { notebook_id, source_type: "text", text: TIDES })).not.toHaveProperty("error");
    expect(await call("list_notebooks")).toMatchObject({ error: { details: { limit: 10 } } });
    later(60);
    expect(await ask()).not.toHaveProperty("error");
  });

  it("do not count a call whose input was wrong", async () => {
    const { call } = await limited();
    for (let i = 0; i < 30; i++) await call("list_notebooks", { limit: -1 });
    expect(await call("list_notebooks")).not.toHaveProperty("error");
  });
});

describe("the deadlines", () => {
  const of = (timeoutSeconds?: number) => {
    const { deadlineFor } = createNotebooks({ backend: local.backend, timeoutSeconds });
    return ["health_check", "list_notebook_sources", "add_source", "ask", "create_notebook"].map(deadlineFor);
  };

  it("are the contract's, and an owner's setting moves them up to its maxima", () => {
    expect(of()).toEqual([30_000, 30_000, 60_000, 90_000, 30_000]);
    expect(of(5)).toEqual([5_000, 5_000, 5_000, 5_000, 5_000]);
    expect(of(100)).toEqual([60_000, 60_000, 100_000, 100_000, 60_000]);
    expect(of(180)).toEqual([60_000, 60_000, 120_000, 180_000, 60_000]);
    expect(createNotebooks({ backend: local.backend }).deadlineFor("list_documents")).toBeUndefined();
  });
});

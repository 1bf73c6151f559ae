import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fakeEmbedder, fakeEmbedders } from "../../../../tests/support/fake-embedders.js";
import {
  html,
  type LocalNotebooks,
  openLocalNotebooks,
  type Site,
  startSite,
} from "../../../../tests/support/local-notebooks.js";
import { memoryChunkStore } from "../../../../tests/support/memory-chunk-store.js";
import { notebookBackendContract } from "../../../../tests/support/notebook-backend.contract.js";
import { ROOT } from "../../../../tests/support/peers.js";
import { createFetcher } from "../../../ingest/web/safe-fetch.js";
import { orAborted } from "../../../kernel/or-aborted.js";

const signal = () => AbortSignal.timeout(20_000);
const SHARED = process.env.BOOKWHEEL_SHARED ?? join(ROOT, "..", "shared");
const SPRINGS = "<article><h1>Tides</h1><p>Spring tides follow the full and the new Moon.</p></article>";

notebookBackendContract("local", async () => {
  const site = await startSite((_request, response) => html(response, SPRINGS, "<title>Tides</title>"));
  const guarded = createFetcher();
  const trusting = createFetcher({ allowPrivate: true });
  const fetcher: typeof guarded = (url, stop) => (url.startsWith(site.url) ? trusting : guarded)(url, stop);
  const local = await openLocalNotebooks({ model: true, fetcher });
  return {
    backend: local.backend,
    pageUrl: `${site.url}/tides`,
    async close() {
      await local.close();
      await site.close();
    },
  };
});

describe("a page added to a local notebook", () => {
  let site: Site;
  let local: LocalNotebooks;
  const handbook = join(SHARED, "corpora", "documents", "pdf", "pdflatex-4-pages.pdf");
  const pdf = existsSync(handbook) ? readFileSync(handbook) : undefined;

  beforeAll(async () => {
    site = await startSite(({ path }, response) => {
      if (path.startsWith("/tides"))
        html(response, SPRINGS, `<title>On tides</title><link href="/tides" rel="canonical">`);
      else if (path === "/short") response.writeHead(301, { location: "/tides?utm_source=letter" }).end();
      else if (path === "/thief")
        html(response, SPRINGS, `<link rel="canonical" href="https://other.example/their-page"><title>Thief</title>`);
      else if (path === "/paper.pdf") response.writeHead(200, { "content-type": "application/pdf" }).end(pdf);
      else if (path === "/broken.pdf") response.writeHead(200, { "content-type": "application/pdf" }).end("no PDF");
      else if (path === "/empty") html(response, "<script>draw()</script>");
      else response.writeHead(404).end();
    });
    local = await openLocalNotebooks();
  });
  afterAll(async () => {
    await local.close();
    await site.close();
  });
  const add = (id: string, path: string) =>
    local.backend.addSource(id, { source_type: "url", url: `${site.url}${path}` }, signal());

  it("is one source under its own address and title, however often and in whatever way it is added", async () => {
    const id = await local.notebook();
    const first = await add(id, "/short");
    expect(first).toMatchObject({ title: "On tides", processing_status: "complete" });
    for (const path of ["/tides", "/tides#springs", "/tides?utm_campaign=x", "/tides?page=1", "/short"])
      expect(await add(id, path)).toMatchObject({
        source_id: first.source_id,
        message: expect.stringContaining("already"),
      });
    expect(await local.backend.sources(id, signal())).toMatchObject([{ url: `${site.url}/tides`, type: "url" }]);
  });

  it("is one source when it is added twice at the same moment", async () => {
    const id = await local.notebook();
    await Promise.all([add(id, "/tides"), add(id, "/tides#top")]);
    expect(await local.backend.sources(id, signal())).toHaveLength(1);
  });

  it("cannot pass for a page of another site", async () => {
    const id = await local.notebook();
    await add(id, "/thief");
    expect(await local.backend.sources(id, signal())).toMatchObject([{ url: `${site.url}/thief` }]);
  });

  it("leaves nothing behind when it cannot be read, and says why", async () => {
    const id = await local.notebook();
    for (const path of ["/gone", "/empty", "/broken.pdf"])
      await expect(add(id, path), path).rejects.toMatchObject({ code: "PROCESSING_FAILED" });
    for (const url of ["https://www.youtube.com/watch?v=x", "https://youtu.be/x", "https://m.youtube.com/watch?v=x"])
      await expect(local.backend.addSource(id, { source_type: "url", url }, signal())).rejects.toMatchObject({
        code: "UNSUPPORTED_URL",
        message: expect.stringContaining("transcript"),
      });
    expect(await local.backend.sources(id, signal())).toEqual([]);
    await expect(local.backend.ask(id, "Anything?", signal())).rejects.toMatchObject({ code: "NO_SOURCES" });
  });

  it.skipIf(!pdf)("may be a PDF, and is then cited by the page the words stand on (needs ../shared)", async () => {
    const id = await local.notebook();
    const { source_id } = await add(id, "/paper.pdf");
    expect(await local.backend.sources(id, signal())).toMatchObject([{ id: source_id, type: "pdf" }]);
    const { text } = await local.backend.sourceText(id, String(source_id), signal());
    const { citations } = await local.backend.ask(
      id,
      text
        .split("\n\n")
        .find((part) => part.length > 80)!
        .slice(0, 200),
      signal(),
    );
    expect(citations.length).toBeGreaterThan(0);
    for (const { excerpt, page_span } of citations) {
      expect(text).toContain(excerpt);
      expect(page_span?.[0]).toBeGreaterThanOrEqual(1);
    }
  });
});

describe("a large source", () => {
  const TEXT = Array.from(
    { length: 400 },
    (_, i) => `Harbour ${i} keeps its lamp lit all night, and its bell is silent.`,
  );
  const LARGE = { source_type: "text", title: "Lamps", text: TEXT.join("\n\n") } as const;

  /** A model that embeds what belongs to the source only when it is let. */
  function heldModel() {
    const embedder = fakeEmbedder();
    let open = () => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    const embed: typeof embedder.embed = async (texts, options) => {
      const mine = texts.some((text) => text.startsWith("Lamps\n"));
      if (mine) await orAborted(held, options?.signal ?? new AbortController().signal);
      return embedder.embed(texts, options);
    };
    return { embedders: fakeEmbedders({ ...embedder, embed }), release: () => open() };
  }
  const statusOf = async ({ backend }: LocalNotebooks, id: string) =>
    (await backend.sources(id, signal()))[0]?.processing_status;

  it("is stored at once, found by words meanwhile, and by meaning when it is done", async () => {
    const { embedders, release } = heldModel();
    const local = await openLocalNotebooks({ embedders });
    const { id } = await local.backend.create("Large", signal());
    expect(await local.backend.addSource(id, LARGE, signal())).toMatchObject({
      processing_status: "processing",
      message: expect.stringContaining("by words"),
    });
    expect(await local.backend.sources(id, signal())).toMatchObject([{ processing_status: "processing", progress: 0 }]);
    const early = await local.backend.ask(id, "Which lamp does harbour 77 keep lit?", signal());
    expect(early.answer).toContain("Harbour 77");
    expect(early.notes.join()).toContain("Searched by words only");
    release();
    await expect.poll(() => statusOf(local, id)).toBe("complete");
    const late = await local.backend.ask(id, "Which lamp does harbour 77 keep lit?", signal());
    expect(late.notes.join()).not.toContain("Searched by words only");
    await local.close();
  });

  it("is finished by the next process where the first one ended too early", async () => {
    const store = memoryChunkStore();
    const first = await openLocalNotebooks({ embedders: heldModel().embedders, store });
    const { id } = await first.backend.create("Large", signal());
    await first.backend.addSource(id, LARGE, signal());
    await first.close();
    const { embedders, release } = heldModel();
    release();
    const second = await openLocalNotebooks({ embedders, store });
    await expect.poll(() => statusOf(second, id)).toBe("complete");
    await second.close();
  });

  it("that is removed while it is processed stays removed", async () => {
    const { embedders, release } = heldModel();
    const local = await openLocalNotebooks({ embedders });
    const { id } = await local.backend.create("Large", signal());
    const { source_id } = await local.backend.addSource(id, LARGE, signal());
    await local.backend.removeSource(id, String(source_id), signal());
    release();
    expect(await local.backend.sources(id, signal())).toEqual([]);
    await local.close();
  });
});

describe("the health of local notebooks", () => {
  it("is bad when the store cannot be read, and says what to do", async () => {
    const local = await openLocalNotebooks({ model: true });
    await local.close();
    expect(await local.backend.health(signal())).toMatchObject({
      status: "unhealthy",
      error: expect.stringMatching(/\S/),
    });
  });
});

describe("a local notebook without an embedding model", () => {
  let local: LocalNotebooks;
  beforeAll(async () => {
    local = await openLocalNotebooks();
  });
  afterAll(() => local.close());

  it("still answers by words, and says that it does", async () => {
    const id = await local.notebook(
      "The sextant measures the angle between a star and the horizon. It replaced the octant.",
      "A chronometer keeps the time of a known place at sea.",
    );
    expect(await local.backend.ask(id, "What keeps the time at sea?", signal())).toMatchObject({
      citations: [{ source_title: "Source 2", excerpt: "A chronometer keeps the time of a known place at sea." }],
      notes: expect.arrayContaining([expect.stringContaining("words only")]),
      method: "extractive",
    });
    expect(await local.backend.health(signal())).toMatchObject({
      status: "degraded",
      authenticated: true,
      error: expect.stringContaining("No model in this test."),
    });
  });

  it("says that the sources do not answer, and quotes nothing", async () => {
    const id = await local.notebook("The sextant measures the angle between a star and the horizon.");
    expect(await local.backend.ask(id, "Who won the cycling race in Belgium?", signal())).toMatchObject({
      answer: expect.stringContaining("do not answer"),
      citations: [],
      confidence: "low",
      follow_up_questions: [],
    });
  });

  it("keeps the note marks of a source apart from its own", async () => {
    const id = await local.notebook("The octant was made by Hadley in 1731.[7] It was tried at sea.[8, 9]");
    const { answer, citations, notes } = await local.backend.ask(id, "Who made the octant?", signal());
    expect([...answer.matchAll(/\[[\d, ]+\]/g)].map(([mark]) => mark)).toEqual(["[1]"]);
    expect(citations[0]?.excerpt).toContain("Hadley in 1731.[7]");
    expect(notes.join(" ")).toContain("left out of the answer");
  });

  it("keeps a pasted text exactly as it was pasted", async () => {
    const text =
      "# Notes\r\n\r\n\r\nA “soft\u00adhyphen” and a no\u00a0break space.\r\n\r\n- one\r\n- two cafe\u0301s\r\n";
    const id = await local.notebook(text);
    const [source] = await local.backend.sources(id, signal());
    expect(await local.backend.sourceText(id, source!.id, signal())).toEqual({ title: "Source 1", text });
    const { citations } = await local.backend.ask(id, "Where is a break space?", signal());
    expect(citations[0]?.excerpt).toBe("A “soft\u00adhyphen” and a no\u00a0break space.");
  });

  it("names the section an excerpt stands under, and asks on about sections it did not use", async () => {
    const id = await local.notebook(
      [
        "# Finding the way at sea",
        "## Latitude",
        "The height of the pole star gives the latitude of the ship at night.",
        "## Longitude",
        "The ship finds its longitude with a chronometer that keeps the time of Greenwich.",
        "## References",
        "The ship is described by Harrison.",
      ].join("\n\n"),
    );
    const { citations, follow_up_questions } = await local.backend.ask(
      id,
      "What gives the latitude of the ship at night?",
      signal(),
    );
    expect(citations[0]).toMatchObject({
      excerpt: "The height of the pole star gives the latitude of the ship at night.",
      section: "Finding the way at sea > Latitude",
    });
    expect(follow_up_questions).toEqual(["What does “Source 1” say under “Longitude”?"]);
  });
});

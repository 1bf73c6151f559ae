import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NotebookBackend } from "../../src/shelves/notebooks/notebook-backend.js";

export interface OpenedBackend {
  backend: NotebookBackend;
  /** The address of a page that this backend can add as a source. */
  pageUrl: string;
  close(): Promise<void>;
}

const TIDES = [
  "Two high tides happen each lunar day.",
  "Spring tides follow the full and the new Moon.",
  "Neap tides follow the quarter Moons and have the smallest range.",
].join("\n");
const NOWHERE = "00000000-0000-4000-8000-000000000000";

/** What every notebook backend does alike, wherever notebooks are kept. */
export function notebookBackendContract(name: string, open: () => Promise<OpenedBackend>): void {
  describe(`${name} notebook backend`, () => {
    let opened: OpenedBackend;
    let backend: NotebookBackend;
    const signal = () => AbortSignal.timeout(20_000);
    const code = (expected: string) => expect.objectContaining({ code: expected });

    beforeAll(async () => {
      opened = await open();
      backend = opened.backend;
    });
    afterAll(async () => opened?.close());

    it("is well, and says so", async () => {
      expect(await backend.health(signal())).toMatchObject({ status: "healthy", authenticated: true, error: null });
    });

    it("lists a notebook it created, and finds it again by its id", async () => {
      const created = await backend.create("Ocean, third notebook", signal());
      expect(created).toMatchObject({ name: "Ocean, third notebook", source_count: 0, description: null });
      expect((await backend.list(signal())).map(({ id }) => id)).toContain(created.id);
      expect(await backend.get(created.id, signal())).toMatchObject({
        id: created.id,
        name: created.name,
        source_count: 0,
      });
      expect(await backend.sources(created.id, signal())).toEqual([]);
    });

    it("keeps a pasted text under its title, and gives it back", async () => {
      const { id } = await backend.create("Texts", signal());
      const added = await backend.addSource(id, { source_type: "text", title: "Tides", text: TIDES }, signal());
      expect(added).toMatchObject({ title: "Tides", processing_status: "complete", source_id: expect.any(String) });
      const sources = await backend.sources(id, signal());
      expect(sources).toMatchObject([
        { id: added.source_id, title: "Tides", type: "text", url: null, processing_status: "complete" },
      ]);
      expect(await backend.get(id, signal())).toMatchObject({ source_count: 1 });
      expect(await backend.sourceText(id, sources[0]!.id, signal())).toEqual({ title: "Tides", text: TIDES });
    });

    it("names a text without a title itself", async () => {
      const { id } = await backend.create("Untitled", signal());
      const { title } = await backend.addSource(id, { source_type: "text", text: TIDES }, signal());
      expect(title).not.toBe("");
    });

    it("adds a page by its address", async () => {
      const { id } = await backend.create("Pages", signal());
      const added = await backend.addSource(id, { source_type: "url", url: opened.pageUrl }, signal());
      expect(["complete", "processing"]).toContain(added.processing_status);
      expect(await backend.sources(id, signal())).toMatchObject([
        { id: added.source_id, type: "url", url: opened.pageUrl },
      ]);
    });

    it("answers with citations that stand verbatim in their sources", async () => {
      const { id } = await backend.create("Asked", signal());
      const added = await backend.addSource(id, { source_type: "text", title: "Tides", text: TIDES }, signal());
      const { answer, citations } = await backend.ask(id, "When do spring tides follow the Moon?", signal());
      expect(answer).toContain("[1]");
      expect(citations.length).toBeGreaterThan(0);
      for (const { source_id, source_title, excerpt, mark } of citations) {
        expect({ source_id, source_title }).toEqual({ source_id: added.source_id, source_title: "Tides" });
        expect(TIDES).toContain(excerpt);
        expect(answer).toContain(`[${mark}]`);
      }
      const marks = new Set(citations.map(({ mark }) => mark));
      for (const [, n] of answer.matchAll(/\[(\d+)\]/g)) expect(marks).toContain(Number(n));
    });

    it("goes on with a conversation, and knows none that it did not begin", async () => {
      const { id } = await backend.create("Conversation", signal());
      await backend.addSource(id, { source_type: "text", title: "Tides", text: TIDES }, signal());
      const { conversation_id } = await backend.ask(id, "When do spring tides follow the Moon?", signal());
      const next = await backend.ask(id, "And when do neap ones?", signal(), String(conversation_id));
      expect(next.conversation_id).toBe(conversation_id);
      expect(next.answer).toContain("Neap tides follow the quarter Moons");
      for (const unknown of [NOWHERE, "none"])
        await expect(backend.ask(id, "And then?", signal(), unknown)).rejects.toEqual(code("NOT_FOUND"));
    });

    it("says what a notebook is about, and what to ask", async () => {
      const { id } = await backend.create("Guide", signal());
      expect(await backend.guide(id, signal())).toEqual({ summary: null, suggested_questions: [] });
      await backend.addSource(id, { source_type: "text", title: "Tides", text: `# Highs\n\n${TIDES}` }, signal());
      const { summary, suggested_questions } = await backend.guide(id, signal());
      expect(summary).not.toBe("");
      expect(suggested_questions).not.toEqual([]);
    });

    it("takes a file", async () => {
      const { id } = await backend.create("Files", signal());
      const file = { source_type: "file", name: "tides.md", bytes: Buffer.from(TIDES) } as const;
      const { source_id } = await backend.addSource(id, file, signal());
      expect(await backend.sources(id, signal())).toMatchObject([{ id: source_id, type: "text", url: null }]);
      expect((await backend.sourceText(id, String(source_id), signal())).text).toContain("Spring tides follow");
    });

    it("renames and removes", async () => {
      const { id } = await backend.create("Before", signal());
      expect(await backend.rename(id, "After", signal())).toMatchObject({ id, name: "After" });
      const { source_id } = await backend.addSource(id, { source_type: "text", text: TIDES }, signal());
      await backend.removeSource(id, String(source_id), signal());
      expect(await backend.sources(id, signal())).toEqual([]);
      await backend.remove(id, signal());
      await expect(backend.get(id, signal())).rejects.toEqual(code("NOT_FOUND"));
    });

    it("says NOT_FOUND for a notebook or source that is not there", async () => {
      const text = { source_type: "text", text: TIDES } as const;
      for (const id of [NOWHERE, "no such notebook"]) {
        await expect(backend.get(id, signal())).rejects.toEqual(code("NOT_FOUND"));
        await expect(backend.sources(id, signal())).rejects.toEqual(code("NOT_FOUND"));
        await expect(backend.addSource(id, text, signal())).rejects.toEqual(code("NOT_FOUND"));
        await expect(backend.ask(id, "Anything?", signal())).rejects.toEqual(code("NOT_FOUND"));
        await expect(backend.rename(id, "x", signal())).rejects.toEqual(code("NOT_FOUND"));
        await expect(backend.remove(id, signal())).rejects.toEqual(code("NOT_FOUND"));
      }
      const { id } = await backend.create("Here", signal());
      await expect(backend.removeSource(id, NOWHERE, signal())).rejects.toEqual(code("NOT_FOUND"));
      await expect(backend.sourceText(id, NOWHERE, signal())).rejects.toEqual(code("NOT_FOUND"));
    });

    it("says NO_SOURCES when an empty notebook is asked", async () => {
      const { id } = await backend.create("Empty", signal());
      await expect(backend.ask(id, "Anything?", signal())).rejects.toEqual(code("NO_SOURCES"));
    });

    it("refuses an address that is none, or that lies on a private network", async () => {
      const { id } = await backend.create("Addresses", signal());
      for (const url of ["not an address", "http://10.0.0.7/", "http://[::1]/"])
        await expect(backend.addSource(id, { source_type: "url", url }, signal())).rejects.toEqual(code("INVALID_URL"));
      expect(await backend.sources(id, signal())).toEqual([]);
    });

    it("refuses a text of more than 500,000 characters, and takes one of as many", async () => {
      const { id } = await backend.create("Large", signal());
      const text = "🌊 ".repeat(250_000);
      await expect(backend.addSource(id, { source_type: "text", text: `${text}x` }, signal())).rejects.toEqual(
        code("CONTENT_TOO_LARGE"),
      );
      expect(await backend.addSource(id, { source_type: "text", title: "Waves", text }, signal())).toMatchObject({
        title: "Waves",
      });
    });

    it("stops when its caller does", async () => {
      await expect(backend.list(AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    });
  });
}

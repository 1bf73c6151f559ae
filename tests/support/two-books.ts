import type { ChunkStore } from "../../src/shelves/chunks/chunk-store.js";
import { bareChunk } from "./bare-chunk.mjs";
import { memoryChunkStore } from "./memory-chunk-store.js";

const MODEL = { id: "none", dimension: 2, pooling: "mean", max_tokens: 256, weights_sha256: null };

export const WALDEN_PAGES = [
  "I went to the woods because I wished to live deliberately, to front only the essential facts of life, and see if I could not learn what it had to teach, and not, when I came to die, discover that I had not lived. ",
  "The mass of men lead lives of quiet desperation. What is called resignation is confirmed desperation. I built a house ten feet wide by fifteen long near Concord.",
];
export const ALICE =
  "Alice was beginning to get very tired of sitting by her sister on the bank, and of having nothing to do: once or twice she had peeped into the book her sister was reading, but it had no pictures or conversations in it.";

/** Two projects with a book each, and a notebook with one source. */
export async function twoBooks(): Promise<ChunkStore> {
  const store = memoryChunkStore();
  const add = (id: string, kind: "project" | "notebook", name = id) =>
    store.createProject({ id, kind, name, description: null, model: MODEL, hybrid_enabled: true });
  const document = (
    project: string,
    { id, title, pages, csl }: { id: string; title: string; pages: string[]; csl: Record<string, unknown> | null },
  ) => {
    const text = pages.join("");
    let start = 0;
    const marks = pages.map((page, i) => {
      const mark = { number: 7 + i, label: ["vii", "viii"][i] ?? null, start, end: start + page.length };
      start = mark.end;
      return mark;
    });
    return store.replaceDocument(
      project,
      {
        id,
        title,
        citekey: csl ? String(csl.id) : null,
        kind: "text",
        origin: `https://books.example/${id}`,
        sha256: id,
        chunk_count: 1,
        char_count: text.length,
        language: "en",
        csl,
        added_at: "2026-01-01T00:00:00Z",
        updated_at: "2026-01-01T00:00:00Z",
        extra: {},
        text,
        pages: marks,
        headings: [{ level: 1, title: "Where I Lived", start: 0 }],
        edits: [],
      },
      [
        bareChunk({
          id: `${id}-0`,
          text,
          doc_id: id,
          start: 0,
          end: text.length,
          citekey: csl ? String(csl.id) : null,
          title,
          page_span: [7, 6 + pages.length],
        }),
      ],
    );
  };
  await add("woods", "project");
  await add("rabbits", "project");
  await add("n1", "notebook", "Navigation");
  await document("woods", {
    id: "walden",
    title: "Walden; or, Life in the Woods",
    pages: WALDEN_PAGES,
    csl: {
      id: "thoreau1854",
      type: "book",
      title: "Walden; or, Life in the Woods",
      author: [{ family: "Thoreau", given: "Henry David" }],
      issued: { "date-parts": [[1854]] },
    },
  });
  await document("rabbits", {
    id: "alice",
    title: "Alice",
    pages: [ALICE],
    csl: {
      id: "carroll1865",
      type: "book",
      title: "Alice’s Adventures in Wonderland",
      author: [{ family: "Carroll", given: "Lewis" }],
      issued: { "date-parts": [[1865]] },
    },
  });
  await document("n1", {
    id: "way",
    title: "Wayfinding",
    pages: ["The ferryman steers by the smell of the reed beds at night."],
    csl: null,
  });
  return store;
}

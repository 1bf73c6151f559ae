import { describe, expect, it } from "vitest";
import type { SampleDocument, SampleWork } from "../sample/types.js";
import { libraryFrom, sampleLibrary } from "./sample.js";

const essay: SampleDocument = {
  key: "essay",
  title: "On Tides",
  author: "R. Moss",
  category: "article",
  location: "later",
  source: "Reader add from clipboard",
  source_url: "https://tides.example/",
  site_name: "Tides",
  summary: "Water moves.",
  tags: ["Deep Sea"],
  html: "<p>The moon pulls first. The sun helps.</p>",
  published_date: 1_700_000_000_000,
  word_count: 460,
  reading_progress: 0.5,
  saved_at: "2026-01-01T08:00:00Z",
  opened: "2026-01-02T08:00:00Z",
  highlights: [{ text: "The moon pulls first.", note: "mass?", tags: ["moon"] }, { text: "The sun helps." }],
};
const essayWork: SampleWork = {
  title: "On Tides",
  author: "R. Moss",
  category: "articles",
  source: "reader",
  year: 2025,
  source_url: "https://tides.example/",
  document_note: "Worth rereading.",
  tags: ["Deep Sea"],
  reader: "essay",
  highlights: [
    { text: "The moon pulls first.", note: "mass?", highlighted_at: "2026-01-03T08:00:00Z", favorite: true },
  ],
};
const novel: SampleWork = {
  title: "A Novel",
  author: "A. B.",
  category: "books",
  source: "kindle",
  year: 1850,
  source_url: null,
  tags: ["fiction"],
  highlights: [
    { text: "First line.", location: 3, location_type: "page", color: "blue", highlighted_at: "2025-06-01T20:00:00Z" },
  ],
};

describe("a library made of sample data", () => {
  it("shows a Reader document's highlights as its children and in v2, once each", () => {
    for (const works of [[], [essayWork]]) {
      const library = libraryFrom(works, [essay]);
      const [document] = library.documents.values();
      const [book] = library.books.values();
      expect(library.books.size).toBe(1);
      expect(book).toMatchObject({
        title: "On Tides",
        source: "reader",
        external_id: document!.id,
        unique_url: `https://read.readwise.io/read/${document!.id}`,
      });
      expect(book!.highlights.map(({ text }) => text)).toEqual(["The moon pulls first.", "The sun helps."]);
      const children = [...library.documents.values()].filter(({ category }) => category === "highlight");
      expect(children.map(({ content, parent_id }) => [content, parent_id])).toEqual([
        ["The moon pulls first.", document!.id],
        ["The sun helps.", document!.id],
      ]);
      const note = [...library.documents.values()].find(({ category }) => category === "note");
      expect(note).toMatchObject({ content: "mass?", parent_id: children[0]!.id });
    }
  });

  it("takes place, time and note of a Reader source from its work", () => {
    const [book] = libraryFrom([essayWork], [essay]).books.values();
    expect(book!.document_note).toBe("Worth rereading.");
    expect(book!.highlights[0]).toMatchObject({
      is_favorite: true,
      location_type: "offset",
      highlighted_at: Date.parse("2026-01-03T08:00:00Z"),
    });
  });

  it("keeps a work outside Reader as it is", () => {
    const library = libraryFrom([novel], []);
    const [book] = library.books.values();
    expect(book).toMatchObject({ title: "A Novel", source: "kindle", external_id: "" });
    expect(book!.highlights).toMatchObject([
      {
        text: "First line.",
        location: 3,
        location_type: "page",
        color: "blue",
        highlighted_at: Date.UTC(2025, 5, 1, 20),
      },
    ]);
    expect(library.documents.size).toBe(0);
  });

  it("moves back in time as a whole where the clock is behind it", () => {
    const now = Date.UTC(2025, 0, 1);
    const library = libraryFrom([novel, essayWork], [essay], now);
    const times = [...library.highlights.values()].map(({ updated_at }) => updated_at);
    expect(Math.max(...times)).toBeLessThan(now);
    expect(Math.max(...times) - Math.min(...times)).toBe(Date.UTC(2026, 0, 3, 8) - Date.UTC(2025, 5, 1, 20));
  });

  it("refuses a work that names a document which is not there", () => {
    expect(() => libraryFrom([essayWork], [])).toThrow("'essay'");
  });
});

describe("the sample library", () => {
  const library = sampleLibrary();

  it("has sources, highlights and documents with valid times", () => {
    expect(library.books.size).toBeGreaterThan(0);
    expect(library.documents.size).toBeGreaterThan(0);
    for (const { highlighted_at, updated_at } of library.highlights.values())
      expect([Number.isFinite(highlighted_at), Number.isFinite(updated_at)]).toEqual([true, true]);
    for (const { saved_at, updated_at } of library.documents.values())
      expect([Number.isFinite(saved_at), Number.isFinite(updated_at)]).toEqual([true, true]);
  });

  it("gives every token its own", () => {
    expect(sampleLibrary()).not.toBe(library);
  });

  it("never has the same highlight twice in a source", () => {
    for (const { highlights } of library.books.values())
      expect(new Set(highlights.map(({ text }) => text)).size).toBe(highlights.length);
  });
});

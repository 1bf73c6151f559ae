import { describe, expect, it } from "vitest";
import { generateLibrary } from "./generate.js";

const content = (seed: string) => {
  const library = generateLibrary({ seed, sources: 40, highlights: 600, documents: 30 });
  return JSON.stringify([[...library.books.values()], [...library.documents.values()]]);
};

describe("a generated library", () => {
  const until = Date.UTC(2026, 0, 1);
  const library = generateLibrary({ seed: 3, sources: 300, highlights: 5_000, documents: 200, until });
  const highlights = [...library.highlights.values()];
  const documents = [...library.documents.values()];

  it("is the same for the same seed and another for another", () => {
    expect(content("a")).toBe(content("a"));
    expect(content("a")).not.toBe(content("b"));
  });

  it("has exactly the size that was asked for", () => {
    expect(library.books.size).toBe(300);
    expect(highlights).toHaveLength(5_000);
    expect(documents.filter(({ parent_id }) => parent_id === null)).toHaveLength(200);
  });

  it("makes the size of the largest claims in one go", () => {
    const large = generateLibrary({ sources: 3_000, highlights: 50_000, documents: 0 });
    expect([large.books.size, large.highlights.size, large.documents.size]).toEqual([3_000, 50_000, 0]);
  });

  it("ties Reader sources to documents and their highlights to children", () => {
    const reader = [...library.books.values()].filter(({ source }) => source === "reader");
    expect(reader.length).toBeGreaterThan(10);
    for (const book of reader) {
      expect(library.documents.has(book.external_id)).toBe(true);
      for (const highlight of book.highlights)
        expect(library.documents.get(highlight.external_id ?? "")).toMatchObject({
          parent_id: book.external_id,
          content: highlight.text,
        });
    }
  });

  it("has every form that trips clients up", () => {
    expect(new Set(documents.map(({ published_date }) => typeof published_date))).toEqual(
      new Set(["string", "number", "object"]),
    );
    expect(documents.some(({ category }) => category === "podcast")).toBe(true);
    expect(documents.some(({ location, parent_id }) => location === null && parent_id === null)).toBe(true);
    expect(documents.some(({ category, tags }) => category === "highlight" && tags === null)).toBe(true);
    expect(documents.some(({ category, tags }) => category === "highlight" && tags !== null)).toBe(true);
    expect(highlights.some(({ highlighted_at }) => highlighted_at === null)).toBe(true);
    expect(highlights.some(({ is_deleted }) => is_deleted)).toBe(true);
    expect(highlights.some(({ note }) => (note ?? "").length > 2_000)).toBe(true);
    expect(highlights.some(({ note }) => note === null)).toBe(true);
    for (const key of ["author", "cover_image_url", "source_url", "summary"] as const)
      expect([...library.books.values()].some((book) => book[key] === null)).toBe(true);
    expect([...library.books.values()].some(({ source_url }) => source_url === "")).toBe(true);
    for (const script of [/\p{Script=Han}/u, /\p{Script=Hangul}/u, /\p{Script=Hiragana}/u, /[éüñ]/, /\p{M}/u])
      expect(highlights.some(({ text }) => script.test(text))).toBe(true);
  });

  it("keeps to the service's limits and to time", () => {
    for (const { text, note, created_at, updated_at } of highlights) {
      expect([...text].length).toBeLessThanOrEqual(8_191);
      expect([...(note ?? "")].length).toBeLessThanOrEqual(8_191);
      expect(updated_at).toBeGreaterThanOrEqual(created_at);
      expect(updated_at).toBeLessThanOrEqual(until);
    }
    for (const { updated_at, saved_at } of documents) {
      expect(updated_at).toBeGreaterThanOrEqual(saved_at);
      expect(updated_at).toBeLessThanOrEqual(until);
    }
  });

  it("uses a few words all the time and most words rarely", () => {
    const counts = new Map<string, number>();
    for (const { text } of highlights)
      for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
    const sorted = [...counts.values()].sort((a, b) => b - a);
    const total = sorted.reduce((a, b) => a + b, 0);
    const top = sorted.slice(0, 50).reduce((a, b) => a + b, 0);
    expect(counts.size).toBeGreaterThan(4_000);
    expect(top / total).toBeGreaterThan(0.3);
    expect(sorted.filter((count) => count <= 3).length / counts.size).toBeGreaterThan(0.25);
  });

  it("gives a document the same text every time", () => {
    const { html } = documents.find(({ category }) => category === "article")!;
    if (typeof html !== "function") throw new Error("generated text is made on demand");
    expect(html()).toBe(html());
    expect(html()).toMatch(/^<article><h1>/);
  });
});

import { describe, expect, it } from "vitest";
import { sampleNotebooks } from "./notebooks.js";
import { sampleProject } from "./project.js";
import { sampleDocuments, sampleWorks } from "./readwise.js";

const LOCATIONS = ["new", "later", "shortlist", "archive", "feed"];
const DOCUMENT_CATEGORIES = ["article", "email", "rss", "pdf", "epub", "tweet", "video", "podcast"];
const WORK_CATEGORIES = ["books", "articles", "tweets", "supplementals", "podcasts"];

const highlights = sampleWorks.flatMap((work) => work.highlights);
const publicDomain = sampleWorks.filter(
  ({ category, reader, year }) => !reader && category !== "tweets" && year < 1900,
);

const letters = (text: string) => [...text].length;
const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
const plainText = (html: string) =>
  html
    .replace(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

function duplicates(keys: string[]) {
  return keys.filter((key, index) => keys.indexOf(key) !== index);
}

/** Paths of strings that are blank, or have blanks at their ends, anywhere inside a value. */
function blanks(value: unknown, path = ""): string[] {
  if (typeof value === "string") return value.trim() === value && value !== "" ? [] : [path];
  if (value === null || typeof value !== "object") return value === undefined ? [path] : [];
  return Object.entries(value).flatMap(([key, inner]) => blanks(inner, `${path}/${key}`));
}

describe("the sample library", () => {
  it("holds a few hundred highlights from some thirty public-domain works", () => {
    expect(publicDomain.length).toBeGreaterThanOrEqual(30);
    expect(publicDomain.flatMap((work) => work.highlights).length).toBeGreaterThanOrEqual(320);
    for (const work of publicDomain) {
      expect(work.highlights.length, work.title).toBeGreaterThanOrEqual(8);
      expect(work.highlights.length, work.title).toBeLessThanOrEqual(14);
    }
  });

  it("says of every public-domain quotation where it stands", () => {
    expect(publicDomain.flatMap((work) => work.highlights).filter(({ note }) => !note)).toEqual([]);
  });

  it("has every kind of source, several languages, favourites and colours", () => {
    expect(new Set(sampleWorks.map(({ category }) => category))).toEqual(new Set(WORK_CATEGORIES));
    for (const script of [/\p{Script=Han}/u, /\p{Script=Cyrillic}/u, /ß/, /ñ|¿|ó/, /œ|è/])
      expect(
        highlights.some(({ text }) => script.test(text)),
        String(script),
      ).toBe(true);
    expect(highlights.filter(({ favorite }) => favorite).length).toBeGreaterThan(20);
    expect(new Set(highlights.map(({ color }) => color)).size).toBeGreaterThanOrEqual(6);
  });

  it("uses every tag on a highlight more than once", () => {
    const used = highlights.flatMap(({ tags }) => tags ?? []);
    const again = new Set(duplicates(used));
    expect(used.filter((tag) => !again.has(tag))).toEqual([]);
  });

  it("stays within what Readwise accepts", () => {
    for (const work of sampleWorks) {
      expect(letters(work.title), work.title).toBeLessThanOrEqual(511);
      expect(letters(work.author), work.title).toBeLessThanOrEqual(1024);
      expect(letters(work.source_url ?? ""), work.title).toBeLessThanOrEqual(2047);
      expect(work.source, work.title).toMatch(/^\S{3,64}$/);
      for (const tag of work.tags) expect(letters(tag)).toBeLessThanOrEqual(512);
      for (const { text, note, tags } of work.highlights) {
        expect(letters(text)).toBeLessThanOrEqual(8191);
        expect(letters(note ?? "")).toBeLessThanOrEqual(8191);
        for (const tag of tags ?? []) expect(letters(tag)).toBeLessThanOrEqual(127);
      }
    }
  });

  it("has no source twice and no highlight twice", () => {
    expect(duplicates(sampleWorks.map(({ title, author }) => `${title}\n${author}`))).toEqual([]);
    expect(duplicates(highlights.map(({ text }) => text))).toEqual([]);
  });

  it("was read from 2023 to 2026, at moments that exist", () => {
    for (const { highlighted_at } of highlights)
      expect(new Date(highlighted_at).toISOString(), highlighted_at).toBe(highlighted_at);
    const years = new Set(highlights.map(({ highlighted_at }) => highlighted_at.slice(0, 4)));
    expect([...years].sort()).toEqual(["2023", "2024", "2025", "2026"]);
  });
});

describe("the sample reading queue", () => {
  it("has something in every location and of every category", () => {
    expect(sampleDocuments.length).toBeGreaterThanOrEqual(40);
    expect(new Set(sampleDocuments.map(({ location }) => location))).toEqual(new Set(LOCATIONS));
    expect(new Set(sampleDocuments.map(({ category }) => category))).toEqual(new Set(DOCUMENT_CATEGORIES));
  });

  it("has keys and addresses that name one document each", () => {
    expect(duplicates(sampleDocuments.map(({ key }) => key))).toEqual([]);
    expect(duplicates(sampleDocuments.map(({ source_url }) => source_url))).toEqual([]);
    expect(duplicates(sampleDocuments.map(({ title }) => title))).toEqual([]);
    for (const { source_url } of sampleDocuments)
      expect(new URL(source_url).hostname).toMatch(/\.example\.(org|fr|de|es)$/);
  });

  it("has texts of a readable length, counted rightly", () => {
    for (const { key, html, word_count } of sampleDocuments) {
      expect(word_count, key).toBe(words(html.replace(/<[^>]+>/g, " ")));
      expect(word_count, key).toBeGreaterThanOrEqual(150);
      expect(word_count, key).toBeLessThanOrEqual(700);
    }
  });

  it("has five videos with transcripts, some of them with times", () => {
    const videos = sampleDocuments.filter(({ category }) => category === "video");
    expect(videos).toHaveLength(5);
    const timed = videos.filter(({ html }) => /\d:\d\d/.test(html));
    expect(timed.length).toBeGreaterThan(0);
    expect(timed.length).toBeLessThan(videos.length);
  });

  it("shows a script only as text, and characters that turn the line round", () => {
    const all = sampleDocuments.map(({ html }) => html).join("\n");
    expect(all).toContain("&lt;script&gt;");
    expect(all).toMatch(/[\u0590-\u06ff]/);
    expect(all).toMatch(/\p{Emoji_Presentation}/u);
    const tags = all.match(/<[^>]*>/g) ?? [];
    expect(
      tags.filter((tag) => /^<(script|iframe|img|style|link|object|form)\b|\son\w+=|javascript:/i.test(tag)),
    ).toEqual([]);
  });

  it("has dates in all three forms, and none that is impossible", () => {
    expect(new Set(sampleDocuments.map(({ published_date }) => typeof (published_date ?? undefined)))).toEqual(
      new Set(["string", "number", "undefined"]),
    );
    for (const { key, published_date, saved_at, opened, reading_progress } of sampleDocuments) {
      if (typeof published_date === "string")
        expect(new Date(published_date).toISOString(), key).toBe(`${published_date}T00:00:00.000Z`);
      if (published_date !== null)
        expect(new Date(published_date).getTime(), key).toBeLessThanOrEqual(Date.parse(saved_at));
      expect(new Date(saved_at).toISOString(), key).toBe(saved_at.replace("Z", ".000Z"));
      if (opened) expect(Date.parse(opened), key).toBeGreaterThanOrEqual(Date.parse(saved_at));
      expect(reading_progress, key).toBeGreaterThanOrEqual(0);
      expect(reading_progress, key).toBeLessThanOrEqual(1);
      if (reading_progress > 0) expect(opened, `${key} was read but never opened`).toBeDefined();
    }
  });

  it("highlights only what the document says, on both sides of the join", () => {
    for (const { key, html, highlights: marks = [] } of sampleDocuments) {
      const text = plainText(html);
      for (const mark of marks) expect(text, key).toContain(mark.text);
      const work = sampleWorks.find(({ reader }) => reader === key);
      expect(work?.highlights.map((mark) => mark.text) ?? [], key).toEqual(marks.map((mark) => mark.text));
    }
  });
});

describe("the sample notebooks", () => {
  it("are two, with four to six sources of a few pages each", () => {
    expect(sampleNotebooks).toHaveLength(2);
    for (const { name, sources } of sampleNotebooks) {
      expect(sources.length, name).toBeGreaterThanOrEqual(4);
      expect(sources.length, name).toBeLessThanOrEqual(6);
      expect(duplicates(sources.map(({ title }) => title))).toEqual([]);
      for (const { title, text } of sources) {
        expect(words(text), title).toBeGreaterThanOrEqual(400);
        expect(words(text), title).toBeLessThanOrEqual(900);
      }
    }
  });
});

describe("the sample project", () => {
  it("is eight to twelve essays with headings", () => {
    expect(sampleProject.id).toBe("demo/reading");
    expect(sampleProject.documents.length).toBeGreaterThanOrEqual(8);
    expect(sampleProject.documents.length).toBeLessThanOrEqual(12);
    for (const { file, text } of sampleProject.documents) {
      expect(words(text), file).toBeGreaterThanOrEqual(600);
      expect(words(text), file).toBeLessThanOrEqual(1200);
      expect(text, file).toMatch(/^# \S/);
      expect(text.match(/^## \S/gm)?.length, file).toBeGreaterThanOrEqual(3);
    }
  });

  it("can be cited: one citekey each, and CSL that carries it", () => {
    expect(duplicates(sampleProject.documents.map(({ citekey }) => citekey))).toEqual([]);
    expect(duplicates(sampleProject.documents.map(({ file }) => file))).toEqual([]);
    for (const { citekey, csl, text } of sampleProject.documents) {
      expect(csl.id).toBe(citekey);
      expect(text).toContain(csl.title);
      expect(csl).toMatchObject({ type: "chapter", "container-title": "Bookwheel Sample Texts" });
    }
  });
});

it("leaves nothing blank", () => {
  const trimmed = sampleProject.documents.map((document) => ({ ...document, text: document.text.trim() }));
  expect(blanks({ sampleWorks, sampleDocuments, sampleNotebooks, trimmed })).toEqual([]);
});

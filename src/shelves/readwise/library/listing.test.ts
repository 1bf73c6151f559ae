import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateLibrary } from "../../../../sandbox/readwise/generate.js";
import type { Connected } from "../../../../tests/support/connect.js";
import { type Fixture, readwiseFixture } from "../../../../tests/support/readwise.js";

// The library itself, read directly, is what every filtered list is compared with.
const library = generateLibrary({ sources: 90, highlights: 1_500, documents: 260, feed: 150 });
const highlights = library.liveHighlights();
const documents = [...library.documents.values()];
const bookOf = (id: number) => library.books.get(id)!;
const texts = documents.filter(({ category }) => category !== "highlight" && category !== "note");

let fixture: Fixture;
let client: Connected;
beforeAll(async () => {
  fixture = await readwiseFixture({ libraries: { key: library }, limits: false });
  client = await fixture.as("key");
});
afterAll(() => fixture.close());

type Item = { id: number | string };
type Row = Item & { highlight?: Item; document?: Item };

/** Every item of a list, page after page, each answer within its budget. */
async function everything(tool: string, args: Record<string, unknown> = {}, most = 20_000) {
  const ids: (number | string)[] = [];
  const counts = new Set<unknown>();
  let cursor: unknown;
  do {
    const answer = await client.call(tool, { ...args, ...(cursor ? { cursor } : {}) });
    expect(answer.error).toBeUndefined();
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(most);
    if ("next" in answer) expect(answer.next).toBe(answer.next_cursor ?? null);
    counts.add(answer.count);
    for (const row of answer.results as Row[]) ids.push((row.highlight ?? row.document ?? row).id);
    cursor = answer.next_cursor;
  } while (cursor);
  return { ids, counts: [...counts] };
}
const sorted = (ids: readonly (number | string)[]) => [...ids].map(String).sort();
const count = async (tool: string, filter: string) => (await client.call(tool, { filter })).count;

describe("following next_cursor gives every item exactly once", () => {
  const all = highlights.map(({ id }) => id);
  const books = [...library.books.values()].map(({ id }) => id);
  it.each([
    ["list_sources", {}, books, 20_000],
    ["list_sources", { page_size: 1000 }, books, 40_000],
    ["list_sources", { sort: "most_highlighted" }, books, 20_000],
    ["list_highlights", {}, all, 20_000],
    ["list_highlights", { page_size: 1000 }, all, 40_000],
    ["list_highlights", { sort: "oldest" }, all, 20_000],
    ["search_highlights", { limit: 200 }, all, 40_000],
    ["list_documents", {}, texts.map(({ id }) => id), 20_000],
    ["list_documents", { limit: 100, include_children: true }, documents.map(({ id }) => id), 40_000],
    ["list_documents", { sort: "newest" }, texts.map(({ id }) => id), 20_000],
    ["search_documents", {}, texts.map(({ id }) => id), 20_000],
  ])("%s %o", async (tool, args, expected, most) => {
    const { ids } = await everything(tool, args, most);
    expect(new Set(ids).size).toBe(ids.length);
    expect(sorted(ids)).toEqual(sorted(expected));
  });

  it("also for videos, whether Reader calls them videos or posts", async () => {
    const videos = texts.filter(
      ({ category, site_name }) => category === "video" || (category === "rss" && site_name === "YouTube"),
    );
    expect(videos.some(({ category }) => category === "rss")).toBe(true);
    for (const args of [{}, { limit: 100 }, { filter: "" }])
      expect(sorted((await everything("list_videos", args, 40_000)).ids)).toEqual(sorted(videos.map(({ id }) => id)));
  });

  it("also for the export, and for the hits of a search", async () => {
    const ids: number[] = [];
    let cursor: unknown;
    do {
      const page = await client.call("export_highlights", cursor ? { cursor } : {});
      expect(JSON.stringify(page).length).toBeLessThanOrEqual(20_000);
      for (const source of page.results as { highlights: Item[] }[])
        for (const { id } of source.highlights) ids.push(id as number);
      cursor = page.next_cursor;
    } while (cursor);
    expect(sorted(ids)).toEqual(sorted(all));
    const found = await everything("search_highlights", { query: "the", limit: 200 }, 40_000);
    expect(new Set(found.ids).size).toBe(200);
    expect(found.ids).toHaveLength(200);
  });
});

describe("a filter of highlights", () => {
  const matching = (test: (highlight: (typeof highlights)[number]) => boolean) => highlights.filter(test).length;
  const lower = (tags: readonly { name: string }[]) => tags.map(({ name }) => name.toLowerCase());
  const tags = (highlight: (typeof highlights)[number]) => lower(highlight.tags);
  const tag = tags(highlights.find((each) => tags(each).length > 0)!)[0]!;
  const sourceTags = (highlight: (typeof highlights)[number]) => lower(bookOf(highlight.book_id).tags);
  const sourceTag = sourceTags(highlights.find((each) => sourceTags(each).length > 0)!)[0]!;
  const author = bookOf(highlights[0]!.book_id).author!.split(" ")[0]!;
  const JANUARY = Date.UTC(2025, 0, 1);

  it.each([
    [`tag:"${tag}"`, matching((each) => tags(each).includes(tag))],
    [`-tag:"${tag}"`, matching((each) => !tags(each).includes(tag))],
    [`source_tag:"${sourceTag}"`, matching((each) => sourceTags(each).includes(sourceTag))],
    ["untagged", matching((each) => tags(each).length === 0)],
    ["-untagged", matching((each) => tags(each).length > 0)],
    [`author:${author}`, matching((each) => (bookOf(each.book_id).author ?? "").includes(author))],
    [`source:${highlights[0]!.book_id}`, matching((each) => each.book_id === highlights[0]!.book_id)],
    ["category:books", matching((each) => bookOf(each.book_id).category === "books")],
    ["category:article", matching((each) => bookOf(each.book_id).category === "articles")],
    ["color:blue,green", matching(({ color }) => color === "blue" || color === "green")],
    ["has:note", matching(({ note }) => Boolean(note?.trim()))],
    ["is:favorite", matching(({ is_favorite }) => is_favorite)],
    ["is:favourite -has:note", matching(({ is_favorite, note }) => is_favorite && !note?.trim())],
    ["after:2025", matching(({ highlighted_at }) => (highlighted_at ?? 0) >= JANUARY)],
    ["before:2025-01", matching(({ highlighted_at }) => highlighted_at !== null && highlighted_at < JANUARY)],
  ])("%s", async (filter, expected) => {
    expect(expected).toBeGreaterThan(0);
    expect(await count("list_highlights", filter)).toBe(expected);
    expect(await count("search_highlights", filter)).toBe(expected);
  });

  it("narrows a search by words", async () => {
    const wide = await client.call("search_highlights", { query: "the" });
    const narrow = await client.call("search_highlights", { query: "the", filter: "is:favorite" });
    expect(narrow.count).toBeGreaterThan(0);
    expect(narrow.count).toBeLessThan(wide.count as number);
    for (const { highlight } of narrow.results as { highlight: { is_favorite: boolean } }[])
      expect(highlight.is_favorite).toBe(true);
  });

  it("sorts by when it was highlighted, and what has no date comes last", async () => {
    for (const [sort, sign] of [
      ["newest", -1],
      ["oldest", 1],
    ] as const) {
      const { results } = await client.call("list_highlights", { sort, page_size: 100 });
      const times = (results as { highlighted_at?: string }[]).map(({ highlighted_at }) => Date.parse(highlighted_at!));
      expect(times).toEqual(times.toSorted((a, b) => sign * (a - b)));
    }
  });

  it("counts by tag, source and month instead of listing", async () => {
    const bySource = await client.call("list_highlights", { count_by: "source" });
    const expected = new Map<number, number>();
    for (const { book_id } of highlights) expected.set(book_id, (expected.get(book_id) ?? 0) + 1);
    const rows = bySource.counts as { value: string; count: number; source_id: number }[];
    expect(bySource.results).toEqual([]);
    expect(rows.map(({ count }) => count)).toEqual([...expected.values()].sort((a, b) => b - a));
    for (const row of rows) {
      expect(row.count).toBe(expected.get(row.source_id));
      expect(row.value).toBe(bookOf(row.source_id).title);
    }
    const byMonth = await client.call("list_highlights", { count_by: "month", filter: "color:blue" });
    const total = (byMonth.counts as { count: number }[]).reduce((sum, row) => sum + row.count, 0);
    const months = (byMonth.counts as { value: string }[]).map(({ value }) => value);
    expect(months).toEqual(months.toSorted().reverse());
    expect(total).toBe(matching(({ color, highlighted_at }) => color === "blue" && highlighted_at !== null));
    const byTag = await client.call("list_highlights", { count_by: "tag" });
    const top = (byTag.counts as { value: string; count: number }[])[0]!;
    expect(top.count).toBe(matching((each) => tags(each).includes(top.value.toLowerCase())));
  });
});

describe("a filter of documents", () => {
  const matching = (test: (document: (typeof texts)[number]) => boolean) => texts.filter(test).length;
  const key = Object.keys(texts.find(({ tags }) => Object.keys(tags ?? {}).length > 0)!.tags!)[0]!;
  it.each([
    [`tag:"${key}"`, matching(({ tags }) => tags?.[key] !== undefined)],
    ["untagged", matching(({ tags }) => Object.keys(tags ?? {}).length === 0)],
    ["location:inbox", matching(({ location }) => location === "new")],
    ["category:video,podcast", matching(({ category }) => category === "video" || category === "podcast")],
    ["is:seen", matching(({ first_opened_at }) => first_opened_at !== null)],
    ["is:finished", matching(({ reading_progress }) => reading_progress >= 0.95)],
    ["progress:>0.2 progress:<=50%", matching(({ reading_progress: at }) => at > 0.2 && at <= 0.5)],
    ["progress:0.2..0.5", matching(({ reading_progress: at }) => at >= 0.2 && at <= 0.5)],
    ["site:youtube", matching(({ site_name }) => site_name === "YouTube")],
    ["saved_before:2022", matching(({ saved_at }) => saved_at < Date.UTC(2022, 0, 1))],
    ["has:note", matching(({ notes }) => notes !== "")],
  ])("%s", async (filter, expected) => {
    expect(expected).toBeGreaterThan(0);
    expect(await count("list_documents", filter)).toBe(expected);
    expect(await count("search_documents", filter)).toBe(expected);
  });

  it("counts by place, and says how old the list is", async () => {
    const { counts, as_of } = await client.call("list_documents", { count_by: "location" });
    expect(
      Object.fromEntries((counts as { value: string; count: number }[]).map(({ value, count }) => [value, count])),
    ).toMatchObject({ feed: matching(({ location }) => location === "feed") });
    expect(as_of).toBe(new Date(fixture.sandbox.now()).toISOString());
  });
});

describe("a filter that cannot be meant", () => {
  it.each([
    ["list_highlights", "tags", /'tags' is no term/],
    ["list_highlights", "flavour:sweet", /flavour: is unknown. There are tag, source_tag, author/],
    ["list_highlights", "progress:>0.5", /highlights have no progress/],
    ["list_highlights", "lang:german", /lang:german is no language. Write two letters/],
    ["list_documents", "color:blue", /documents have no color/],
    ["list_documents", "after:yesterday", /'yesterday' is no date. Write 2026, 2026-01/],
    ["list_documents", 'author:"Ann', /a quotation mark is not closed/],
    ["search_documents", "is:great", /is:great is unknown/],
    ["list_sources", "progress:1", /sources have no progress/],
  ])("to %s: %s", async (tool, filter, message) => {
    expect(await client.call(tool, { filter })).toMatchObject({
      error: { code: "invalid_param", message: expect.stringMatching(message) },
    });
  });

  it("names unknown fields", async () => {
    expect(await client.call("list_documents", { fields: "id,name" })).toMatchObject({
      error: { code: "invalid_param", message: expect.stringContaining("name unknown; there are id, url") },
    });
  });
});

it("shows the fields asked for, and the same record everywhere", async () => {
  const { results } = await client.call("list_documents", { fields: "title, saved_at", limit: 1 });
  expect(Object.keys((results as object[])[0]!).sort()).toEqual(["id", "saved_at", "title"]);
  const [listed] = (await client.call("list_highlights", { page_size: 1 })).results as { id: number }[];
  const filtered = (await client.call("list_highlights", { sort: "newest", page_size: 1000 })).results as Item[];
  const inExport = (await client.call("export_highlights", {})).results as { highlights: Item[] }[];
  const same = [
    await client.call("get_highlight", { id: listed!.id }),
    filtered.find(({ id }) => id === listed!.id),
    inExport.flatMap((source) => source.highlights).find(({ id }) => id === listed!.id),
  ];
  expect(listed).toMatchObject({ readwise_url: expect.any(String), is_favorite: expect.any(Boolean) });
  const plain = (value: unknown) =>
    Object.fromEntries(
      // List and export write the same moment with another number of digits.
      Object.entries(value as object).map(([name, one]) => [name, /_at$/.test(name) ? Date.parse(String(one)) : one]),
    );
  const { document_id: _, source_title: _title, author: _author, ...first } = plain(listed);
  for (const one of same.filter(Boolean)) expect(plain(one)).toMatchObject(first);
});

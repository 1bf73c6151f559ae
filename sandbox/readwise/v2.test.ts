import { afterEach, describe, expect, it } from "vitest";
import { Library } from "./library.js";
import { type ReadwiseSandbox, type ReadwiseSandboxOptions, startReadwiseSandbox } from "./server.js";
import type { Unknowns } from "./unknowns.js";

const NOW = Date.UTC(2026, 1, 3, 10);
const open: ReadwiseSandbox[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

/** Two sources: one read on a Kindle, one from Reader. */
function tides(): Library {
  const library = new Library("tides");
  const book = library.addBook({ title: "Low Water", author: "R. Moss", tags: ["sea"] }, NOW - 9_000_500);
  library.addHighlight(
    book,
    { text: "Water keeps no straight lines.", location: 12, location_type: "page", color: "blue", tags: ["blue"] },
    NOW - 9_000_500,
  );
  library.addHighlight(book, { text: "No date on this one.", highlighted_at: null }, NOW - 8_000_000);
  const document = library.addDocument(
    { category: "article", title: "A Field Guide to Tides", source_url: "https://tides.example/guide" },
    NOW - 5_000_000,
  );
  library.addReaderHighlight(document, { text: "The moon pulls first.", note: "twice a day" }, NOW - 4_000_000);
  return library;
}

async function start(options: ReadwiseSandboxOptions = {}) {
  const sandbox = await startReadwiseSandbox({
    clock: () => NOW,
    libraries: { key: tides },
    limits: false,
    ...options,
  });
  open.push(sandbox);
  const call = async (method: string, path: string, body?: unknown, token = "key") => {
    const response = await fetch(`${sandbox.url}/api/v2${path}`, {
      method,
      headers: { authorization: `Token ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: text === "" ? null : JSON.parse(text) };
  };
  const create = (...highlights: object[]) => call("POST", "/highlights/", { highlights });
  return { sandbox, call, create, library: sandbox.state("key") };
}

const withUnknowns = (unknowns: Partial<Unknowns>) => start({ unknowns });

const BOOK_KEYS =
  "asin author category cover_image_url document_note highlights_url id last_highlight_at num_highlights source source_url tags title updated";
const HIGHLIGHT_KEYS = "book_id color external_id highlighted_at id location location_type note tags text updated url";
const EXPORT_BOOK_KEYS =
  "asin author book_tags category cover_image_url document_note external_id highlights is_deleted readable_title readwise_url source source_url summary title unique_url user_book_id";
const EXPORT_HIGHLIGHT_KEYS =
  "book_id color created_at end_location external_id highlighted_at id is_deleted is_discard is_favorite location location_type note readwise_url tags text updated_at url";
const REVIEW_KEYS =
  "api_source author category highlight_url highlighted_at id image_url location location_type note source_type source_url text title url";
const keys = (value: object) => Object.keys(value).sort().join(" ");

describe("the token", () => {
  it("is good when /auth/ answers 204 with nothing", async () => {
    const { call } = await start();
    expect(await call("GET", "/auth/")).toMatchObject({ status: 204, text: "" });
  });

  it("is refused with 401 and a detail when it is wrong, missing or of another scheme", async () => {
    const { sandbox, call } = await start();
    expect(await call("GET", "/auth/", undefined, "other")).toMatchObject({
      status: 401,
      json: { detail: "Invalid token." },
    });
    const wrong: Record<string, string>[] = [{}, { authorization: "Bearer key" }];
    for (const headers of wrong) {
      const response = await fetch(`${sandbox.url}/api/v2/auth/`, { headers });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ detail: "Authentication credentials were not provided." });
    }
  });

  it("comes before the path: an unknown path without a token is 401, with one 404", async () => {
    const { sandbox, call } = await start();
    expect((await fetch(`${sandbox.url}/api/v2/nothing/`)).status).toBe(401);
    expect((await call("GET", "/nothing/")).status).toBe(404);
    expect((await call("PUT", "/books/")).status).toBe(405);
  });
});

describe("GET /books/", () => {
  it("has these keys and no others, with tags that name their source", async () => {
    const { call, library } = await start();
    const { json } = await call("GET", "/books/");
    expect(json).toMatchObject({ count: 2, next: null, previous: null });
    for (const book of json.results) expect(keys(book)).toBe(BOOK_KEYS);
    const kindle = json.results[1];
    expect(kindle.tags).toEqual([{ id: expect.any(Number), user_book: kindle.id, name: "sea" }]);
    expect(kindle.num_highlights).toBe(2);
    expect(kindle.highlights_url).toBe(`https://readwise.io/bookreview/${kindle.id}`);
    expect(kindle.last_highlight_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(json.results[0].id).toBe([...library.books.keys()].at(-1));
  });

  it("pages with absolute links and 404 past the end", async () => {
    const { call, sandbox } = await start();
    const first = (await call("GET", "/books/?page_size=1")).json;
    expect(first.next).toBe(`${sandbox.url}/api/v2/books/?page=2&page_size=1`);
    const second = (await call("GET", "/books/?page_size=1&page=2")).json;
    expect(second).toMatchObject({ count: 2, next: null, previous: `${sandbox.url}/api/v2/books/?page_size=1` });
    expect(second.results[0].id).not.toBe(first.results[0].id);
    expect(await call("GET", "/books/?page=3&page_size=1")).toMatchObject({
      status: 404,
      json: { detail: "Invalid page." },
    });
    expect((await call("GET", "/books/?page_size=5000")).json.results).toHaveLength(2);
  });

  it("filters, and refuses a malformed date", async () => {
    const { call } = await start();
    const titles = async (query: string) =>
      (await call("GET", `/books/?${query}`)).json.results.map((book: { title: string }) => book.title);
    expect(await titles("source=reader")).toEqual(["A Field Guide to Tides"]);
    expect(await titles("category=books")).toEqual(["Low Water"]);
    expect(await titles("num_highlights__gt=1")).toEqual(["Low Water"]);
    expect(await titles(`updated__gt=${new Date(NOW - 5_000_000).toISOString()}`)).toEqual(["A Field Guide to Tides"]);
    expect((await call("GET", "/books/?updated__gt=2026-01-01T00:00:00%2B00:00Z")).status).toBe(400);
    expect((await call("GET", "/books/?updated__gt=2026-01-01T00:00:00+00:00")).status).toBe(400);
    expect((await call("GET", "/books/?updated__gt=2026-01-01T00:00:00%2B00:00")).status).toBe(200);
  });

  it("answers one source by its id, with and without the closing slash, else 404", async () => {
    const { call, library } = await start();
    const id = [...library.books.keys()][0];
    expect(keys((await call("GET", `/books/${id}/`)).json)).toBe(BOOK_KEYS);
    expect((await call("GET", `/books/${id}`)).status).toBe(200);
    expect(await call("GET", "/books/7/")).toMatchObject({ status: 404, json: { detail: "Not found." } });
    expect((await call("GET", "/books/abc/")).status).toBe(404);
  });
});

describe("highlights", () => {
  it("have these keys in lists and alone", async () => {
    const { call } = await start();
    const { json } = await call("GET", "/highlights/");
    expect(json.count).toBe(3);
    for (const highlight of json.results) expect(keys(highlight)).toBe(HIGHLIGHT_KEYS);
    const reader = json.results[0];
    expect(reader.url).toMatch(/^https:\/\/read\.readwise\.io\/read\/[0-9a-z]{26}$/);
    expect(reader.location_type).toBe("offset");
    expect((await call("GET", `/highlights/${reader.id}/`)).json).toEqual(reader);
  });

  it("drop out of a date filter when they have no date", async () => {
    const { call } = await start();
    expect((await call("GET", "/highlights/?highlighted_at__gt=2000-01-01")).json.count).toBe(2);
    expect((await call("GET", "/highlights/?updated__gt=2000-01-01")).json.count).toBe(3);
  });

  it("can be narrowed to one source", async () => {
    const { call, library } = await start();
    const id = [...library.books.keys()][0];
    expect((await call("GET", `/highlights/?book_id=${id}`)).json.count).toBe(2);
    expect((await call("GET", "/highlights/?book_id=x")).status).toBe(400);
  });

  it("change by PATCH, which answers the whole highlight and ignores other keys", async () => {
    const { call, library } = await start();
    const id = [...library.highlights.keys()][0];
    const { status, json } = await call("PATCH", `/highlights/${id}/`, {
      note: "",
      location: 0,
      color: "pink",
      book_id: 1,
    });
    expect(status).toBe(200);
    expect(keys(json)).toBe(HIGHLIGHT_KEYS);
    expect(json).toMatchObject({ note: "", location: 0, color: "pink", updated: "2026-02-03T10:00:00Z" });
    expect(json.book_id).not.toBe(1);
    expect((await call("PATCH", `/highlights/${id}/`, { color: "mauve" })).json).toEqual({
      color: ['"mauve" is not a valid choice.'],
    });
  });

  it("are deleted once with 204, then 404", async () => {
    const { call, library } = await start();
    const id = [...library.highlights.keys()][0];
    expect(await call("DELETE", `/highlights/${id}/`)).toMatchObject({ status: 204, text: "" });
    expect((await call("DELETE", `/highlights/${id}/`)).status).toBe(404);
    expect((await call("GET", `/highlights/${id}/`)).status).toBe(404);
  });
});

describe("POST /highlights/", () => {
  it("answers 200 with the touched sources and the ids it made, not the highlights", async () => {
    const { create, call } = await start();
    const { status, json } = await create(
      {
        text: "One.",
        title: "New Book",
        author: "A. B.",
        source_type: "our_app",
        image_url: "https://img.example/c.png",
      },
      { text: "Two.", title: "New Book", author: "A. B.", source_type: "our_app" },
      { text: "Three.", title: "Another" },
    );
    expect(status).toBe(200);
    expect(json).toHaveLength(2);
    expect(keys(json[0])).toBe(
      `${BOOK_KEYS} modified_highlights resurface_weighting source_syncs_all_books_together`
        .split(" ")
        .sort()
        .join(" "),
    );
    expect(json[0]).toMatchObject({
      title: "New Book",
      source: "our_app",
      category: "books",
      num_highlights: 2,
      resurface_weighting: 1,
      source_syncs_all_books_together: false,
      modified_highlights: [expect.any(Number), expect.any(Number)],
    });
    const made = await call("GET", `/highlights/${json[0].modified_highlights[1]}/`);
    expect(made.json).toMatchObject({
      text: "Two.",
      location: 2,
      location_type: "order",
      highlighted_at: "2026-02-03T10:00:00Z",
    });
  });

  it("does nothing for a duplicate and gives no id for it", async () => {
    const { create } = await start();
    const item = { text: "Again.", title: "T", author: "A", source_url: "https://t.example/" };
    const first = (await create(item)).json;
    const second = await create(item);
    expect(second.status).toBe(200);
    expect(second.json).toMatchObject([{ id: first[0].id, num_highlights: 1, modified_highlights: [] }]);
  });

  it("changes the earlier highlight when its highlight_url comes again with another text", async () => {
    const { create, call } = await start();
    const url = "https://t.example/#at-1";
    const [{ modified_highlights }] = (await create({ text: "Before.", title: "T", highlight_url: url })).json;
    const again = (await create({ text: "After.", title: "T", highlight_url: url })).json;
    expect(again[0].modified_highlights).toEqual(modified_highlights);
    expect((await call("GET", `/highlights/${modified_highlights[0]}/`)).json).toMatchObject({ text: "After.", url });
  });

  it("falls back to the Quotes source, the domain as author and a category from the address", async () => {
    const { create } = await start();
    expect((await create({ text: "a" })).json[0]).toMatchObject({ title: "Quotes", author: null, category: "books" });
    expect((await create({ text: "a", title: "T", source_url: "https://blog.example/x" })).json[0]).toMatchObject({
      author: "blog.example",
      category: "articles",
      source: "api_article",
    });
  });

  it("ignores book_id, color and tags", async () => {
    const { create, call, library } = await start();
    const [book] = (
      await create({ text: "x", title: "Elsewhere", book_id: [...library.books.keys()][0], color: "pink", tags: ["t"] })
    ).json;
    expect(book.title).toBe("Elsewhere");
    expect((await call("GET", `/highlights/${book.modified_highlights[0]}/`)).json).toMatchObject({
      color: "",
      tags: [],
    });
  });

  it("refuses all when one item is wrong, with an array that follows the input", async () => {
    const { create, library } = await start();
    const before = library.highlights.size;
    const astral = "🌊".repeat(8191);
    expect((await create({ text: "fine" }, { text: `${astral}x` })).json).toEqual([
      {},
      { text: ["Ensure this field has no more than 8191 characters."] },
    ]);
    expect((await create({ title: "no text" })).json).toEqual([{ text: ["This field is required."] }]);
    expect((await create({ text: "x", category: "supplementals" })).status).toBe(400);
    expect((await create({ text: "x", source_type: "my app" })).status).toBe(400);
    expect((await create({ text: "x", highlighted_at: "yesterday" })).status).toBe(400);
    expect(library.highlights.size).toBe(before);
    expect((await create({ text: astral })).status).toBe(200);
    expect(await create()).toMatchObject({ status: 400, json: { non_field_errors: ["No data provided"] } });
  });

  it("makes tags of .words in the note, but not of one that was removed", async () => {
    const { create, call } = await start();
    const [book] = (await create({ text: "x", note: ".sea see p. 3.5 .low-water" })).json;
    const path = `/highlights/${book.modified_highlights[0]}`;
    const { tags } = (await call("GET", `${path}/`)).json;
    expect(tags.map((tag: { name: string }) => tag.name)).toEqual(["sea", "low-water"]);
    await call("DELETE", `${path}/tags/${tags[0].id}`);
    const changed = await call("PATCH", `${path}/`, { note: ".sea .moon" });
    expect(changed.json.tags.map((tag: { name: string }) => tag.name)).toEqual(["low-water", "moon"]);
  });

  it("breaks down under too many at once", async () => {
    const { sandbox, library } = await withUnknowns({ createMax: 2 });
    const before = library.highlights.size;
    const response = await fetch(`${sandbox.url}/api/v2/highlights/`, {
      method: "POST",
      headers: { authorization: "Token key" },
      body: JSON.stringify({ highlights: [{ text: "1" }, { text: "2" }, { text: "3" }] }),
    });
    expect(response.status).toBe(503);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(library.highlights.size).toBe(before);
  });

  it("joins an existing source by title, author and address, or by fewer or more of them", async () => {
    const item = { text: "new", title: "Low Water", author: "R. Moss" };
    const sameAs = async (unknowns: Partial<Unknowns>, extra: object) => {
      const { create, library } = await withUnknowns(unknowns);
      return (await create({ ...item, ...extra })).json[0].id === [...library.books.keys()][0];
    };
    expect(await sameAs({}, {})).toBe(true);
    expect(await sameAs({}, { source_url: "https://x.example/" })).toBe(false);
    expect(await sameAs({ bookMatch: "title_author" }, { source_url: "https://x.example/" })).toBe(true);
    expect(await sameAs({ bookMatch: "title_author_url_source" }, {})).toBe(false);
  });
});

describe("tags", () => {
  it("are listed in pages, added with 200, renamed, and removed with 204", async () => {
    const { call, library } = await start();
    const books = `/books/${[...library.books.keys()][0]}/tags`;
    const highlights = `/highlights/${[...library.highlights.keys()][1]}/tags`;
    expect((await call("GET", books)).json).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [{ id: expect.any(Number), name: "sea" }],
    });
    for (const path of [books, highlights]) {
      const added = await call("POST", `${path}/`, { name: "moon" });
      expect(added).toMatchObject({ status: 200, json: { id: expect.any(Number), name: "moon" } });
      expect((await call("POST", path, { name: "moon" })).json).toEqual(added.json);
      const tag = `${path}/${added.json.id}`;
      expect((await call("GET", tag)).json).toEqual(added.json);
      expect((await call("PATCH", tag, { name: "sun" })).json).toEqual({ id: added.json.id, name: "sun" });
      expect((await call("DELETE", tag)).status).toBe(204);
      expect((await call("GET", tag)).status).toBe(404);
    }
  });

  it("have names up to 512 characters on sources and 127 on highlights", async () => {
    const { call, library } = await start();
    const books = `/books/${[...library.books.keys()][0]}/tags/`;
    const highlights = `/highlights/${[...library.highlights.keys()][0]}/tags/`;
    expect((await call("POST", books, { name: "é".repeat(512) })).status).toBe(200);
    expect((await call("POST", books, { name: "é".repeat(513) })).status).toBe(400);
    expect((await call("POST", highlights, { name: "é".repeat(127) })).status).toBe(200);
    expect((await call("POST", highlights, { name: "é".repeat(128) })).json).toEqual({
      name: ["Ensure this field has no more than 127 characters."],
    });
    expect((await call("POST", highlights, {})).status).toBe(400);
  });

  it("may answer 201, and may come twice", async () => {
    const { call, library } = await withUnknowns({ tagCreate: 201, tagTwice: "second" });
    const path = `/books/${[...library.books.keys()][0]}/tags/`;
    expect(await call("POST", path, { name: "sea" })).toMatchObject({ status: 201 });
    expect((await call("GET", path)).json.count).toBe(2);
  });
});

describe("GET /export/", () => {
  it("has its own keys, with highlights inside", async () => {
    const { call, library } = await start();
    const { json } = await call("GET", "/export/");
    expect(keys(json)).toBe("count nextPageCursor results");
    expect(json).toMatchObject({ count: 3, nextPageCursor: null });
    for (const book of json.results) {
      expect(keys(book)).toBe(EXPORT_BOOK_KEYS);
      for (const highlight of book.highlights) {
        expect(keys(highlight)).toBe(EXPORT_HIGHLIGHT_KEYS);
        expect(highlight.updated_at).toMatch(/T\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(highlight.readwise_url).toBe(`https://readwise.io/open/${highlight.id}`);
      }
    }
    const [reader, kindle] = json.results;
    const document = [...library.documents.values()].find(({ category }) => category === "article")!;
    expect(reader).toMatchObject({
      source: "reader",
      external_id: document.id,
      unique_url: `https://read.readwise.io/read/${document.id}`,
    });
    expect(kindle.book_tags).toEqual([{ id: expect.any(Number), name: "sea" }]);
  });

  it("pages newest source first, by an integer cursor, and counts highlights over all pages", async () => {
    const { call } = await start({ exportPageSize: 1 });
    const first = (await call("GET", "/export/")).json;
    expect(first).toMatchObject({ count: 3, nextPageCursor: expect.any(Number) });
    const second = (await call("GET", `/export/?pageCursor=${first.nextPageCursor}`)).json;
    expect(second).toMatchObject({ count: 3, nextPageCursor: null });
    expect(first.results[0].user_book_id).toBeGreaterThan(second.results[0].user_book_id);
    expect((await call("GET", "/export/?pageCursor=abc")).status).toBe(400);
  });

  it("lists only the changed highlights of a source after a time, and can be asked for whole sources by id", async () => {
    const { call, library, sandbox } = await start();
    const since = new Date(sandbox.now()).toISOString();
    sandbox.advance(5_000);
    const highlight = [...library.highlights.values()][0]!;
    await call("PATCH", `/highlights/${highlight.id}/`, { note: "changed" });
    const { json } = await call("GET", `/export/?updatedAfter=${since}`);
    expect(json.count).toBe(1);
    expect(json.results).toMatchObject([
      { user_book_id: highlight.book_id, highlights: [{ id: highlight.id, note: "changed" }] },
    ]);
    const whole = (await call("GET", `/export/?ids=${highlight.book_id}`)).json;
    expect(whole.results[0].highlights).toHaveLength(2);
    expect((await call("GET", "/export/?updatedAfter=soon")).status).toBe(400);
  });

  it("shows deletions only when asked", async () => {
    const { call, library, sandbox } = await start();
    const since = new Date(sandbox.now()).toISOString();
    sandbox.advance(5_000);
    const [gone, other] = [...library.highlights.values()];
    await call("DELETE", `/highlights/${gone!.id}/`);
    library.deleteBook([...library.books.values()][1]!, sandbox.now());
    const plain = (await call("GET", "/export/")).json;
    expect(plain.count).toBe(1);
    expect(plain.results).toMatchObject([{ is_deleted: false, highlights: [{ id: other!.id }] }]);
    const delta = (await call("GET", `/export/?updatedAfter=${since}&includeDeleted=true`)).json;
    expect(delta.results).toMatchObject([
      { is_deleted: true, highlights: [{ is_deleted: true }] },
      { is_deleted: false, highlights: [{ id: gone!.id, is_deleted: true }] },
    ]);
  });

  it("may or may not name a source of which only a tag changed", async () => {
    for (const exportBookChanges of ["omit", "list"] as const) {
      const { call, library, sandbox } = await withUnknowns({ exportBookChanges });
      const since = new Date(sandbox.now()).toISOString();
      sandbox.advance(5_000);
      const id = [...library.books.keys()][0];
      await call("POST", `/books/${id}/tags/`, { name: "new" });
      const { results } = (await call("GET", `/export/?updatedAfter=${since}`)).json;
      expect(results.map((book: { highlights: unknown[] }) => book.highlights)).toEqual(
        exportBookChanges === "list" ? [[]] : [],
      );
    }
  });

  it("refuses a URL with too many ids", async () => {
    const { sandbox } = await start();
    const response = await fetch(`${sandbox.url}/api/v2/export/?ids=${"41000001,".repeat(950)}1`, {
      headers: { authorization: "Token key" },
    });
    expect(response.status).toBe(414);
  });
});

describe("GET /review/", () => {
  it("draws the same highlights all day, and others on another day of a larger library", async () => {
    const { call, sandbox, create } = await start();
    await create(...Array.from({ length: 60 }, (_, i) => ({ text: `Saying ${i}`, title: "Sayings" })));
    const today = (await call("GET", "/review/")).json;
    expect(keys(today)).toBe("highlights review_completed review_id review_url");
    expect(today.highlights).toHaveLength(5);
    for (const item of today.highlights) expect(keys(item)).toBe(REVIEW_KEYS);
    await create({ text: "Added later" });
    expect((await call("GET", "/review/")).json).toEqual(today);
    sandbox.advance(86_400_000);
    const tomorrow = (await call("GET", "/review/")).json;
    expect(tomorrow.review_id).not.toBe(today.review_id);
    expect(tomorrow.highlights).not.toEqual(today.highlights);
  });
});

it("keeps the libraries of two tokens apart", async () => {
  const { sandbox, call } = await start({ libraries: { key: tides, other: tides } });
  const id = [...sandbox.state("key").highlights.keys()][0];
  await call("PATCH", `/highlights/${id}/`, { note: "mine" });
  expect((await call("GET", `/highlights/${id}/`, undefined, "other")).json.note).toBe("");
});

import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("creates one in a source it makes", async () => {
  expect(
    await shelf.client.call("create_highlight", {
      text: "Ebb",
      source_title: "New book",
      source_author: "A",
      note: "n",
      location: 0,
      location_type: "page",
    }),
  ).toMatchInlineSnapshot(`
    {
      "book_id": 41000004,
      "created_at": "2026-06-15T12:00:00.000Z",
      "duplicate": false,
      "highlighted_at": "2026-06-15T12:00:00Z",
      "id": 702000005,
      "is_discard": false,
      "is_favorite": false,
      "kept_in": "readwise",
      "location": 0,
      "location_type": "page",
      "note": "n",
      "readwise_url": "https://readwise.io/open/702000005",
      "source_id": 41000004,
      "tags": [],
      "text": "Ebb",
      "updated_at": "2026-06-15T12:00:00Z",
    }
  `);
});

it.each(["javascript:alert(1)", " JavaScript:alert(1)", "data:text/html,x"])(
  "takes no address %j",
  async (source_url) => {
    expect(
      await shelf.client.call("create_highlight", { text: "Ebb", source_title: "New book", source_url }),
    ).toMatchObject({ error: { type: "validation_error", message: expect.stringContaining("runs code") } });
  },
);

it("creates one in a source that is there", async () => {
  expect(await shelf.client.call("create_highlight", { text: "Flow", source_id: shelf.small.tides.id })).toMatchObject({
    book_id: shelf.small.tides.id,
    duplicate: false,
  });
});

it("says that a source keeps its own title when another came along with its id", async () => {
  expect(
    await shelf.client.call("create_highlight", {
      text: "Flow",
      source_id: shelf.small.tides.id,
      source_title: "Rivers",
    }),
  ).toMatchObject({
    book_id: shelf.small.tides.id,
    warnings: [{ code: "not_kept", details: { fields: ["source_title"] } }],
  });
});

it("says where it landed if Readwise took the source for another one", async () => {
  shelf.fixture.sandbox.unknowns.bookMatch = "title_author_url_source";
  const answer = await shelf.client.call("create_highlight", { text: "Flow", source_id: shelf.small.law.id });
  expect(answer).toMatchObject({
    warnings: [
      {
        code: "source_mismatch",
        details: { requested_source_id: shelf.small.law.id, actual_source_id: answer.book_id },
      },
    ],
  });
  expect(answer.book_id).not.toBe(shelf.small.law.id);
});

it("finds the highlight a duplicate stands for", async () => {
  expect(
    await shelf.client.call("create_highlight", {
      text: shelf.small.lines.text,
      source_id: shelf.small.tides.id,
      note: "another",
    }),
  ).toMatchObject({
    id: shelf.small.lines.id,
    duplicate: true,
    note: "compare rivers",
    warnings: [{ code: "duplicate" }],
  });
});

it("does not report a write as failed because it could not be read back", async () => {
  shelf.fixture.sandbox.faults.set({ kind: "throttle", endpoint: "GET /api/v2/highlights/:id/" });
  expect(await shelf.client.call("create_highlight", { text: "Ebb", source_title: "New book" })).toMatchObject({
    id: expect.any(Number),
    text: "Ebb",
    warnings: [{ code: "not_read_back" }],
  });
});

it("never sends a write twice", async () => {
  shelf.fixture.sandbox.faults.set({ kind: "reset", endpoint: "POST /api/v2/highlights/", times: 1 });
  expect(await shelf.client.call("create_highlight", { text: "Ebb", source_title: "New book" })).toMatchObject({
    error: { code: "upstream_error", message: expect.stringContaining("check before") },
  });
  expect(shelf.fixture.sandbox.requests.count("POST /api/v2/highlights/")).toBe(1);
});

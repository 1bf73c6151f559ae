import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("gets a source, with what a cached export adds to it", async () => {
  expect(await shelf.client.call("get_source", { id: shelf.small.law.id })).not.toHaveProperty("readable_title");
  await shelf.client.call("search_highlights", { query: "law" });
  expect(await shelf.client.call("get_source", { id: String(shelf.small.law.id) })).toMatchInlineSnapshot(`
    {
      "category": "articles",
      "cover_image_url": "https://readwise-assets.example/covers/default.png",
      "highlight_count": 1,
      "id": 41000002,
      "last_highlight_at": "2026-05-16T12:00:02Z",
      "readable_title": "On the Rule of Law",
      "readwise_url": "https://readwise.io/bookreview/41000002",
      "source": "instapaper",
      "source_url": "https://law.example/rule",
      "tags": [],
      "title": "On the Rule of Law",
      "updated_at": "2026-05-16T12:00:02Z",
    }
  `);
});

it("reads once more where a connection is reset, and only once", async () => {
  shelf.fixture.sandbox.faults.set({ kind: "reset", endpoint: "GET /api/v2/books/:id/", times: 1 });
  expect(await shelf.client.call("get_source", { id: shelf.small.tides.id })).toMatchObject({
    id: shelf.small.tides.id,
  });
  shelf.fixture.sandbox.faults.set({ kind: "reset_body", endpoint: "GET /api/v2/books/:id/" });
  const before = shelf.fixture.sandbox.requests.count("GET /api/v2/books/:id/");
  expect(await shelf.client.call("get_source", { id: shelf.small.tides.id })).toMatchObject({
    error: { code: "upstream_error" },
  });
  expect(shelf.fixture.sandbox.requests.count("GET /api/v2/books/:id/") - before).toBe(2);
});

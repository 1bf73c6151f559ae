import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("lists sources", async () => {
  expect(await shelf.client.call("list_sources", { category: "books" })).toMatchInlineSnapshot(`
    {
      "count": 1,
      "next": null,
      "previous": null,
      "results": [
        {
          "author": "R. Moss",
          "category": "books",
          "highlight_count": 2,
          "id": 41000001,
          "last_highlight_at": "2026-05-16T12:00:01Z",
          "readwise_url": "https://readwise.io/bookreview/41000001",
          "source": "kindle",
          "tags": [
            {
              "id": 91000001,
              "name": "sea",
            },
          ],
          "title": "A Field Guide to Tides",
          "updated_at": "2026-05-16T12:00:01Z",
        },
      ],
      "truncated": false,
    }
  `);
});

it("lists only the fields that were asked for", async () => {
  const { results } = await shelf.client.call("list_sources", { fields: "title,author" });
  for (const source of results as object[])
    expect(["id", "title", "author"]).toEqual(expect.arrayContaining(Object.keys(source)));
  expect((await shelf.client.call("list_videos", { fields: "title" })).results).toEqual(
    expect.arrayContaining([{ id: expect.any(String), title: expect.any(String) }]),
  );
  expect(await shelf.client.call("list_videos", { fields: "colour" })).toMatchObject({
    error: { code: "invalid_param", message: expect.stringContaining("listening_time") },
  });
});

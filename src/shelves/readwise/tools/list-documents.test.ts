import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("lists documents, and leads on", async () => {
  const first = await shelf.client.call("list_documents", { limit: 1, category: "article" });
  expect(first).toMatchInlineSnapshot(`
    {
      "count": 1,
      "has_more": false,
      "results": [
        {
          "author": "Ana Sol",
          "category": "article",
          "id": "01krragpg0fkvdwjm1g477scpk",
          "location": "later",
          "published_date": "2026-01-17",
          "reading_progress": 0,
          "saved_at": "2026-05-16T12:00:00.000000+00:00",
          "source": "Reader add from clipboard",
          "source_url": "https://salt.example/travels",
          "summary": "Caravans, ships and the price of salt.",
          "tags": [
            {
              "key": "trade-routes",
              "name": "Trade Routes",
            },
          ],
          "title": "How salt travels",
          "updated_at": "2026-05-16T12:00:00.000000+00:00",
          "url": "https://read.readwise.io/read/01krragpg0fkvdwjm1g477scpk",
        },
      ],
      "truncated": false,
    }
  `);
  const all = await shelf.client.call("list_documents", { limit: 1 });
  expect(all).toMatchObject({ count: 3, has_more: true, next_cursor: expect.any(String) });
  expect(all.hint).toContain("includes highlights and notes");
  const last = await shelf.client.call("list_documents", { limit: 1, cursor: all.next_cursor });
  expect(last).toMatchObject({ has_more: false, results: [{}] });
  expect(last).not.toHaveProperty("next_cursor");
});

it("lists highlights and notes only where they are asked for", async () => {
  const kinds = async (args: object) =>
    ((await shelf.client.call("list_documents", { ...args })).results as { category: string }[]).map(
      (each) => each.category,
    );
  expect(await kinds({})).toEqual(["video", "article"]);
  expect(await kinds({ include_children: true })).toEqual(["highlight", "video", "article"]);
  expect(await kinds({ category: "highlight" })).toEqual(["highlight"]);
  expect(await kinds({ filter: "-untagged" })).toEqual(["article"]);
});

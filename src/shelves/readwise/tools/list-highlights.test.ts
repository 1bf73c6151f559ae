import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("lists highlights of a source", async () => {
  expect(
    await shelf.client.call("list_highlights", { source_id: shelf.small.tides.id, page_size: 1, page: 2 }),
  ).toMatchInlineSnapshot(
    { previous: 1 },
    `
    {
      "count": 2,
      "next": null,
      "previous": 1,
      "results": [
        {
          "author": "R. Moss",
          "book_id": 41000001,
          "created_at": "2026-05-16T12:00:00.000Z",
          "highlighted_at": "2026-05-16T12:00:00Z",
          "id": 702000001,
          "is_discard": false,
          "is_favorite": false,
          "location": 12,
          "location_type": "page",
          "note": "compare rivers",
          "readwise_url": "https://readwise.io/open/702000001",
          "source_id": 41000001,
          "source_title": "A Field Guide to Tides",
          "tags": [
            {
              "id": 91000002,
              "name": "shape",
            },
          ],
          "text": "Water keeps no straight lines.",
        },
      ],
      "truncated": false,
    }
  `,
  );
});

interface Row {
  id: number;
  source_title?: string;
  author?: string;
}

it("names source and author of each, filtered or not, or only where they are asked for", async () => {
  for (const request of [{}, { sort: "oldest" }]) {
    const { results } = await shelf.client.call("list_highlights", request);
    expect((results as Row[]).find(({ id }) => id === shelf.small.lines.id)).toMatchObject({
      source_title: "A Field Guide to Tides",
      author: "R. Moss",
    });
  }
  const { results } = await shelf.client.call("list_highlights", { fields: "source_title", filter: "tag:shape" });
  expect(results).toEqual([{ id: shelf.small.lines.id, source_title: "A Field Guide to Tides" }]);
});

it("tells a highlight's own tags from its source's", async () => {
  const count = async (filter: string) => (await shelf.client.call("list_highlights", { filter })).count;
  expect(await count("tag:shape")).toBe(1);
  expect(await count("tag:sea")).toBe(0);
  expect(await count("source_tag:sea")).toBe(2);
  expect(await count("untagged source_tag:sea")).toBe(1);
});

it("counts authors without the quotations that Readwise adds, unless these are asked for", async () => {
  const { library } = shelf.small;
  const quotes = library.addBook({ title: "Quotes", author: "Oscar Wilde", category: "supplementals" }, 1_000);
  library.addHighlight(quotes, { text: "Be yourself." }, 1_000);
  const byAuthor = await shelf.client.call("list_highlights", { count_by: "author" });
  expect(byAuthor.counts).toEqual(expect.arrayContaining([{ value: "R. Moss", count: 2 }]));
  expect(JSON.stringify(byAuthor.counts)).not.toContain("Wilde");
  expect(byAuthor.hint).toContain("1 quotation that Readwise adds is not counted");
  expect(
    await shelf.client.call("list_highlights", { count_by: "author", filter: "category:supplementals" }),
  ).toMatchObject({ counts: [{ value: "Oscar Wilde", count: 1 }] });
});

import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("gets a highlight, with its source's title and author", async () => {
  expect(await shelf.client.call("get_highlight", { id: shelf.small.lines.id })).toMatchInlineSnapshot(`
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
      "updated_at": "2026-05-16T12:00:00Z",
    }
  `);
});

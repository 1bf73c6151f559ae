import { expect, it } from "vitest";
import { NOON } from "../../../../tests/support/readwise.js";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("exports everything, a page of sources at a time", async () => {
  const first = await shelf.client.call("export_highlights", { limit: 1 });
  expect(first).toMatchInlineSnapshot(`
    {
      "as_of": "2026-06-15T12:00:00.000Z",
      "count": 3,
      "highlight_count": 4,
      "hint": "Call again with cursor set to next_cursor for the rest.",
      "next_cursor": "41000002",
      "results": [
        {
          "author": "Ana Sol",
          "category": "articles",
          "cover_image_url": "https://readwise-assets.example/covers/reader.png",
          "document_id": "01krragpg0fkvdwjm1g477scpk",
          "external_id": "01krragpg0fkvdwjm1g477scpk",
          "highlight_count": 1,
          "highlights": [
            {
              "book_id": 41000003,
              "created_at": "2026-05-16T12:00:03.000Z",
              "external_id": "01krragsdrxtdeqv6mpzns6amq",
              "highlighted_at": "2026-05-16T12:00:03.000Z",
              "id": 702000004,
              "is_discard": false,
              "is_favorite": false,
              "location_type": "offset",
              "readwise_url": "https://readwise.io/open/702000004",
              "source_id": 41000003,
              "tags": [],
              "text": "Salt moved by camel.",
              "updated_at": "2026-05-16T12:00:03.000Z",
              "url": "https://read.readwise.io/read/01krragsdrxtdeqv6mpzns6amq",
            },
          ],
          "id": 41000003,
          "last_highlight_at": "2026-05-16T12:00:03.000Z",
          "readable_title": "How salt travels",
          "readwise_url": "https://readwise.io/bookreview/41000003",
          "source": "reader",
          "source_url": "https://salt.example/travels",
          "summary": "Caravans, ships and the price of salt.",
          "tags": [
            {
              "id": 91000003,
              "name": "Trade Routes",
            },
          ],
          "title": "How salt travels",
          "unique_url": "https://read.readwise.io/read/01krragpg0fkvdwjm1g477scpk",
          "updated_at": "2026-05-16T12:00:03.000Z",
        },
      ],
      "truncated": true,
    }
  `);
  const rest = await shelf.client.call("export_highlights", { cursor: first.next_cursor });
  expect(rest).toMatchObject({
    next_cursor: null,
    truncated: false,
    results: [{ id: shelf.small.law.id }, { id: shelf.small.tides.id }],
  });
});

it("exports what changed", async () => {
  const later = await shelf.client.call("create_highlight", {
    text: "a later thought",
    source_id: shelf.small.tides.id,
  });
  const changed = await shelf.client.call("export_highlights", { updated_after: new Date(NOON - 1000).toISOString() });
  expect(changed).toMatchObject({
    count: 1,
    highlight_count: 1,
    results: [{ id: shelf.small.tides.id, highlights: [{ id: later.id }] }],
  });
});

import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("searches highlights", async () => {
  expect(await shelf.client.call("search_highlights", { query: "rule of law" })).toMatchInlineSnapshot(`
    {
      "as_of": "2026-06-15T12:00:00.000Z",
      "best_match": "good",
      "by_meaning": 0,
      "complete": true,
      "count": 1,
      "not_searched": [
        "Reader documents, projects and notebooks: search_library searches all of them",
      ],
      "results": [
        {
          "author": null,
          "highlight": {
            "book_id": 41000002,
            "color": "yellow",
            "highlighted_at": "2026-05-16T12:00:02.000Z",
            "id": 702000003,
            "is_discard": false,
            "is_favorite": false,
            "location_type": "none",
            "readwise_url": "https://readwise.io/open/702000003",
            "source_id": 41000002,
            "tags": [],
            "text": "The rule of law is older than the state.",
          },
          "relevance_score": 0.9357,
          "snippet": {
            "field": "text",
            "start": 4,
            "text": "The rule of law is older than the state.",
          },
          "source_title": "On the Rule of Law",
        },
      ],
      "searched": 4,
      "truncated": false,
    }
  `);
});

it("searches one source, and says how much was searched where nothing is found", async () => {
  expect(
    await shelf.client.call("search_highlights", { query: "moon", source_id: shelf.small.law.id }),
  ).toMatchInlineSnapshot(`
    {
      "as_of": "2026-06-15T12:00:00.000Z",
      "best_match": "none",
      "by_meaning": 0,
      "complete": true,
      "count": 0,
      "hint": "Nothing fits in all 1 highlights of source 41000002, searched by words. Try other words, or a prefix*.",
      "not_searched": [
        "Reader documents, projects and notebooks: search_library searches all of them",
      ],
      "results": [],
      "searched": 1,
      "truncated": false,
    }
  `);
});

it("says so when there is nothing to search", async () => {
  expect(await shelf.client.call("search_highlights", { query: "moon", source_id: 99999 })).toMatchObject({
    searched: 0,
    hint: "There are no highlights of source 99999 to search.",
  });
});

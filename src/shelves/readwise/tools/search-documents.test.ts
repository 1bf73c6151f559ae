import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("searches documents, their highlights only where asked for", async () => {
  expect(await shelf.client.call("search_documents", { query: "salt caravan" })).toMatchInlineSnapshot(`
    {
      "as_of": "2026-06-15T12:00:00.000Z",
      "best_match": "good",
      "by_meaning": 0,
      "complete": true,
      "count": 1,
      "not_searched": [
        "full texts of documents: sync_library puts them into a project, query_hybrid searches it",
      ],
      "results": [
        {
          "document": {
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
          "relevance_score": 0.5124,
          "snippet": {
            "field": "title",
            "start": 4,
            "text": "How salt travels",
          },
        },
      ],
      "searched": 3,
      "truncated": false,
    }
  `);
  expect(await shelf.client.call("search_documents", { query: "camel" })).toMatchObject({
    results: [],
    searched: 3,
    complete: true,
  });
  expect(await shelf.client.call("search_documents", { query: "camel", category: "highlight" })).toMatchObject({
    count: 1,
  });
});

it("says that there are more documents than were asked for", async () => {
  for (let i = 0; i < 3; i++)
    shelf.small.library.addDocument({ category: "article", title: `Glaciers ${i}` }, 1_000 + i);
  expect(await shelf.client.call("search_documents", { query: "glaciers", limit: 2 })).toMatchObject({
    count: 3,
    truncated: true,
    hint: expect.stringContaining("2 of 3 are listed"),
  });
});

it("puts the document first that is asked for by its title, and an author's before those that mention the name", async () => {
  const { library } = shelf.small;
  const add = (title: string, author: string, summary: string) =>
    library.addDocument({ category: "article", title, author, summary }, 1_000);
  add("A Writer Remembered", "Somebody", "Ben Okri on Ben Okri, and what Okri said: tide tables, tide tables.");
  add("The Famished Road", "Ben Okri", "A spirit child.");
  add("Tide Tables", "A. Tan", "How to read them.");
  const first = async (query: string) => {
    const { results } = await shelf.client.call("search_documents", { query });
    return (results as { document: { title: string } }[])[0]?.document.title;
  };
  expect(await first("Ben Okri")).toBe("The Famished Road");
  expect(await first("tide tables")).toBe("Tide Tables");
});

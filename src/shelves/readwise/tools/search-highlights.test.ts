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
          "relevance_score": 0.9936,
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
      "hint": "Nothing fits in 1 highlight of source 41000002, searched by words. Try other words, or a prefix*.",
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

it("says that there is more than was asked for, and counts the same whatever the limit", async () => {
  const { library, law } = shelf.small;
  for (let i = 0; i < 5; i++) library.addHighlight(law, { text: `Of time, part ${i}.` }, 1_000 + i);
  const some = await shelf.client.call("search_highlights", { query: "time", limit: 2 });
  expect(some).toMatchObject({ count: 5, truncated: true, hint: expect.stringContaining("2 of 5 are listed") });
  const all = await shelf.client.call("search_highlights", { query: "time", limit: 5 });
  expect(all).toMatchObject({ count: 5, truncated: false });
  expect(all).not.toHaveProperty("hint");
});

it("puts an author's own highlights before those that mention the name, whatever the limit and the filter", async () => {
  const { library, law } = shelf.small;
  for (let i = 0; i < 4; i++) library.addHighlight(law, { text: `Seneca, says letter ${i}: Seneca.` }, 2_000 + i);
  const letters = library.addBook({ title: "Letters from a Stoic", author: "Seneca" }, 1_000);
  for (const text of ["We suffer more in imagination.", "Begin at once to live."])
    library.addHighlight(letters, { text }, 1_000);
  for (const more of [{}, { limit: 3 }, { filter: "after:1969" }]) {
    const answer = await shelf.client.call("search_highlights", { query: "Seneca", ...more });
    const results = answer.results as { author: string | null; relevance_score: number }[];
    expect(results.slice(0, 3).map(({ author }) => author)).toEqual(["Seneca", "Seneca", null]);
    expect(answer.count).toBe(6);
    const scores = results.map(({ relevance_score }) => relevance_score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  }
});

it("finds by language what a source or a document is written in", async () => {
  const { library } = shelf.small;
  const faust = library.addBook({ title: "Faust", author: "Goethe" }, 1_000);
  library.addHighlight(faust, { text: "Es irrt der Mensch, solang er strebt." }, 1_000);
  library.addDocument(
    { category: "article", title: "Der Kasten antwortet", summary: "Ein Zettel und was er weiß." },
    1,
  );
  expect(await shelf.client.call("search_highlights", { filter: "lang:de" })).toMatchObject({
    results: [{ source_title: "Faust" }],
  });
  expect(await shelf.client.call("search_documents", { filter: "language:de" })).toMatchObject({
    results: [{ document: { title: "Der Kasten antwortet" } }],
  });
});

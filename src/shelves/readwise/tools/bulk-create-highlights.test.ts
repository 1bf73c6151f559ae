import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("creates many, in the input's order, with duplicates marked", async () => {
  const highlights = [
    { text: "one", source_title: "T" },
    { text: shelf.small.lines.text, source_title: "A Field Guide to Tides", source_author: "R. Moss" },
    { text: "two", source_title: "U" },
    { text: "one", source_title: "T" },
    { text: "one", source_title: "U" },
  ];
  const { results } = (await shelf.client.call("bulk_create_highlights", { highlights })) as {
    results: { id: number }[];
  };
  expect(results).toMatchObject([
    { duplicate: false },
    { id: shelf.small.lines.id, duplicate: true },
    { duplicate: false },
    { id: results[0]!.id, duplicate: true },
    { duplicate: false },
  ]);
  expect(new Set(results.map(({ id }) => id)).size).toBe(4);
});

it("says which items were written where a later batch fails", async () => {
  const highlights = Array.from({ length: 201 }, (_, i) => ({ text: `number ${i}`, source_title: "T" }));
  shelf.fixture.sandbox.faults.set({ kind: "status", status: 503, endpoint: "POST /api/v2/highlights/", nth: 2 });
  expect(await shelf.client.call("bulk_create_highlights", { highlights })).toMatchObject({
    count: 200,
    created: 200,
    warnings: [{ code: "partial", details: { first_unwritten: 200 } }],
  });
});

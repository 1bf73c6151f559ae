import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("gets the daily review", async () => {
  const { highlights, ...review } = await shelf.client.call("get_daily_review");
  expect(review).toMatchInlineSnapshot(`
    {
      "review_completed": false,
      "review_id": 71845456,
      "review_url": "https://readwise.io/reviews/71845456",
    }
  `);
  expect(Object.keys((highlights as object[])[0]!)).toContain("source_type");
  for (const highlight of highlights as object[])
    expect(highlight).toMatchObject({ source_id: expect.any(Number), tags: expect.any(Array) });
});

import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("updates a document and shows it as it is now", async () => {
  expect(
    await shelf.client.call("update_document", {
      id: shelf.small.article.id,
      title: "Salt",
      tags: [],
      seen: true,
      location: "archive",
    }),
  ).toMatchObject({
    title: "Salt",
    tags: {},
    location: "archive",
    first_opened_at: expect.any(String),
    author: "Ana Sol",
  });
});

it("warns of what Reader did not keep", async () => {
  expect(
    await shelf.client.call("update_document", { id: shelf.small.article.id, location: "shortlist" }),
  ).toMatchObject({
    location: "new",
    warnings: [{ code: "not_kept", details: { field: "location" } }],
  });
});

import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("saves a page, and says whether it is new", async () => {
  const first = await shelf.client.call("save_document", {
    url: "https://new.example/page",
    tags: ["Deep Sea"],
    location: "later",
  });
  expect(first).toEqual({ id: expect.any(String), url: expect.any(String), created: true });
  expect(await shelf.client.call("save_document", { url: "https://new.example/page" })).toMatchObject({
    id: first.id,
    created: false,
  });
});

it("says where a page landed that was to go elsewhere", async () => {
  expect(
    await shelf.client.call("save_document", { url: "https://new.example/page", location: "shortlist" }),
  ).toMatchObject({
    warnings: [{ code: "not_kept", details: { field: "location", requested: "shortlist", actual: "new" } }],
  });
});

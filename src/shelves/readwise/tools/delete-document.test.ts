import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("deletes a document", async () => {
  expect(await shelf.client.call("delete_document", { id: shelf.small.article.id })).toEqual({ deleted: true });
  expect(await shelf.client.call("get_document", { id: shelf.small.article.id })).toMatchObject({
    error: { code: "not_found" },
  });
});

import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("deletes one", async () => {
  expect(await shelf.client.call("delete_highlight", { id: shelf.small.lines.id })).toEqual({ deleted: true });
  expect(await shelf.client.call("get_highlight", { id: shelf.small.lines.id })).toMatchObject({
    error: { code: "not_found" },
  });
});

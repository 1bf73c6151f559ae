import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("tags and untags", async () => {
  const tag = await shelf.client.call("add_highlight_tag", { highlight_id: shelf.small.lines.id, name: "moon" });
  expect(tag).toEqual({ id: expect.any(Number), name: "moon" });
  expect(
    await shelf.client.call("delete_highlight_tag", { highlight_id: shelf.small.lines.id, tag_id: tag.id }),
  ).toEqual({
    deleted: true,
  });
  const source = await shelf.client.call("add_source_tag", { source_id: shelf.small.tides.id, name: "moon" });
  expect(await shelf.client.call("delete_source_tag", { source_id: shelf.small.tides.id, tag_id: source.id })).toEqual({
    deleted: true,
  });
});

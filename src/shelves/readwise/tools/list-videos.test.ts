import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("lists videos", async () => {
  expect(await shelf.client.call("list_videos", { location: "new" })).toMatchObject({
    count: 1,
    results: [{ id: shelf.small.video.id }],
    has_more: false,
  });
});

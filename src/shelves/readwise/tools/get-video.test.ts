import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("gives a video's transcript as text", async () => {
  expect(await shelf.client.call("get_video", { id: shelf.small.video.id })).toMatchObject({
    transcript: "The moon pulls.\nTwice a day & always.",
    content_length: 37,
    truncated: false,
  });
});

it("says so where a video has no transcript", async () => {
  shelf.fixture.sandbox.faults.set({ kind: "empty_html" });
  expect(await shelf.client.call("get_video", { id: shelf.small.video.id })).toMatchObject({
    transcript: null,
    hint: expect.stringContaining("no transcript"),
  });
});

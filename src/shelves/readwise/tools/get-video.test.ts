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

it("gives the lines of a window of time, and none from outside it", async () => {
  const caption = (at: number, text: string) => `<span data-rw-start="${at}">${text}</span> `;
  const html = `<p>${caption(2, "The moon pulls.")}${caption(65, "Twice a day.")}${caption(98, "Always.")}</p>`;
  const talk = shelf.small.library.addDocument({ category: "video", title: "Tides", html }, 1_000);
  const between = (from_seconds: number, to_seconds: number) =>
    shelf.client.call("get_video", { id: talk.id, from_seconds, to_seconds });
  expect(await between(60, 98)).toMatchObject({ transcript: "[0:02] The moon pulls.\n[1:05] Twice a day." });
  expect(await between(100, 120)).toMatchObject({ transcript: "[1:38] Always." });
  const past = await between(600, 700);
  expect(past).toMatchObject({ transcript: "", content_length: 0, truncated: false });
  expect(past.hint).toContain("the last line begins at 1:38");
});

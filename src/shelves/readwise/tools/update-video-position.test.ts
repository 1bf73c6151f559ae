import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("says that Reader does not let anybody set a position", async () => {
  expect(await shelf.client.call("get_video_position", { id: shelf.small.video.id })).toMatchInlineSnapshot(`
    {
      "last_opened_at": "2026-05-16T12:00:00.000000+00:00",
      "reading_progress": 0.35,
    }
  `);
  expect(
    await shelf.client.call("update_video_position", { id: shelf.small.video.id, position: 30, duration: 60 }),
  ).toMatchInlineSnapshot(`
    {
      "error": {
        "code": "not_persisted",
        "details": {
          "reading_progress": 0.35,
          "requested": 0.5,
        },
        "message": "Reader's API does not store playback positions: 0.500 was sent and accepted, and the position still is 0.35. Nothing changed.",
        "recoverable": false,
        "type": "api_error",
      },
    }
  `);
});

it("keeps a position should Reader ever begin to", async () => {
  shelf.fixture.sandbox.unknowns.readingProgress = "honour";
  expect(
    await shelf.client.call("update_video_position", { id: shelf.small.video.id, position: 30, duration: 60 }),
  ).toEqual({
    reading_progress: 0.5,
  });
});

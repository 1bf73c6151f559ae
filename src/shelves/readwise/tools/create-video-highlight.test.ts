import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("highlights videos in Readwise, two at the same second apart", async () => {
  const one = await shelf.client.call("create_video_highlight", {
    id: shelf.small.video.id,
    text: "pulls",
    timestamp: 0,
    end_timestamp: 4.5,
    note: "n",
  });
  const two = await shelf.client.call("create_video_highlight", {
    id: shelf.small.video.id,
    text: "tugs",
    timestamp: 0,
  });
  expect(one).toMatchInlineSnapshot(`
    {
      "book_id": 41000004,
      "created_at": "2026-06-15T12:00:00.000Z",
      "document_id": "01krragqf8prg796jg2ba1ja2e",
      "duplicate": false,
      "end_timestamp": 4.5,
      "external_id": "01kv5je8g03h7gf11y2zz31wpd",
      "highlighted_at": "2026-06-15T12:00:00Z",
      "id": 702000005,
      "is_discard": false,
      "is_favorite": false,
      "kept_in": "reader",
      "location": 9,
      "location_type": "offset",
      "note": "n",
      "reader_highlight_id": "01kv5je8g03h7gf11y2zz31wpd",
      "readwise_url": "https://readwise.io/open/702000005",
      "source_id": 41000004,
      "tags": [],
      "text": "pulls",
      "timestamp": 0,
      "timestamps_kept_in": "the place of the text in the transcript",
      "updated_at": "2026-06-15T12:00:00Z",
      "url": "https://read.readwise.io/read/01kv5je8g03h7gf11y2zz31wpd",
    }
  `);
  expect(two.id).not.toBe(one.id);
});

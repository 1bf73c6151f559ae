import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("gets a window of a document's text and its highlights", async () => {
  const answer = await shelf.client.call("get_document", {
    id: shelf.small.article.id,
    include_content: true,
    html: true,
    content_offset: 3,
    content_max_chars: 10,
    include_highlights: true,
  });
  expect(answer).toMatchObject({
    content: "Salt moved",
    content_length: 56,
    truncated: true,
    next_content_offset: 13,
    highlights: [{ text: "Salt moved by camel." }],
    highlights_complete: true,
  });
  expect(await shelf.client.call("get_document", { id: shelf.small.article.id, include_content: true })).toMatchObject({
    content: "Salt moved by camel.\n\nThen it moved by ship.",
  });
  const plain = await shelf.client.call("get_document", { id: shelf.small.article.id });
  expect(plain).toMatchObject({ published_date: "2026-01-17" });
  expect(plain).not.toHaveProperty("content");
});

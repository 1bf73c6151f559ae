import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("updates a document and shows it as it is now", async () => {
  expect(
    await shelf.client.call("update_document", {
      id: shelf.small.article.id,
      title: "Salt",
      tags: [],
      seen: true,
      location: "archive",
    }),
  ).toMatchObject({
    title: "Salt",
    tags: {},
    location: "archive",
    first_opened_at: expect.any(String),
    author: "Ana Sol",
  });
});

it("warns of what Reader did not keep", async () => {
  expect(
    await shelf.client.call("update_document", { id: shelf.small.article.id, location: "shortlist" }),
  ).toMatchObject({
    location: "new",
    warnings: [{ code: "not_kept", details: { field: "location" } }],
  });
});

it("undoes the last change, be it of several documents or of one, and says what it undid", async () => {
  const { article, video } = shelf.small;
  const change = (request: Record<string, unknown>) => shelf.client.call("update_document", request);
  expect(await change({ ids: [article.id, video.id], add_tags: ["later"] })).toMatchObject({
    updated: 2,
    hint: expect.stringContaining("undo"),
  });
  expect(await change({ id: article.id, location: "archive" })).toMatchObject({
    hint: expect.stringContaining("undo"),
  });

  expect(await change({ undo: true })).toMatchObject({
    updated: 1,
    results: [{ id: article.id, undone: [{ field: "location", from: "archive", to: "later" }] }],
  });
  expect(await shelf.client.call("get_document", { id: article.id })).toMatchObject({
    location: "later",
    tags: expect.arrayContaining([expect.objectContaining({ name: "later" })]),
  });
  expect(await change({ undo: true })).toMatchObject({ error: { code: "not_found" } });
});

it("undoes a field that was empty before by clearing it", async () => {
  const { video } = shelf.small;
  expect((await shelf.client.call("get_document", { id: video.id })).summary).toBeUndefined();
  await shelf.client.call("update_document", { id: video.id, summary: "Ships and tides." });
  expect(await shelf.client.call("update_document", { undo: true })).toMatchObject({
    results: [{ id: video.id, undone: [{ field: "summary", from: "Ships and tides.", to: "" }] }],
  });
  expect((await shelf.client.call("get_document", { id: video.id })).summary).toBeUndefined();
});

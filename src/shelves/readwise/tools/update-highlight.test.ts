import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("says how long to wait before looking at a change that could not be read back", async () => {
  shelf.fixture.sandbox.faults.set({ kind: "throttle", endpoint: "GET /api/v3/list/", retry_after_s: 5 });
  expect(await shelf.client.call("update_document", { id: shelf.small.article.id, title: "New" })).toMatchObject({
    error: { code: "upstream_error", retry_after: 5, details: { accepted: true } },
  });
});

it("updates one, an empty note and location 0 included", async () => {
  expect(
    await shelf.client.call("update_highlight", { id: shelf.small.lines.id, note: "", location: 0, color: "blue" }),
  ).toMatchObject({ location: 0, color: "blue", text: shelf.small.lines.text });
  expect(await shelf.client.call("get_highlight", { id: shelf.small.lines.id })).not.toHaveProperty("note");
});

it("answers a change of several with what changed, not with their texts", async () => {
  const { lines } = shelf.small;
  expect(await shelf.client.call("update_highlight", { ids: [lines.id, 1], add_tags: ["kept"] })).toEqual({
    updated: 1,
    results: [
      {
        id: String(lines.id),
        success: true,
        note: "compare rivers",
        tags: [expect.objectContaining({ name: "shape" }), expect.objectContaining({ name: "kept" })],
      },
      { id: "1", success: false, error: expect.any(String) },
    ],
  });
});

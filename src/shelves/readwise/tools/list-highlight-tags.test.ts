import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("lists tags", async () => {
  expect(await shelf.client.call("list_source_tags", { source_id: shelf.small.tides.id })).toMatchInlineSnapshot(`
    {
      "count": 1,
      "tags": [
        {
          "id": 91000001,
          "name": "sea",
        },
      ],
    }
  `);
  expect(await shelf.client.call("list_highlight_tags", { highlight_id: shelf.small.lines.id })).toMatchInlineSnapshot(`
    {
      "count": 1,
      "tags": [
        {
          "id": 91000002,
          "name": "shape",
        },
      ],
    }
  `);
});

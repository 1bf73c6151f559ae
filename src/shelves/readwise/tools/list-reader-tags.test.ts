import { expect, it } from "vitest";
import { smallShelf } from "../../../../tests/support/small-shelf.js";

const shelf = smallShelf();

it("lists Reader tags", async () => {
  expect(await shelf.client.call("list_reader_tags")).toMatchInlineSnapshot(`
    {
      "count": 1,
      "tags": [
        {
          "key": "trade-routes",
          "name": "Trade Routes",
        },
      ],
      "truncated": false,
    }
  `);
});

import { expect, it } from "vitest";
import { type ExportQuery, exportByIds } from "./readwise-api.js";

it("asks for a hundred ids at a time, and for every page of each answer", async () => {
  const asked: ExportQuery[] = [];
  const ids = Array.from({ length: 201 }, (_, i) => String(i));
  await exportByIds(ids, async (query) => {
    asked.push(query);
    return { sources: [], next: asked.length === 1 ? "page two" : null, skipped: 0 };
  });
  expect(asked.map(({ ids: some, cursor }) => [some?.length, cursor])).toEqual([
    [100, null],
    [100, "page two"],
    [100, null],
    [1, null],
  ]);
  expect(asked[3]?.ids).toEqual(["200"]);
});

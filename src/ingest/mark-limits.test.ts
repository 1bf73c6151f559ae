import { expect, it } from "vitest";
import { withBoundedMarks } from "./mark-limits.js";
import { readGiven } from "./readers/given.js";

it("a text of form feeds keeps its words and says that its pages are left out", async () => {
  const few = withBoundedMarks(await readGiven({ text: "one\ftwo\fthree" }));
  expect(few).toMatchObject({ pages: { length: 3 }, warnings: [] });
  const many = withBoundedMarks(await readGiven({ text: `${"a\f".repeat(30_000)}the end` }));
  expect(many.pages).toEqual([]);
  expect(many.text).toContain("the end");
  expect(many.warnings.join()).toContain("30001 page marks");
});

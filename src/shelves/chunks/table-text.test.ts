import { describe, expect, it } from "vitest";
import { shownText } from "./table-text.js";

describe("a passage that is a table", () => {
  it("is shown as Markdown below its caption", () => {
    const text = "Table 1: Fruit\n\nname\tprice\npear\t3\nthe | sign\t\nall\t7\t8";
    expect(shownText({ text, metadata: { kind: "table" } })).toBe(
      [
        "Table 1: Fruit",
        "",
        "| name | price |  |",
        "| --- | --- | --- |",
        "| pear | 3 |  |",
        "| the \\| sign |  |  |",
        "| all | 7 | 8 |",
      ].join("\n"),
    );
  });

  it("repeats caption and header in a later part", () => {
    const metadata = { kind: "table", table: { header: "name\tprice", caption: "Table 1: Fruit" } };
    expect(shownText({ text: "fig\t4", metadata })).toBe(
      "Table 1: Fruit\n\n| name | price |\n| --- | --- |\n| fig | 4 |",
    );
  });

  it("is left alone where it was given as Markdown, and so is every other passage", () => {
    const given = "| name | price |\n| --- | --- |\n| fig | 4 |";
    expect(shownText({ text: given, metadata: { kind: "table" } })).toBe(given);
    expect(shownText({ text: "a\tb", metadata: {} })).toBe("a\tb");
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownText, trimmed } from "./shown-text.js";

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

it("leaves short text alone", () => {
  expect(trimmed("short", 10)).toEqual({ text: "short", truncated: false });
});

it("cuts at a space and keeps its mark within the limit", () => {
  const { text, truncated } = trimmed("word ".repeat(1000), 1800);
  expect(truncated).toBe(true);
  expect(text.length).toBeLessThanOrEqual(1800);
  expect(text.endsWith("word…")).toBe(true);
});

it.each([
  ["emoji", "👩‍👩‍👧‍👦"],
  ["surrogate pairs", "𝔘"],
  ["combining marks", "e\u0301\u0323"],
  ["Chinese", "大学"],
])("never splits %s where there are no spaces", (_name, unit) => {
  const { text } = trimmed(unit.repeat(2000), 1800);
  expect(text.length).toBeLessThanOrEqual(1800);
  expect(text.length).toBeGreaterThan(1700);
  const whole = [...new Intl.Segmenter("und", { granularity: "grapheme" }).segment(unit)].map(({ segment }) => segment);
  const last = [...new Intl.Segmenter("und", { granularity: "grapheme" }).segment(text.slice(0, -1))].at(-1)?.segment;
  expect(whole).toContain(last);
});

it("is a beginning of the text, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 10, max: 60 }), (text, max) => {
      const result = trimmed(text, max);
      expect(result.text.length).toBeLessThanOrEqual(max);
      expect(text.startsWith(result.truncated ? result.text.slice(0, -1) : result.text)).toBe(true);
    }),
  );
});

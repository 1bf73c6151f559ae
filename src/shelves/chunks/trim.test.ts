import fc from "fast-check";
import { expect, it } from "vitest";
import { trimmed } from "./trim.js";

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

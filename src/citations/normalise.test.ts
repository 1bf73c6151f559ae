import { describe, expect, it } from "vitest";
import { collapse, normalise, originalSpan, sameDashes, words } from "./normalise.js";

describe("normalised text", () => {
  it.each([
    ["ligatures", "the ﬁrst diﬃculty", "the first difficulty"],
    ["quotation marks", "“Well,” he said, ‘no’ «oui»", `"well," he said, 'no' "oui"`],
    ["doubled single marks", "``quoted''", '"quoted"'],
    ["case", "ALICE Was", "alice was"],
    ["white space", "one \n\t two\u00a0three", "one two three"],
    ["soft hyphens", "dif\u00adficult", "difficult"],
    ["hyphens at a line end", "dif-\n  ficult", "difficult"],
    ["soft hyphens that break no word", "via the \u00adH flag", "via the h flag"],
    ["spaces before punctuation", "the block bi . Then ( a ) ; b", "the block bi. then ( a); b"],
    ["composed letters", "cafe\u0301 nai\u0308ve", "café naïve"],
    ["ligatures that were copied as control characters", "The \x1crst \x1dag", "the first flag"],
    ["accents over an i without its dot", "sinusoı\u0308dal", "sinusoïdal"],
    ["wide letters", "ＡＢＣ １２", "abc 12"],
    ["final sigma", "ΛΟΓΟΣ λόγος", "λογοσ λόγοσ"],
    ["zero-width characters", "zero\u200bwidth\ufeff", "zerowidth"],
    ["line breaks between Chinese characters", "天地\n玄黄", "天地玄黄"],
  ])("makes %s one", (_what, text, expected) => {
    expect(normalise(text).text).toBe(expected);
  });

  it("leads every stretch back to the original characters", () => {
    const text = "Das  ﬁel ihm schwer: ein Un-\nglück — “cafe\u0301”.";
    const normalised = normalise(text);
    const at = normalised.text.indexOf("unglück");
    expect(text.slice(...originalSpan(text, normalised, at, at + "unglück".length))).toBe("Un-\nglück");
    const cafe = normalised.text.indexOf('"café"');
    expect(text.slice(...originalSpan(text, normalised, cafe, cafe + 6))).toBe("“cafe\u0301”");
  });

  it("lets a hyphen be missing only where a line ended", () => {
    expect(sameDashes("dif-\nficult", "difficult")).toBe(true);
    expect(sameDashes("well-\nknown", "well-known")).toBe(true);
    expect(sameDashes("re-sign now", "resign now")).toBe(false);
    expect(sameDashes("rabbit—it", "rabbit -- it")).toBe(true);
  });

  it("keeps everything but white space when only white space is collapsed", () => {
    expect(collapse("  “A  b”\n—c ")).toBe("“A b” —c");
  });

  it("parts words at dashes and keeps hyphenated words whole", () => {
    const text = "a well-known rabbit—it ran -- dif-\nficult 天地";
    expect(words(text).map(({ key }) => key)).toEqual([
      "a",
      "wellknown",
      "rabbit",
      "it",
      "ran",
      "difficult",
      "天",
      "地",
    ]);
    expect(words(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      "a",
      "well-known",
      "rabbit",
      "it",
      "ran",
      "dif-\nficult",
      "天",
      "地",
    ]);
  });
});

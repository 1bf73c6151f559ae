import { describe, expect, it } from "vitest";
import { pastedDocument } from "./pasted.js";

describe("a pasted text", () => {
  const text = [
    "Tides",
    "=====",
    "",
    "The sea rises",
    "twice a day.",
    "",
    "",
    "## Springs and neaps ##",
    "Spring tides are large.",
    "",
    "- new moon",
    "- full moon",
    "",
    "```",
    "height = mean",
    "",
    "  + range",
    "```",
    "",
  ].join("\n");

  it("is kept as it is, with its headings and blocks noticed in place", () => {
    const document = pastedDocument(text, undefined);
    expect(document.text).toBe(text);
    expect(document.title).toBe("Tides");
    expect(document.headings.map(({ level, title }) => [level, title])).toEqual([
      [1, "Tides"],
      [2, "Springs and neaps"],
    ]);
    expect(document.blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)])).toEqual([
      ["heading", "Tides\n====="],
      ["paragraph", "The sea rises\ntwice a day."],
      ["heading", "## Springs and neaps ##"],
      ["paragraph", "Spring tides are large."],
      ["list", "- new moon\n- full moon"],
      ["code", "```\nheight = mean\n\n  + range\n```"],
    ]);
  });

  it("is named by its first line where it has no title, and not by the whole of it", () => {
    expect(pastedDocument("One line.\nAnother.", undefined).title).toBe("One line.");
    expect(pastedDocument("word ".repeat(60), undefined).title).toMatch(/^word( word)+…$/);
    expect(pastedDocument("🌊".repeat(200), undefined).title).toBe(`${"🌊".repeat(79)}…`);
    expect(pastedDocument("  \n ", undefined).title).toBe("Untitled text");
    expect(pastedDocument("# Heading", "Mine").title).toBe("Mine");
  });
});

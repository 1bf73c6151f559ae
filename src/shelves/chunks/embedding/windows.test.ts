import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "./token-counting.js";
import { loadTokenizer } from "./tokenizer.js";
import { cutWindows, type WindowRecipe, windowSpans } from "./windows.js";

const model = fileURLToPath(new URL("../../../../dist/models/all-MiniLM-L6-v2/tokenizer.json", import.meta.url));
const tokenizer = loadTokenizer(model);
const recipes: Record<string, WindowRecipe> = {
  "MiniLM's tokens": { body: 128, overlap: 32, prefix: 64, limit: 254, count: tokenizer.count },
  "narrow windows": { body: 12, overlap: 3, prefix: 6, limit: 20, count: tokenizer.count },
  // Words here add up to less than the text they make: the spaces count too.
  characters: { body: 20, overlap: 4, prefix: 5, limit: 26, count: (text) => text.length },
  "estimated tokens": { body: 40, overlap: 8, prefix: 10, limit: 50, count: estimateTokens },
};

const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "reading",
        "Antidisestablishmentarianism",
        "naïve",
        "3.14159",
        "https://example.org/a/b?c=d",
        "😀👩‍👩‍👧‍👦",
      ),
      fc.constantFrom(
        "城市的历史很长",
        "ひらがなとカタカナ",
        "ภาษาไทยไม่มีช่องว่าง",
        "한국어문장",
        "ﷺ",
        "[SEP]",
        "\ufeff\u200b",
        "e\u0301",
      ),
      fc.string({ unit: "binary", maxLength: 12 }),
    ),
    { maxLength: 120 },
  )
  .chain((list) => fc.constantFrom(" ", "\n\n", "", "\u00a0").map((between) => list.join(between)));
const anyText = fc.oneof(
  words,
  fc.string({ unit: "grapheme", maxLength: 600 }),
  fc.string({ unit: "binary", maxLength: 300 }),
);

describe.each(Object.entries(recipes))("windows by %s", (_name, recipe) => {
  it("hold all of the text, in order, without changing it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const spans = windowSpans(text, recipe);
        let covered = 0;
        for (const { start, end } of spans) {
          expect(text.slice(covered, start).trim()).toBe("");
          expect(end).toBeGreaterThan(covered - 1);
          covered = Math.max(covered, end);
        }
        expect(text.slice(covered).trim()).toBe("");
        const cut = cutWindows(text, "", recipe);
        expect(cut.every((window) => text.includes(window))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("are never longer than the model reads, prefix included", () => {
    fc.assert(
      fc.property(anyText, anyText, (text, prefix) => {
        for (const window of cutWindows(text, prefix, recipe))
          expect(recipe.count(window)).toBeLessThanOrEqual(recipe.limit);
      }),
      { numRuns: 60 },
    );
  });

  it("never part a surrogate pair", () => {
    for (const text of ["😀".repeat(400), `a${"𝐀".repeat(90)}`, "𝐀".repeat(90)])
      expect(cutWindows(text, "", recipe).every((window) => window.isWellFormed())).toBe(true);
  });
});

const recipe = recipes["MiniLM's tokens"]!;

it("leaves a text that fits in one piece, with title and headings in front", () => {
  expect(cutWindows("A short text.", "Walden > Economy", recipe)).toEqual(["Walden > Economy\nA short text."]);
  expect(cutWindows("A short text.", "  ", recipe)).toEqual(["A short text."]);
});

it("puts the prefix in front of every window and repeats a little of the window before", () => {
  const text = Array.from({ length: 300 }, (_, i) => `word${i}`).join(" ");
  const windows = cutWindows(text, "Title", recipe).map((window) => window.split("\n"));
  expect(windows.length).toBeGreaterThan(2);
  expect(windows.every(([title]) => title === "Title")).toBe(true);
  for (const [i, [, body = ""]] of windows.slice(1).entries()) {
    const [first = ""] = body.split(" ");
    expect(windows[i]?.[1]?.split(" ")).toContain(first);
  }
});

it("cuts between words, in Chinese too", () => {
  const windows = cutWindows("城市的历史很长。".repeat(60), "", recipe);
  expect(windows.length).toBeGreaterThan(2);
  expect(windows.every((window) => /^(城市|的|历史|很|长|。)/.test(window))).toBe(true);
});

it("fills windows to the last token and no further", () => {
  const text = Array.from({ length: 224 }, () => "word").join(" ");
  expect(cutWindows(text, "", recipe).map(tokenizer.count)).toEqual([128, 128]);
});

it("shares a text out evenly, so that no window is mostly repetition", () => {
  const text = Array.from({ length: 140 }, () => "word").join(" ");
  const [first = "", second = ""] = cutWindows(text, "", recipe);
  expect(Math.abs(tokenizer.count(first) - tokenizer.count(second))).toBeLessThanOrEqual(2);
});

it("cuts a title that is too long rather than the text", () => {
  const [window = ""] = cutWindows("The text itself.", "endless title ".repeat(200), recipe);
  expect(window.endsWith("\nThe text itself.")).toBe(true);
  expect(tokenizer.count(window)).toBeLessThanOrEqual(64 + 4);
});

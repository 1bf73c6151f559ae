import { describe, expect, it } from "vitest";
import { askedWords } from "./asked-words.js";

const text = (words: string, language: string | null = "en") => ({ text: words, title: null, language });

describe("the words of a question", () => {
  it("are found in other forms, as they stand in the text", () => {
    expect([...askedWords("how do tides follow the moon?").in(text("The tide followed two moons."))]).toEqual([
      "tide",
      "followed",
      "moons",
    ]);
    expect([...askedWords("Bücher").in(text("Das Buch der Bücher", "de"))]).toContain("bucher");
  });

  it("may be beginnings", () => {
    const asked = askedWords("tid*");
    expect([...asked.in(text("Tidal pools after the tide"))]).toEqual(["tidal", "tide"]);
    expect(asked.coverage("Tidal pools", "")).toBe(1);
  });

  it("count for less beside a text than in it, and not at all elsewhere", () => {
    const asked = askedWords("moon tides");
    expect(asked.coverage("The moon makes the tides.", "")).toBe(1);
    expect(asked.coverage("The moon pulls.", "A Field Guide to Tides")).toBe(0.9);
    expect(asked.coverage("The moon pulls.", "")).toBe(0.5);
    expect(asked.coverage("Salt travels.", "")).toBe(0);
  });
});

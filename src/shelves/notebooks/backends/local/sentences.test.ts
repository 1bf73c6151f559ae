import { describe, expect, it } from "vitest";
import { bareChunk } from "../../../../../tests/support/bare-chunk.mjs";
import { sentencesOf } from "./sentences.js";

const chunk = (text: string, section_path: string[] = []) =>
  bareChunk({ id: "c", text, doc_id: "d", start: 0, end: text.length, title: "A title", section_path });
const texts = (text: string, path?: string[]) => sentencesOf(chunk(text, path)).map((sentence) => sentence.text);

describe("the sentences of a passage", () => {
  it("are cut at full stops and paragraphs, not at line ends or abbreviations, and leave headings out", () => {
    expect(
      texts("Springs\n\nDr. Smith saw a spring\ntide. It was high.\n\nNext day it fell", ["Tides", "Springs"]),
    ).toEqual(["Dr. Smith saw a spring\ntide.", "It was high.", "Next day it fell"]);
  });

  it("are the items of a list and the rows of a table", () => {
    expect(texts("- new moon brings springs\n- half moon brings neaps")).toEqual([
      "- new moon brings springs",
      "- half moon brings neaps",
    ]);
  });

  it("are verbatim, and never longer than can be read at a glance", () => {
    const long = "all the waves of the sea ".repeat(80);
    const sentences = sentencesOf(chunk(long));
    expect(sentences.length).toBeGreaterThan(2);
    for (const { text, start, end } of sentences) {
      expect(text.length).toBeLessThanOrEqual(600);
      expect(long.slice(start, end)).toBe(text);
    }
    expect(sentences.map(({ text }) => text).join(" ")).toBe(long.trim());
  });
});

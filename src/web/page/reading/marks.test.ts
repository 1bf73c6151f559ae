import { describe, expect, it } from "vitest";
import { excerpt, findPassage, spansOf } from "./marks.js";

const marked = (query: string, text: string) => spansOf(query, text).map(([from, to]) => text.slice(from, to));

describe("marks", () => {
  it.each([
    ["memory", "Memories of a memory", ["Memories", "memory"]],
    ["the forgetting", "The art: forget, forgot, forgetting", ["forget", "forgetting"]],
    ["cafe", "Le Café, the cafés", ["Café", "cafés"]],
    ["read", "Already reading, she reads", ["reading", "reads"]],
    ["図書館", "国立図書館の本", ["図書館"]],
    ["of the", "of the people", []],
  ])("%s in %s", (query, text, found) => {
    expect(marked(query, text)).toEqual(found);
  });

  it("find a passage where spaces and quotation marks were written another way", () => {
    const text = "He said: “Turn\n  the wheel.” And she did.";
    const [from, to] = findPassage(text, '"Turn the wheel." And')!;
    expect(text.slice(from, to)).toBe("“Turn\n  the wheel.” And");
    expect(findPassage(text, "Stop the wheel")).toBeUndefined();
    expect(findPassage("a+b (c", "b (c")).toEqual([2, 6]);
  });

  it("keep their place in an excerpt", () => {
    const text = `${"filler words ".repeat(80)}the wheel turns ${"more filler ".repeat(80)}`;
    const cut = excerpt(text, spansOf("wheel", text));
    expect(cut.spans.map(([from, to]) => cut.text.slice(from, to))).toEqual(["wheel"]);
    expect(cut.text.length).toBeLessThan(450);
    expect(cut.text).toMatch(/^… .* …$/);
  });
});

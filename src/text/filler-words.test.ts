import { expect, it } from "vitest";
import { contentOf, isFiller, subjectOf } from "./filler-words.js";

it("leaves out the words that only introduce what is looked for", () => {
  expect(subjectOf("that thing about being alone")).toBe("being alone");
  expect(subjectOf("someone saying that gossip beats silence")).toBe("gossip beats silence");
  expect(subjectOf("the quote where a king dies")).toBe("a king dies");
  expect(subjectOf("a poem about")).toBe("a poem about");
  expect(subjectOf("the line of kings")).toBe("kings");
  expect(subjectOf("lines of battle")).toBe("battle");
  expect(subjectOf("habit")).toBe("habit");
});

it("knows words that name nothing", () => {
  expect(["about", "thing", "being", "someone", "like"].every(isFiller)).toBe(true);
  expect(["man", "kind", "habit", "chose"].some(isFiller)).toBe(false);
});

it("keeps the words that carry what is asked for", () => {
  expect(contentOf("what harms the group harms each member")).toBe("harms group harms each member");
  expect(contentOf("to be or not to be")).toBe("to be or not to be");
});

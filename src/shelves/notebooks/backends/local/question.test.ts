import { describe, expect, it } from "vitest";
import { cueOf, readQuestion } from "./question.js";

describe("a question", () => {
  it("says what kind of thing it asks for, in several languages", () => {
    const kinds = {
      "How many points did they score?": "number",
      "Wie viele Punkte?": "number",
      "¿Cuántos años vivió?": "number",
      "Сколько стоит хлеб?": "number",
      "When was it built?": "date",
      "In what year was it built?": "date",
      "Quand a-t-il été construit ?": "date",
      "Who built it?": "name",
      "Where does it stand?": "name",
      "Why did it fall?": "reason",
      "What is a codex?": "open",
    };
    expect(Object.fromEntries(Object.keys(kinds).map((text) => [text, readQuestion(text, ["en"]).kind]))).toEqual(
      kinds,
    );
  });

  it("finds the kind of thing it asks for only beyond its own words", () => {
    const cue = (question: string, sentence: string) => cueOf(sentence, readQuestion(question, ["en"]));
    expect(cue("How many ships sailed in 1707?", "In 1707 they sailed.")).toBe(0);
    expect(cue("How many ships sailed in 1707?", "In 1707 some 21 ships sailed.")).toBe(1);
    expect(cue("How many ships sailed?", "Twelve ships sailed.")).toBeGreaterThan(0.5);
    expect(cue("Who built the Clock?", "In those days the Clock stood.")).toBe(0);
    expect(cue("Who built the clock?", "The clock was built by Harrison.")).toBe(1);
    expect(cue("When was it built?", "It was built in 1735.")).toBe(1);
    expect(cue("Why did it stop?", "It stopped because of the damp.")).toBe(1);
  });
});

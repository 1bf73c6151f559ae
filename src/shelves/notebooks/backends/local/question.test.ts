import { describe, expect, it } from "vitest";
import { asksForOverview, cueOf, readQuestion } from "./question.js";

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
      "Where does it stand?": "place",
      "Why did it fall?": "reason",
      "How does it work?": "way",
      "How do H1 and H4 differ?": "compare",
      "Which kinds of charts are there?": "list",
      "What is a codex?": "open",
    };
    expect(Object.fromEntries(Object.keys(kinds).map((text) => [text, readQuestion(text, ["en"]).kind]))).toEqual(
      kinds,
    );
  });

  it("names the two sides of a comparison", () => {
    const sides = (text: string) => readQuestion(text, ["en"]).sides;
    expect(sides("What is the difference between a roll and a codex?")).toEqual(["roll", "codex"]);
    expect(sides("How do H1 and H4 differ?")).toEqual(["H1", "H4"]);
    expect(sides("Compare the log with the lead.")).toEqual(["log", "lead"]);
    expect(sides("Compare the two methods.")).toEqual([]);
  });

  it("is about the sources as a whole only where it has no subject of its own", () => {
    const wholes = [
      "What is this notebook about?",
      "Summarise the sources.",
      "Give me an overview of the notebook, please.",
      "What are these documents about?",
      "Worum geht es in diesen Quellen?",
    ];
    expect(wholes.filter((text) => !asksForOverview(text))).toEqual([]);
    const others = [
      "What is the memex about?",
      "Summarise Harrison's work on clocks.",
      "What do the sources say about gout?",
    ];
    expect(others.filter(asksForOverview)).toEqual([]);
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
    expect(
      cue("Why are there two tides?", "The water rises on both sides, and so a point meets two high waters."),
    ).toBe(1);
  });
});

import { describe, expect, it } from "vitest";
import type { Source } from "../../notebook-backend.js";
import { toAnswer } from "./answer.js";

const source = (id: string, title: string): Source => ({
  id,
  title,
  type: "text",
  url: null,
  added_at: null,
  processing_status: "complete",
});
const sources = [source("a", "Tides"), source("b", "Currents")];

const passage = (sourceId: string, lines: string[], score = 0.7) => [
  null,
  null,
  score,
  [[null, 0, 1]],
  [lines.map((line) => [0, line.length, [[[0, line.length, [line]]]]])],
  [[[sourceId], "revision"]],
  ["object"],
];
const final = (text: string, passages: unknown[] | null, questions: string[] = []) => [
  [text, null, ["s", "t", 1], null, []],
  passages,
  null,
  [questions],
  true,
  [questions.map((question) => [question, 9])],
];

describe("an answer of NotebookLM", () => {
  it("carries one citation per mark, verbatim, with the source's own id and title", () => {
    const frame = final("High tide comes twice [1], later each day [2].", [
      passage("a", ["Twice", "a day."]),
      passage("b", ["Later."], 0.9),
    ]);
    expect(toAnswer(frame, sources)).toMatchObject({
      answer: "High tide comes twice [1], later each day [2].",
      citations: [
        { mark: 1, source_id: "a", source_title: "Tides", excerpt: "Twice\na day." },
        { mark: 2, source_id: "b", source_title: "Currents", excerpt: "Later." },
      ],
      confidence: "high",
      method: "notebooklm",
      notes: [],
    });
  });

  it("cites the same passage once, under its first number", () => {
    const twice = [passage("a", ["Twice."]), passage("a", ["Twice."]), passage("a", ["Other."])];
    const { answer, citations } = toAnswer(final("Said [1], said again [2], all [1, 2, 3].", twice), sources);
    expect(answer).toBe("Said [1], said again [1], all [1][3].");
    expect(citations.map(({ mark }) => mark)).toEqual([1, 3]);
  });

  it("reads a range of marks as each of its numbers", () => {
    const five = ["one", "two", "three", "four", "five"].map((text) => passage("a", [text]));
    const { answer, citations } = toAnswer(final("All [3-5], some [1, 3–5], two [2-3][2 — 2].", five), sources);
    expect(answer).toBe("All [3][4][5], some [1][3][4][5], two [2][3][2].");
    expect(citations.map(({ mark }) => mark)).toEqual([1, 2, 3, 4, 5]);
  });

  it("keeps years and runs of numbers that are no marks", () => {
    const text = "Written in [1854], not [1854-1860] [1].";
    expect(toAnswer(final(text, [passage("a", ["x"])]), sources).answer).toBe(text);
  });

  it("drops a mark that no passage stands behind, and says so", () => {
    const { answer, citations, notes } = toAnswer(
      final("One [1]. Ghost [7]. Both [1, 9].", [passage("a", ["One."])]),
      sources,
    );
    expect(answer).toBe("One [1]. Ghost. Both [1].");
    expect(citations).toHaveLength(1);
    expect(notes).toEqual(["2 mark(s) that pointed to no passage were removed from the answer."]);
  });

  it("leaves the text of a link alone", () => {
    expect(toAnswer(final("See [1](https://example.org) [1].", [passage("a", ["x"])]), sources).answer).toBe(
      "See [1](https://example.org) [1].",
    );
  });

  it("lists what was cited without marks", () => {
    expect(toAnswer(final("No marks here.", [passage("b", ["x"])]), sources).citations).toMatchObject([
      { mark: 1, source_id: "b" },
    ]);
  });

  it("says when a cited source is no longer there", () => {
    expect(toAnswer(final("Old [1].", [passage("gone", ["x"])]), sources).citations[0]?.source_title).toContain(
      "no longer",
    );
  });

  it("is of low confidence without a passage, and of none it cannot know", () => {
    expect(toAnswer(final("The sources do not say.", null), sources)).toMatchObject({
      citations: [],
      confidence: "low",
    });
    const unscored = passage("a", ["x"]).with(2, null);
    expect(toAnswer(final("So [1].", [unscored]), sources).confidence).toBeNull();
    expect(toAnswer(final("So [1].", [passage("a", ["x"], 0.4)]), sources).confidence).toBe("medium");
  });

  it("suggests each next question once", () => {
    expect(toAnswer(final("Yes.", null, ["Why?", "How?", "Why?"]), sources).follow_up_questions).toEqual([
      "Why?",
      "How?",
    ]);
  });
});

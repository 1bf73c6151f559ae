import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { innerJson, resultItem, unary } from "../../../../../sandbox/notebook/frames.js";
import { toAnswer } from "./answer.js";
import { readItems, readReply, readStream } from "./codec.js";
import { notebookRow, sourceRow } from "./mapping.js";

/** Arrays in arrays with now and then a value, as upstream rows are. */
const { row } = fc.letrec((tie) => ({
  row: fc.array(
    fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.string(),
      fc.boolean(),
      tie("row"),
    ),
    {
      maxLength: 12,
    },
  ),
}));

describe("whatever NotebookLM sends", () => {
  it("a result arrives as it was sent", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const reply = readReply(unary([resultItem("abc", value)], { ms: 1, token: "1" }), "abc");
        expect(reply).toEqual({ kind: "result", value: JSON.parse(innerJson(value)) });
      }),
    );
  });

  it("text of any kind is read without a fault", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        for (const body of [text, `)]}'\n\n9\n${text}`, `[${text}]`, `[["wrb.fr","abc",${JSON.stringify(text)}]]`]) {
          readItems(body);
          readReply(body, "abc");
          readStream(body);
        }
      }),
    );
  });

  it("rows of any form are mapped or left out", () => {
    fc.assert(
      fc.property(row, (value) => {
        sourceRow(value);
        notebookRow(value);
        toAnswer(value as unknown[], []);
      }),
      { numRuns: 500 },
    );
    expect(sourceRow([["11111111-1111-4111-8111-111111111111"], "Title", [null, 1, [1e20, 0]]])?.added_at).toBeNull();
  });

  it("every mark of an answer resolves to one citation", () => {
    const passage = fc
      .tuple(fc.constantFrom("a", "b"), fc.constantFrom("one", "two", "three"))
      .map(([id, text]) => [null, null, 0.5, null, [[[0, 3, [[[0, 3, [text]]]]]]], [[[id], "r"]]]);
    const words = fc.array(
      fc.oneof(
        fc.constant("word"),
        fc
          .array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 3 })
          .chain((marks) => fc.constantFrom(", ", "-", " – ").map((between) => `[${marks.join(between)}]`)),
      ),
    );
    fc.assert(
      fc.property(words, fc.array(passage, { maxLength: 5 }), (text, passages) => {
        const { answer, citations } = toAnswer([[text.join(" ")], passages], []);
        const marks = citations.map(({ mark }) => mark);
        expect(new Set(marks).size).toBe(marks.length);
        for (const [, n] of answer.matchAll(/\[(\d+)\]/g)) expect(marks).toContain(Number(n));
        expect(answer).not.toMatch(/\[\d+ ?[,–-]/);
        expect(new Set(citations.map(({ source_id, excerpt }) => `${source_id} ${excerpt}`)).size).toBe(
          citations.length,
        );
      }),
    );
  });
});

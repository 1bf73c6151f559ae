import fc from "fast-check";
import { expect, it } from "vitest";
import { piecesOf, withEdits } from "./edits.js";

it("edits are made in the order of the text, and places after them move along", () => {
  const { text, at } = withEdits("one two three", [
    { start: 8, end: 13, text: "3" },
    { start: 0, end: 3, text: "first" },
  ]);
  expect(text).toBe("first two 3");
  expect([at(0), at(3), at(4), at(7), at(13)]).toEqual([0, 5, 6, 9, 11]);
});

it("an edit that overlaps one already made is left out", () => {
  expect(
    withEdits("abcdef", [
      { start: 0, end: 4, text: "X" },
      { start: 2, end: 6, text: "Y" },
    ]).text,
  ).toBe("Xef");
});

it("a place inside what was replaced leads to the end of the new words", () => {
  const { text, at } = withEdits("abcdef", [{ start: 1, end: 5, text: "--" }]);
  expect(text).toBe("a--f");
  expect(at(3)).toBe(3);
});

it("the pieces of a text are the text, whatever is found in it", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 60, unit: fc.constantFrom("a", " ", "\n", "“") }),
      fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { maxLength: 8 }),
      (text, pairs) => {
        const spans = pairs.map(([a, b], index) => [Math.min(a, b), Math.max(a, b), index] as const);
        expect(
          piecesOf(text, spans)
            .flat()
            .map((piece) => piece.text)
            .join(""),
        ).toBe(text);
      },
    ),
  );
});

it("where findings lie in each other, the narrow one is shown inside the wide one", () => {
  expect(
    piecesOf("a claim “quoted” here", [
      [0, 21, 0],
      [8, 16, 1],
    ]),
  ).toEqual([
    [
      { text: "a claim ", finding: 0, first: true },
      { text: "“quoted”", finding: 1, first: true },
      { text: " here", finding: 0, first: false },
    ],
  ]);
});

it("each paragraph has its own pieces, also where a quotation runs over two", () => {
  expect(piecesOf("One “two\n\nthree” four", [[4, 16, 0]])).toEqual([
    [{ text: "One " }, { text: "“two\n\n", finding: 0, first: true }],
    [{ text: "three”", finding: 0, first: false }, { text: " four" }],
  ]);
});

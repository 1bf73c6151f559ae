import { describe, expect, it } from "vitest";
import { fuse, meaningWeight } from "./fusion.js";

const words = (...coverages: number[]) =>
  coverages.map((coverage, i) => ({ id: `w${i}`, bm25: coverage * 20, coverage }));
const meaning = (...similarities: number[]) => similarities.map((similarity, i) => ({ id: `m${i}`, similarity }));

describe("weighted fusion", () => {
  const options = { meaningWeight: 0.5, depth: 100 };

  it("lets a chunk surface that only one list knows", () => {
    const ids = fuse(words(0.9), meaning(0.5), options).map(({ id }) => id);
    expect(ids).toEqual(["w0", "m0"]);
  });

  it("counts cosines of a model that finds everything similar from where they begin to say something", () => {
    const [bm25, covered] = [1, { a: 0.5, b: 0.3 }];
    const found = Object.entries(covered).map(([id, coverage]) => ({ id, bm25, coverage }));
    const near = [
      { id: "b", similarity: 0.9 },
      { id: "a", similarity: 0.72 },
    ];
    const first = (floor: number) => fuse(found, near, { ...options, floor })[0]?.id;
    expect([first(0), first(0.7)]).toEqual(["a", "b"]);
  });

  it("does not flatter the best of a poor lot", () => {
    expect(fuse(words(0.1), meaning(0.08), options)[0]?.score).toBeLessThan(0.1);
  });

  it("says where a chunk stood in each list", () => {
    const [first] = fuse(
      [{ id: "x", bm25: 3, coverage: 0.5 }],
      [
        { id: "y", similarity: 0.2 },
        { id: "x", similarity: 0.1 },
      ],
      options,
    );
    expect(first).toEqual({
      id: "x",
      score: 0.3,
      words: { rank: 1, bm25: 3, coverage: 0.5 },
      meaning: { rank: 2, similarity: 0.1 },
    });
  });

  it("orders by how good a chunk is beside the best of its list, and shows how good it is", () => {
    // The words of a long question are never all there: half of what the best covers is little, and yet much.
    const [first, second] = fuse(
      [
        { id: "a", bm25: 9, coverage: 0.09 },
        { id: "b", bm25: 1, coverage: 0.01 },
      ],
      [
        { id: "b", similarity: 0.7 },
        { id: "a", similarity: 0.6 },
      ],
      options,
    );
    expect([first?.id, second?.id]).toEqual(["a", "b"]);
    expect(first?.score).toBeCloseTo(0.345);
    expect(second?.score).toBeCloseTo(0.355);
  });

  it("takes a chunk beyond the end of a full list for as good as its last one", () => {
    const [first] = fuse(words(0.5, 0.45), meaning(0.6, 0.2), { meaningWeight: 0.5, depth: 2 });
    expect(first?.id).toBe("m0");
  });

  it("orders equals by id, whatever the order they came in", () => {
    const hits = [
      { id: "b", similarity: 0.5 },
      { id: "a", similarity: 0.5 },
    ];
    expect(fuse([], hits, options).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(fuse([], hits.reverse(), options).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("never leaves [0,1], even for opposite vectors", () => {
    for (const { score } of fuse(words(1), meaning(-0.9), options)) expect(score >= 0 && score <= 1).toBe(true);
  });
});

it("trusts meaning less where the model cannot read the language", () => {
  expect(meaningWeight("all-MiniLM-L6-v2", "en", "en")).toBe(0.5);
  expect(meaningWeight("all-MiniLM-L6-v2", null, "de")).toBe(0.2);
  expect(meaningWeight("all-MiniLM-L6-v2", "en", "ru")).toBe(0);
  expect(meaningWeight("multilingual-e5-small", "ru", "ru")).toBe(0.5);
});

import { describe, expect, it } from "vitest";
import { saturation } from "../bm25.js";
import { pointId } from "./point-ids.js";
import { dimensionOf, occurrences, sparseVector } from "./sparse.js";

describe("a sparse vector", () => {
  it("has the dimensions and weights of Qdrant's own BM25", () => {
    const known = { recip: 1617337648, bake: 662344706, chocol: 177304315, chip: 771857363, cooki: 112174620 };
    for (const [term, dimension] of Object.entries(known)) expect(dimensionOf(term)).toBe(dimension);
    const { indices, values } = sparseVector(Object.keys(known), 256);
    expect(indices).toEqual(Object.values(known).sort((a, b) => a - b));
    for (const value of values) expect(value).toBeCloseTo(1.6697302, 6);
  });

  it("tells how often a term occurs", () => {
    for (const [times, length, average] of [
      [1, 5, 256],
      [2, 3, 7.67],
      [7, 400, 120.5],
      [60, 2000, 90],
    ] as const)
      expect(occurrences(Math.fround(saturation(times, length, average)), length, average)).toBe(times);
  });
});

it("a chunk's point has the id that others in this field give it", () => {
  expect(pointId("550ef4a43674810b")).toBe("1f771753-2772-570e-b2b3-0045523db422");
  expect(pointId("1fd41ad194ba95d0")).toBe("601c548b-9c4f-50c9-b677-67fea4112da5");
});

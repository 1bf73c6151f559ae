import { expect, it } from "vitest";
import { firstIndex, grown } from "./collections.js";

it("finds the first index that fits in a sorted list, or its length", () => {
  const numbers = [1, 3, 3, 7];
  const atLeast = (limit: number) => firstIndex(numbers.length, (i) => numbers[i]! >= limit);
  expect([0, 1, 2, 3, 4, 7, 8].map(atLeast)).toEqual([0, 0, 1, 1, 3, 3, 4]);
  expect(firstIndex(0, () => true)).toBe(0);
});

it("keeps the kind and the numbers of an array, and adds zeros", () => {
  expect(grown(Uint16Array.of(1, 2), 4)).toEqual(Uint16Array.of(1, 2, 0, 0));
});

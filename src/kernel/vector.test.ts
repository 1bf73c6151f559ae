import { expect, it } from "vitest";
import { unitOf } from "./vector.js";

it("keeps the direction and has length 1", () => {
  expect([...unitOf(new Float32Array([3, 4]))]).toEqual([expect.closeTo(0.6), expect.closeTo(0.8)]);
});

it("leaves a zero vector as it is", () => {
  expect([...unitOf(new Float32Array(2))]).toEqual([0, 0]);
});

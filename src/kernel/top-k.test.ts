import fc from "fast-check";
import { expect, it } from "vitest";
import { TopK } from "./top-k.js";

it("keeps what sorting everything would put first, whatever comes in whatever order", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 0, max: 12 }), fc.boolean(), (list, limit, backward) => {
      const order = (a: number, b: number) => (backward ? b - a : a - b);
      const top = new TopK(limit, order);
      list.forEach((score, id) => {
        top.offer(id, score);
      });
      const expected = list
        .map((score, id) => ({ id, score }))
        .sort((a, b) => b.score - a.score || order(a.id, b.id))
        .slice(0, limit);
      expect(top.sorted()).toEqual(expected);
    }),
  );
});

it("says which scores can no longer enter", () => {
  const top = new TopK(2);
  expect(top.floor).toBe(Number.NEGATIVE_INFINITY);
  top.offer(1, 0.5);
  top.offer(2, 0.7);
  expect(top.floor).toBe(0.5);
  top.offer(3, 0.6);
  expect(top.floor).toBe(0.6);
  expect(new TopK(0).floor).toBe(Number.POSITIVE_INFINITY);
});

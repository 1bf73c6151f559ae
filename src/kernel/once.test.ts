import { expect, it } from "vitest";
import { once } from "./once.js";

it("runs once for calls at the same time and later", async () => {
  let runs = 0;
  const get = once(async () => ++runs);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});

it("runs again after a failure", async () => {
  let runs = 0;
  const get = once(async () => {
    if (++runs === 1) throw new Error("not now");
    return runs;
  });
  await expect(get()).rejects.toThrow("not now");
  expect(await get()).toBe(2);
});

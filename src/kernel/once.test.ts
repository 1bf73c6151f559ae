import { expect, it } from "vitest";
import { lazily, lazyParts, once, oncePerKey } from "./once.js";

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

it("runs once per key, also where the result is nothing", () => {
  const asked: string[] = [];
  const get = oncePerKey((key: string) => {
    asked.push(key);
    return key === "none" ? undefined : key.length;
  });
  expect([get("one"), get("none"), get("one"), get("none")]).toEqual([3, undefined, 3, undefined]);
  expect(asked).toEqual(["one", "none"]);
});

it("makes each part when it is first read, once", () => {
  const made: string[] = [];
  const part = (name: string) => () => {
    made.push(name);
    return name;
  };
  const parts = lazyParts({ a: part("a"), b: part("b") });
  expect(made).toEqual([]);
  expect([parts.a, parts.a]).toEqual(["a", "a"]);
  expect(made).toEqual(["a"]);
});

interface Counter {
  next(step: number): Promise<number>;
}

function counted({ failures = 0 } = {}) {
  let [made, left, value] = [0, failures, 0];
  const counter = lazily<Counter>(async () => {
    made++;
    if (left-- > 0) throw new Error("not now");
    return { next: async (step) => (value += step) };
  });
  return { counter, made: () => made };
}

it("is made by the first call, once", async () => {
  const { counter, made } = counted();
  expect(made()).toBe(0);
  expect(await Promise.all([counter.next(2), counter.next(3)])).toEqual([2, 5]);
  expect(made()).toBe(1);
});

it("is tried again after it could not be made", async () => {
  const { counter } = counted({ failures: 1 });
  await expect(counter.next(1)).rejects.toThrow("not now");
  expect(await counter.next(1)).toBe(1);
});

it("may be the value of a promise without being made", async () => {
  const { counter, made } = counted();
  expect(await Promise.resolve(counter)).toBe(counter);
  expect(made()).toBe(0);
});

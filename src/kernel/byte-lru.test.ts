import { expect, it } from "vitest";
import { createByteLru } from "./byte-lru.js";

function lruOf(maxBytes: number) {
  const made: string[] = [];
  const lru = createByteLru<string, string>(maxBytes, (value) => value.length);
  const get = (key: string) =>
    lru(key, () => {
      made.push(key);
      return key;
    });
  return { get, made };
}

it("makes a value once while there is room", () => {
  const { get, made } = lruOf(4);
  for (const key of ["aa", "bb", "aa", "bb"]) expect(get(key)).toBe(key);
  expect(made).toEqual(["aa", "bb"]);
});

it("drops the least recently used when the bytes are spent", () => {
  const { get, made } = lruOf(4);
  for (const key of ["aa", "bb", "aa", "cc", "aa", "bb"]) get(key);
  expect(made).toEqual(["aa", "bb", "cc", "bb"]);
});

it("makes what never fits each time, and keeps the others", () => {
  const { get, made } = lruOf(4);
  for (const key of ["aa", "too large", "too large", "aa"]) get(key);
  expect(made).toEqual(["aa", "too large", "too large"]);
});

import { expect, test } from "vitest";
import { createBlockCache } from "./block-cache.js";
import type { Database } from "./database.js";

/** A file of as many blocks as anyone asks for, all of one size, which says how often it was read. */
function blocksOf(bytes: number) {
  const file = { reads: 0 };
  const get = () => {
    file.reads++;
    return [new Uint8Array(bytes)];
  };
  const db = { read: () => ({ get, all: () => [] }) } as unknown as Pick<Database, "read">;
  return { file, db };
}

test("a block asked for again is not read again", () => {
  const { file, db } = blocksOf(4000);
  const block = createBlockCache(db, 1_000_000);
  expect(block(1)).toBe(block(1));
  expect(file.reads).toBe(1);
});

test("small blocks count with the objects that keep them, not with their bytes alone", () => {
  const { file, db } = blocksOf(40);
  const block = createBlockCache(db, 1_000_000);
  for (let key = 0; key < 10_000; key++) block(key);
  file.reads = 0;
  for (let key = 9_999; key > 8_100; key--) block(key);
  expect(file.reads).toBeLessThan(100);
  for (let key = 0; key < 1000; key++) block(key);
  expect(file.reads).toBeGreaterThan(1000);
});

test("what was asked for longest ago makes room", () => {
  const { file, db } = blocksOf(400_000);
  const block = createBlockCache(db, 1_000_000);
  block(1);
  block(2);
  block(1);
  block(3);
  file.reads = 0;
  block(1);
  block(3);
  expect(file.reads).toBe(0);
  block(2);
  expect(file.reads).toBe(1);
});

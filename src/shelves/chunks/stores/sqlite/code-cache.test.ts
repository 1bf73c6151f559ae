import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CachedBlock, createCodeCache } from "./code-cache.js";
import { type Database, openDatabase } from "./database.js";
import { createDotKernel } from "./dot-kernel.js";
import { BLOCK_BYTES } from "./vectors.js";

let folder: string;
let db: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bookwheel-codes-"));
  db = openDatabase(join(folder, "shelf.db"));
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

function block(key: number, space = 1): CachedBlock {
  const none = new Uint8Array();
  db.write("insert into vector_blocks (key, space, revision, head, signs, codes) values (?, ?, 1, ?, ?, ?)").run(
    key,
    space,
    none,
    none,
    new Uint8Array([key]),
  );
  return { key, space, revision: 1 };
}

function open(capacity: number) {
  const kernel = createDotKernel();
  const cache = createCodeCache(db, kernel, { from: 0, capacity });
  const firstCode = (wanted: CachedBlock) => {
    const at = cache.place(wanted); // before the memory is looked at, which may grow
    return at === undefined ? undefined : kernel.bytes()[at];
  };
  return { kernel, cache, firstCode };
}

describe("codes in memory", () => {
  it("are those of the block asked for", () => {
    const { cache, firstCode } = open(4);
    const blocks = [block(1), block(2), block(3, 2)];
    for (const each of [...blocks, ...blocks]) expect(firstCode(each)).toBe(each.key);
    expect(cache.place({ key: 9, space: 1, revision: 1 })).toBeUndefined();
  });

  it("take no more room when a space is packed again under other keys", () => {
    const { kernel, cache, firstCode } = open(1000);
    const other = block(1000, 2);
    cache.place(other);
    for (let round = 0; round < 20; round++) {
      const blocks = [block(2 * round + 1), block(2 * round + 2)];
      cache.forgetRewritten(blocks);
      for (const each of blocks) expect(firstCode(each)).toBe(each.key);
    }
    expect(kernel.bytes().byteLength).toBeLessThan(8 * BLOCK_BYTES);
    expect(firstCode(other)).toBe(1000 % 256);
  });

  it("are evicted for others when the memory is full", () => {
    const { kernel, firstCode } = open(2);
    for (const each of [block(1, 1), block(2, 2), block(3, 3), block(4, 4)]) expect(firstCode(each)).toBe(each.key);
    expect(kernel.bytes().byteLength).toBeLessThanOrEqual(3 * BLOCK_BYTES);
  });
});

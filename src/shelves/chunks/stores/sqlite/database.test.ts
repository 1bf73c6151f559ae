import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase, type Steps } from "./database.js";

let folder: string;
let db: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bookwheel-steps-"));
  db = openDatabase(join(folder, "store.db"));
});
afterEach(async () => {
  await db.close().catch(() => {});
  await rm(folder, { recursive: true, force: true });
});

const insert = (key: number) => db.write("insert into pending_vectors (key) values (?)").run(key);
const keys = () =>
  db
    .read<[number]>("select key from pending_vectors order by key")
    .all()
    .map(([key]) => key);
/** Long enough for others to get a turn. */
function busy(): void {
  for (const until = performance.now() + 20; performance.now() < until; );
}
function* threeRows(first: number, between: () => void = () => {}): Steps<number> {
  for (let key = first; key < first + 3; key++) {
    insert(key);
    busy();
    between();
    yield;
  }
  return first;
}

describe("a write in steps", () => {
  it("lets others read in between, who see nothing of it before its end", async () => {
    const seen: number[][] = [];
    const read = () => void setImmediate(() => seen.push(keys()));
    expect(await db.transactionInSteps(() => threeRows(1, read))).toBe(1);
    expect(seen.length).toBeGreaterThanOrEqual(2);
    for (const rows of seen) expect([[], [1, 2, 3]]).toContainEqual(rows);
    expect(seen[0]).toEqual([]);
    expect(keys()).toEqual([1, 2, 3]);
  });

  it("keeps other writes waiting until its end", async () => {
    const order: string[] = [];
    await Promise.all([
      db.transactionInSteps(() => threeRows(1)).then(() => order.push("long")),
      db.transaction(() => insert(9)).then(() => order.push("short")),
    ]);
    expect(order).toEqual(["long", "short"]);
    expect(keys()).toEqual([1, 2, 3, 9]);
  });

  it("leaves nothing where its caller gives up in the middle, and the next one works", async () => {
    const stop = new AbortController();
    const writing = db.transactionInSteps(() => threeRows(1, () => stop.abort(new Error("gone"))), stop.signal);
    await expect(writing).rejects.toThrow("gone");
    await db.transaction(() => insert(9));
    expect(keys()).toEqual([9]);
  });

  it("is ended before the store is closed", async () => {
    const writing = db.transactionInSteps(() => threeRows(1));
    await db.close();
    expect(await writing).toBe(1);
    db = openDatabase(join(folder, "store.db"));
    expect(keys()).toEqual([1, 2, 3]);
  });
});

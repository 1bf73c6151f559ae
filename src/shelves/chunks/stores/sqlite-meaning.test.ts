import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { meaningStoreContract } from "../../../../tests/support/meaning-store.contract.js";
import type { Space } from "../../readwise/meaning/meaning-store.js";
import { sqliteMeaningStore } from "./sqlite-meaning.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bookwheel-meaning-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MIB = 2 ** 20;
const DAY = 24 * 3600_000;
const open = (more: { maxBytes?: number; clock?: () => number } = {}) =>
  sqliteMeaningStore({ file: join(folder, "meaning.db"), maxBytes: 64 * MIB, ...more });
const space = (key: string): Space => ({ keyHash: key.repeat(64), kind: "highlights", model: "m" });
const rows = (count: number, bytes: number) =>
  new Map(Array.from({ length: count }, (_, i) => [i.toString(16).padStart(32, "0"), new Uint8Array(bytes).fill(7)]));

meaningStoreContract("sqlite", () => open());

it("has everything again after a restart", async () => {
  const first = open();
  await first.write(space("a"), rows(3, 8));
  await first.close();
  const second = open();
  expect((await second.read(space("a"), [...rows(3, 8).keys()])).size).toBe(3);
  await second.close();
});

it("stays within its size: the least recently used key is dropped, and one that needs more is refused", async () => {
  let now = 0;
  const store = open({ maxBytes: MIB, clock: () => now });
  await store.write(space("a"), rows(500, 1000));
  now += 2 * DAY;
  await store.write(space("b"), rows(600, 1000));
  now += 2 * DAY;
  await store.write(space("b"), rows(600, 1000));
  expect((await store.read(space("a"), [...rows(1, 1).keys()])).size).toBe(0);
  expect((await store.read(space("b"), [...rows(1, 1).keys()])).size).toBe(1);
  await store.write(space("b"), rows(1500, 1000));
  expect(await store.write(space("b"), rows(1500, 1000))).toBe(false);
  await store.close();
});

it("forgets what nobody used for a month", async () => {
  const before = open({ clock: () => 0 });
  await before.write(space("a"), rows(1, 8));
  await before.close();
  const after = open({ clock: () => 31 * DAY });
  expect(await after.forget()).toBe(0);
  await after.close();
});

it("begins again where its file cannot be read", async () => {
  writeFileSync(join(folder, "meaning.db"), "no database at all, though long enough to look like one".repeat(50));
  const store = open();
  expect(await store.write(space("a"), rows(1, 8))).toBe(true);
  await store.close();
});

it("leaves no trace of what was forgotten in its file", async () => {
  const store = open();
  const secret = Buffer.from("a vector that nobody should find");
  await store.write(space("a"), new Map([["0".repeat(32), secret]]));
  await store.forget(space("a").keyHash);
  await store.close();
  expect(readFileSync(join(folder, "meaning.db")).includes(secret)).toBe(false);
});

it("goes on where another process has forgotten the key meanwhile", async () => {
  const [server, command] = [open(), open()];
  await server.write(space("a"), rows(2, 8));
  await command.forget(space("a").keyHash);
  expect((await server.read(space("a"), [...rows(2, 8).keys()])).size).toBe(0);
  await server.write(space("a"), rows(1, 8));
  expect(await command.forget()).toBe(1);
  await server.close();
  await command.close();
});

it("lets one process at a time make a space's rows, until it is done, gone or silent", async () => {
  let now = 0;
  const [one, other] = [open({ clock: () => now }), open({ clock: () => now })];
  expect([await one.claim(space("a")), await other.claim(space("a")), await other.claim(space("b"))]).toEqual([
    true,
    false,
    true,
  ]);
  await one.release(space("a"));
  expect([await other.claim(space("a")), await one.claim(space("a"))]).toEqual([true, false]);
  now += 60_000;
  expect(await one.claim(space("a"))).toBe(true);
  await one.close();
  expect(await other.claim(space("a"))).toBe(true);
  await other.close();
});

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { project } from "../../tests/support/chunk-store.contract.js";
import { sqliteChunkStore } from "../shelves/chunks/stores/sqlite.js";
import { backupCommand } from "./backup.js";

let folder: string;
const said: string[] = [];
const deps = { print: (line: string) => void said.push(line), complain: (line: string) => void said.push(line) };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bookwheel-backup-"));
  said.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("copies a store in use into one that opens and holds the same", async () => {
  const store = sqliteChunkStore({ file: join(folder, "bookwheel.db") });
  await store.createProject(project("kept"));
  const target = join(folder, "copies", "today.db");
  expect(await backupCommand([target], { store, ...deps })).toBe(0);
  expect(said.join()).toMatch(/today\.db: [\d.]+ MiB.*restore/);
  await store.close();
  const copy = sqliteChunkStore({ file: target });
  expect((await copy.projects()).map(({ id }) => id)).toEqual(["kept"]);
  await copy.close();
  expect(readdirSync(join(folder, "copies")).filter((name) => name.includes("unfinished"))).toEqual([]);
});

it("never writes over a file, and leaves none behind where the copying fails", async () => {
  const taken = join(folder, "taken.db");
  writeFileSync(taken, "precious");
  const store = { backup: () => Promise.reject(new Error("disk full")) };
  expect(await backupCommand([taken], { store, ...deps })).toBe(2);
  expect(said.join()).toContain("Name a new file");
  const target = join(folder, "new.db");
  await expect(backupCommand([target], { store, ...deps })).rejects.toThrow("disk full");
  expect(existsSync(target)).toBe(false);
});

it("says what to do where there is no name or no file to copy", async () => {
  expect(await backupCommand([], { store: {}, ...deps })).toBe(2);
  expect(await backupCommand([join(folder, "x.db")], { store: {}, ...deps })).toBe(1);
  expect(said.join()).toContain("snapshot");
});

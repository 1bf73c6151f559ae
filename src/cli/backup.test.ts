import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { project } from "../../tests/support/chunks.js";
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
  const target = join(folder, "today.db");
  expect(await backupCommand([target], { store, ...deps })).toBe(0);
  expect(said.join()).toMatch(/today\.db: [\d.]+ MiB.*restore/);
  await store.close();
  const copy = sqliteChunkStore({ file: target });
  expect((await copy.projects()).map(({ id }) => id)).toEqual(["kept"]);
  await copy.close();
  expect(readdirSync(folder).filter((name) => name.includes("unfinished"))).toEqual([]);
});

it("takes the declared projects along, and is readable by its owner alone", async () => {
  const store = sqliteChunkStore({ file: join(folder, "bookwheel.db") });
  const projectsFile = join(folder, "projects.json");
  writeFileSync(projectsFile, '{"projects":[]}');
  const target = join(folder, "today.db");
  expect(await backupCommand([target], { store, projectsFile, ...deps })).toBe(0);
  await store.close();
  expect(readFileSync(`${target}.projects.json`, "utf8")).toBe('{"projects":[]}');
  expect(statSync(target).mode & 0o777).toBe(0o600);
});

it("says in a sentence that a path cannot be", async () => {
  const store = sqliteChunkStore({ file: join(folder, "bookwheel.db") });
  writeFileSync(join(folder, "file"), "");
  expect(await backupCommand([join(folder, "missing", "copy.db")], { store, ...deps })).toBe(2);
  expect(existsSync(join(folder, "missing"))).toBe(false);
  expect(await backupCommand([join(folder, "file", "copy.db")], { store, ...deps })).toBe(1);
  await store.close();
  expect(said.join()).toMatch(/cannot be written \(E\w+\)\. Name a file in a folder/);
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

import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeFolder } from "./make-folder.js";

const home = mkdtempSync(join(tmpdir(), "bookwheel-folders-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

it("makes a folder and those above it, for their owner alone, and leaves one that is there", () => {
  const path = join(home, "a", "b", "c");
  makeFolder(path);
  makeFolder(path);
  expect(statSync(path).isDirectory()).toBe(true);
  if (process.platform !== "win32") expect(statSync(join(home, "a")).mode & 0o777).toBe(0o700);
});

it("says that a file is in the way", () => {
  const file = join(home, "file");
  writeFileSync(file, "");
  expect(() => makeFolder(join(file, "below"))).toThrow(/ENOTDIR|ENOENT|EEXIST/);
});

it.skipIf(!existsSync("/proc/self"))("ends with an error where no folder can be made", () => {
  expect(() => makeFolder("/proc/bookwheel/data")).toThrow("ENOENT");
});

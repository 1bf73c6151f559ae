import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { project } from "../../../../tests/support/chunks.js";
import { sqliteChunkStore } from "./sqlite.js";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bookwheel-health-"));
  file = join(folder, "bookwheel.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function filled() {
  const store = sqliteChunkStore({ file });
  await store.createProject(project("kept"));
  return store;
}
const names = async (store: ReturnType<typeof sqliteChunkStore>) => (await store.projects()).map(({ id }) => id);
const open = () => sqliteChunkStore({ file });

describe("a store that held projects", () => {
  it("is whole in its file alone once it is closed", async () => {
    await (await filled()).close();
    const copy = join(folder, "copy.db");
    copyFileSync(file, copy);
    const store = sqliteChunkStore({ file: copy });
    expect(await names(store)).toEqual(["kept"]);
    await store.close();
  });

  it.each(["0 bytes", "missing", "a new one"])("is not taken for an empty one when its file is %s", async (how) => {
    await (await filled()).close();
    const backup = join(folder, "copy.db");
    copyFileSync(file, backup);
    if (how === "0 bytes") truncateSync(file);
    else rmSync(file);
    if (how === "a new one") {
      const other = sqliteChunkStore({ file: join(folder, "other.db") });
      await other.close();
      copyFileSync(join(folder, "other.db"), file);
    }
    expect(open).toThrow(/held projects before.*restore a backup.*bookwheel\.db\.marker/i);

    copyFileSync(backup, file);
    const restored = open();
    expect(await names(restored)).toEqual(["kept"]);
    await restored.close();
  });

  it("starts empty when its owner says so", async () => {
    await (await filled()).close();
    rmSync(file);
    rmSync(`${file}.marker`);
    const store = open();
    expect(await names(store)).toEqual([]);
    await store.close();
  });

  it("may be emptied by a call", async () => {
    const store = await filled();
    await store.deleteProject("kept");
    await store.close();
    const again = open();
    expect(await names(again)).toEqual([]);
    await again.close();
  });

  it("may be emptied by a process that saw none of its projects made", async () => {
    const early = open();
    const store = await filled();
    await early.deleteProject("kept");
    // Neither process ends in order: the marker has to be right from the commit on.
    const again = open();
    expect(await names(again)).toEqual([]);
    for (const each of [again, store, early]) await each.close();
  });

  it.each(["removed", "replaced"])("says at the next write and when asked that its file was %s", async (how) => {
    const store = await filled();
    rmSync(file);
    if (how === "replaced") writeFileSync(file, "");
    await expect(store.createProject(project("lost"))).rejects.toMatchObject({
      code: "INDEX_UNAVAILABLE",
      message: expect.stringContaining("removed or replaced"),
    });
    expect(() => store.health()).toThrow("removed or replaced");
    await store.close();
  });

  it("says that the write-ahead log of the last run is missing", async () => {
    const store = await filled();
    expect(store.health()).toBeUndefined();
    // What a killed program leaves: the marker says it was in use.
    writeFileSync(join(folder, "kept.marker"), "");
    copyFileSync(`${file}.marker`, join(folder, "kept.marker"));
    await store.close();
    copyFileSync(join(folder, "kept.marker"), `${file}.marker`);
    rmSync(`${file}-wal`, { force: true });
    const again = open();
    expect(again.health()).toMatch(/^degraded: the write-ahead log .* was missing/);
    expect(await names(again)).toEqual(["kept"]);
    await again.close();
    const later = open();
    expect(later.health()).toBeUndefined();
    await later.close();
  });
});

it("is readable by its owner alone, whatever made the folder and the file", async () => {
  chmodSync(folder, 0o755);
  writeFileSync(file, "", { mode: 0o644 });
  chmodSync(file, 0o644);
  const store = await filled();
  for (const name of readdirSync(folder)) expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
  await store.close();
});

it("is whole in its file alone soon after a write", async () => {
  const store = await filled();
  const copy = join(folder, "copy.db");
  await expect
    .poll(
      async () => {
        copyFileSync(file, copy);
        const other = sqliteChunkStore({ file: copy });
        const found = await names(other);
        await other.close();
        rmSync(`${copy}.marker`, { force: true });
        return found;
      },
      { timeout: 10_000 },
    )
    .toEqual(["kept"]);
  await store.close();
});

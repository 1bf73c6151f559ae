import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { passage, project, towards } from "../../../../tests/support/chunks.js";
import { moduleUrl } from "../../../kernel/module-url.js";
import { type SqliteChunkStore, sqliteChunkStore } from "./sqlite.js";

const KILLS = Number(process.env.BOOKWHEEL_KILLS ?? 200);
const compiled = moduleUrl("./sqlite.js", import.meta.url);
const built = existsSync(compiled);
if (!built)
  console.log(`Skipped: writers in processes of their own need ${fileURLToPath(compiled)}; run npm run build.`);
const folder = await mkdtemp(join(tmpdir(), "bookwheel-durable-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${files++}`, "shelf.db");

async function emptyShelf(): Promise<string> {
  const file = newFile();
  const store = sqliteChunkStore({ file });
  await store.createProject(project("a"));
  await store.close();
  return file;
}

interface Writer {
  child: ChildProcess;
  acknowledged: number[];
  errors: string[];
}
function startWriter(file: string, name: string, first: number, batches: number, shared = 0): Writer {
  const script = fileURLToPath(new URL("../../../../tests/support/store-writer.mjs", import.meta.url));
  const child = spawn(process.execPath, [
    script,
    compiled.href,
    file,
    name,
    String(first),
    String(batches),
    String(shared),
  ]);
  const writer: Writer = { child, acknowledged: [], errors: [] };
  let rest = "";
  child.stdout.on("data", (data: Buffer) => {
    const lines = (rest + data.toString()).split("\n");
    rest = lines.pop() ?? "";
    writer.acknowledged.push(...lines.map(Number));
  });
  child.stderr.on("data", (data: Buffer) => writer.errors.push(data.toString()));
  return writer;
}

/** What the file holds of one writer's batches, read by a fresh process's eyes. */
async function batchesIn(store: SqliteChunkStore, name: string): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  const hits = await store.byWords("a", name, { limit: 1_000_000 });
  expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
  for (const { id } of hits) {
    const batch = Number(id.split("-")[1]);
    found.set(batch, (found.get(batch) ?? 0) + 1);
  }
  return found;
}

describe.skipIf(!built)("a writer that is killed", () => {
  it("leaves every acknowledged chunk there once, and no batch half written", { timeout: KILLS * 6_000 }, async () => {
    const file = await emptyShelf();
    let next = 0;
    const acknowledged = new Set<number>();
    for (let round = 0; round < KILLS; round++) {
      const writer = startWriter(file, "alpha", next, 10_000);
      const ended = once(writer.child, "exit");
      while (writer.acknowledged.length === 0 && writer.child.exitCode === null) await delay(5);
      await delay(Math.random() * 60);
      writer.child.kill("SIGKILL");
      await ended;
      expect(writer.errors).toEqual([]);
      for (const batch of writer.acknowledged) acknowledged.add(batch);
      next = Math.max(...writer.acknowledged) + 2;
    }
    const store = sqliteChunkStore({ file });
    expect(store.integrity()).toEqual([]);
    const found = await batchesIn(store, "alpha");
    for (const batch of acknowledged) expect(found.get(batch), `batch ${batch}`).toBe(20);
    for (const [batch, size] of found) expect(size, `batch ${batch}`).toBe(20);
    expect(await store.count("a")).toBe(found.size * 20);
    expect(await store.byMeaning("a", towards(0), { limit: 1_000_000 })).toHaveLength(found.size * 20);
    await store.close();
  });
});

describe.skipIf(!built)("two processes writing at once", () => {
  it("lose nothing and store nothing twice, and a third one sees it all while it happens", {
    timeout: 60_000,
  }, async () => {
    const file = await emptyShelf();
    const watching = sqliteChunkStore({ file });
    const writers = ["alpha", "beta"].map((name) => startWriter(file, name, 0, 40, 10));
    const ends = writers.map(({ child }) => once(child, "exit"));
    let seen = 0;
    while (writers.some(({ child }) => child.exitCode === null)) {
      const count = await watching.count("a");
      expect(count).toBeGreaterThanOrEqual(seen);
      seen = count;
      await delay(20);
    }
    await Promise.all(ends);
    expect(writers.flatMap(({ errors }) => errors)).toEqual([]);
    expect(writers.map(({ child }) => child.exitCode)).toEqual([0, 0]);
    expect(await watching.count("a")).toBe(2 * 40 * 20 + 10);
    for (const name of ["alpha", "beta"]) {
      const hits = await watching.byWords("a", name, { limit: 5_000, filters: { tags: [name] } });
      expect(hits.filter(({ id }) => id.startsWith(name))).toHaveLength(800);
    }
    expect(await watching.byWords("a", "shared", { limit: 100 })).toHaveLength(10);
    expect(watching.integrity()).toEqual([]);
    await watching.close();
  });
});

describe("a file that cannot be used", () => {
  it("is named with what to do, and never replaced", async () => {
    const file = newFile();
    await sqliteChunkStore({ file }).close();
    await writeFile(file, "this is not a database, but somebody's notes");
    expect(() => sqliteChunkStore({ file })).toThrow(
      expect.objectContaining({ code: "INDEX_UNAVAILABLE", message: expect.stringContaining(file) }),
    );
    expect(await readFile(file, "utf8")).toContain("somebody's notes");
  });

  it("is found out when it is damaged", async () => {
    const file = await emptyShelf();
    const store = sqliteChunkStore({ file });
    await store.upsert(
      "a",
      Array.from({ length: 300 }, () => passage()),
    );
    await store.close();
    const size = (await readFile(file)).byteLength;
    await truncate(file, size - 4096 * 20);
    expect(() => sqliteChunkStore({ file })).toThrow(
      expect.objectContaining({ code: "INDEX_UNAVAILABLE", message: expect.stringMatching(/damaged.*backup/s) }),
    );
  });

  it("is refused when its tables are not this version's", async () => {
    const file = newFile();
    await sqliteChunkStore({ file }).close();
    const changed = new DatabaseSync(file);
    changed.exec("alter table vector_blocks drop column signs");
    changed.close();
    expect(() => sqliteChunkStore({ file })).toThrow(
      expect.objectContaining({ code: "INDEX_UNAVAILABLE", message: expect.stringContaining("other tables") }),
    );
  });

  it("is refused when a newer version wrote it", async () => {
    const file = newFile();
    await sqliteChunkStore({ file }).close();
    const bytes = await readFile(file);
    bytes.writeUInt32BE(99, 60);
    await writeFile(file, bytes);
    expect(() => sqliteChunkStore({ file })).toThrow(
      expect.objectContaining({ code: "INDEX_UNAVAILABLE", message: expect.stringContaining("newer Bookwheel") }),
    );
  });

  it("is read and no longer written by a process that runs when a newer version moves it on", async () => {
    const file = await emptyShelf();
    const older = sqliteChunkStore({ file });
    await older.upsert("a", [passage({ id: "1" })]);
    const newer = new DatabaseSync(file);
    newer.exec("pragma user_version = 99");
    newer.close();
    const refused = { code: "INDEX_UNAVAILABLE", message: expect.stringContaining("start the newer version") };
    await expect(older.upsert("a", [passage({ id: "2" })])).rejects.toMatchObject(refused);
    await expect(older.deleteProject("a")).rejects.toMatchObject(refused);
    expect(() => older.health()).toThrow(expect.objectContaining(refused));
    expect(await older.chunks("a", { ids: ["1", "2"] })).toMatchObject([{ id: "1" }]);
    await older.close();
  });
});

it("is copied whole while it is in use", async () => {
  const file = await emptyShelf();
  const store = sqliteChunkStore({ file });
  await store.upsert("a", [passage({ id: "1" })]);
  const copy = join(folder, "copy.db");
  const copying = store.backup?.(copy);
  await store.upsert("a", [passage({ id: "2" })]);
  await copying;
  await store.close();
  const restored = sqliteChunkStore({ file: copy });
  expect(restored.integrity()).toEqual([]);
  expect(await restored.count("a")).toBeGreaterThanOrEqual(1);
  expect((await restored.byWords("a", "entities", { limit: 5 })).length).toBe(await restored.count("a"));
  await restored.close();
});

it("sees what another connection wrote, block by block", async () => {
  const file = await emptyShelf();
  const [one, two] = [sqliteChunkStore({ file }), sqliteChunkStore({ file, vectorCacheBytes: 0 })];
  for (let round = 0; round < 5; round++) {
    await one.upsert("a", [passage({ id: `${round}`, text: `round${round}`, vectors: [towards(round)] })]);
    expect((await two.byMeaning("a", towards(round), { limit: 1 }))[0]?.id).toBe(`${round}`);
    expect((await two.byWords("a", `round${round}`, { limit: 1 }))[0]?.id).toBe(`${round}`);
    await two.removeChunks("a", [`${round - 1}`]);
    expect(await one.byWords("a", `round${round - 1}`, { limit: 1 })).toEqual([]);
    expect(await one.count("a")).toBe(1);
  }
  await one.close();
  await two.close();
});

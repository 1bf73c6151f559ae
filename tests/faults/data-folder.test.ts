import { copyFile, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { run } from "../support/peers.js";
import { exitOf, PROGRAM, type Program } from "../support/program.js";
import { callProgram, chunkCount, items, PROJECT, readable, serveFrom } from "./program-calls.js";

/** More with `BOOKWHEEL_KILLS=200`; the store by itself is killed as often in its own tests. */
const KILLS = Math.max(5, Math.ceil(Number(process.env.BOOKWHEEL_KILLS ?? 0)));
const BATCH = 10;

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean();
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bookwheel-faults-"));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
async function serve(folder: string): Promise<Program> {
  const program = await serveFrom(folder);
  cleanUp.push(() => program.stop());
  return program;
}
async function withProject(folder: string): Promise<Program> {
  const program = await serve(folder);
  await callProgram(program.url, "create_project", { project: PROJECT });
  return program;
}
const store = (url: string, batch: string, count = BATCH, words = 20) =>
  callProgram(url, "store_chunks", { project: PROJECT, items: items(batch, count, words) });
const shell = (folder: string, ...args: string[]) =>
  run(process.execPath, [PROGRAM, ...args], { env: { BOOKWHEEL_HOME: folder, LOG_LEVEL: "error" } });

describe("the program", () => {
  it(`killed ${KILLS} times while it writes keeps every batch it acknowledged, and each batch whole`, {
    timeout: 60_000 + KILLS * 15_000,
  }, async () => {
    const folder = await newFolder();
    await (await withProject(folder)).stop();
    const acknowledged: string[] = [];
    let batch = 0;
    for (let round = 0; round < KILLS; round++) {
      const program = await serveFrom(folder);
      let begun = () => {};
      const firstAcknowledged = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const writing = (async () => {
        for (;;) {
          const name = `b${batch++}x`;
          const answer = await store(program.url, name).catch(() => undefined);
          if (!answer) return;
          expect(answer.error).toBeUndefined();
          acknowledged.push(name);
          begun();
        }
      })();
      await firstAcknowledged;
      await delay(Math.random() * 250);
      await exitOf(program.child, () => program.child.kill("SIGKILL"));
      await writing;
      await rm(program.home, { recursive: true, force: true });
    }
    const { url } = await serve(folder);
    expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS);
    const last = acknowledged.map((name) => `${name}-${BATCH - 1}`);
    expect(await readable(url, last)).toEqual(last);
    const size = await chunkCount(url);
    expect(size % BATCH).toBe(0);
    expect(size).toBeGreaterThanOrEqual(acknowledged.length * BATCH);
    expect(size).toBeLessThanOrEqual((acknowledged.length + KILLS) * BATCH);
  });

  it("shares its folder with a second one: both write, both see everything", { timeout: 60_000 }, async () => {
    const folder = await newFolder();
    const [one, two] = [await withProject(folder), await serve(folder)];
    await Promise.all(
      [one, two].map(async ({ url }, which) => {
        for (let i = 0; i < 10; i++) expect((await store(url, `p${which}n${i}`)).error).toBeUndefined();
      }),
    );
    for (const { url } of [one, two]) {
      expect(await chunkCount(url)).toBe(2 * 10 * BATCH);
      expect(await readable(url, ["p0n9-0", "p1n9-0"])).toEqual(["p0n9-0", "p1n9-0"]);
    }
  });
});

describe("a store file that is damaged", () => {
  async function filled() {
    const folder = await newFolder();
    const program = await withProject(folder);
    for (let i = 0; i < 5; i++) await store(program.url, `d${i}`, 100);
    const backup = join(folder, "copy.db");
    const copied = await shell(folder, "backup", backup);
    expect(copied.code, copied.stderr).toBe(0);
    await exitOf(program.child, () => program.child.kill("SIGTERM"));
    return { folder, file: join(folder, "bookwheel.db"), backup };
  }
  const DAMAGE: Record<string, (file: string) => Promise<void>> = {
    "cut short": async (file) => truncate(file, Math.floor((await stat(file)).size / 2)),
    overwritten: (file) => writeFile(file, "somebody's notes, saved under the wrong name"),
    "with pages of noise": async (file) => {
      const handle = await open(file, "r+");
      const { size } = await handle.stat();
      for (let at = 4096; at < size; at += 4096 * 3) await handle.write(Buffer.alloc(4096, 0xa5), 0, 4096, at);
      await handle.close();
    },
  };

  it.each(Object.entries(DAMAGE))(
    "%s is named and kept, never replaced by an empty one; a backup brings all back",
    {
      timeout: 60_000,
    },
    async (_kind, damage) => {
      const { folder, file, backup } = await filled();
      await damage(file);
      const before = await readFile(file);
      const refused = await shell(folder, "serve", "--port", "0");
      expect(refused.code, refused.stderr).toBe(1);
      expect(refused.stderr).toContain(file);
      expect(refused.stderr).toMatch(/backup/i);
      expect(Buffer.compare(await readFile(file), before)).toBe(0);

      for (const rest of ["-wal", "-shm"]) await rm(file + rest, { force: true });
      await copyFile(backup, file);
      const { url } = await serve(folder);
      expect(await chunkCount(url)).toBe(500);
      expect(await readable(url, ["d0-0", "d4-99"])).toEqual(["d0-0", "d4-99"]);
    },
  );
});

describe("a store file that is removed under the running program", () => {
  it("is named by /ready and by the next write; a backup brings all back", { timeout: 60_000 }, async () => {
    const folder = await newFolder();
    const program = await withProject(folder);
    await store(program.url, "before");
    const file = join(folder, "bookwheel.db");
    expect((await shell(folder, "backup", `${file}.copy`)).code).toBe(0);
    await rm(file);
    const ready = await fetch(`${program.url}/ready`);
    expect(ready.status).toBe(503);
    expect(JSON.stringify(await ready.json())).toContain("removed or replaced");
    expect((await store(program.url, "after")).error).toMatchObject({ code: "INDEX_UNAVAILABLE" });
    await exitOf(program.child, () => program.child.kill("SIGTERM"));

    const refused = await shell(folder, "serve", "--port", "0");
    expect(refused.code, refused.stderr).toBe(1);
    expect(refused.stderr).toContain("held projects before");
    expect((await shell(folder, "doctor")).stdout).toContain("held projects before");
    for (const rest of ["-wal", "-shm"]) await rm(file + rest, { force: true });
    await copyFile(`${file}.copy`, file);
    const { url } = await serve(folder);
    expect(await readable(url, ["before-9"])).toEqual(["before-9"]);
  });
});

const small = await smallDisk();
if (!small) console.log("skipped: a full and a read-only disk (needs root and mount)");
describe.skipIf(!small)("a disk", () => {
  const { mount, umount } = small ?? {};

  it("that is full refuses the call, says so, and loses nothing; with room again it goes on", {
    timeout: 60_000,
  }, async () => {
    const folder = await newFolder();
    await mount?.(folder, "size=6m");
    cleanUp.push(async () => umount?.(folder));
    const { url, child } = await withProject(folder);
    const acknowledged: string[] = [];
    let refusal: { code: string; message: string } | undefined;
    for (let i = 0; i < 200 && !refusal; i++) {
      const answer = await store(url, `f${i}`, 20, 400);
      if (answer.error) refusal = answer.error;
      else acknowledged.push(`f${i}`);
    }
    expect(refusal).toMatchObject({ code: "INDEX_UNAVAILABLE", message: expect.stringMatching(/no room left/) });
    expect(child.exitCode).toBeNull();
    expect(await chunkCount(url)).toBe(acknowledged.length * 20);

    await mount?.(folder, "remount,size=64m");
    expect((await store(url, "later", 20, 400)).error).toBeUndefined();
    const all = [...acknowledged, "later"].map((name) => `${name}-19`);
    expect(await readable(url, all)).toEqual(all);
  });

  it("that is read-only stops the start with the reason", {
    timeout: 60_000,
  }, async () => {
    const folder = await newFolder();
    await mount?.(folder, "size=32m");
    cleanUp.push(async () => umount?.(folder));
    await (await withProject(folder)).stop().catch(() => {});
    await mount?.(folder, "remount,ro");
    const refused = await shell(folder, "serve", "--port", "0");
    expect(refused.code, refused.stderr).toBe(1);
    expect(refused.stderr).toContain(folder);
    expect(refused.stderr).toMatch(/permissions|BOOKWHEEL_HOME/);
  });
});

/** A file system of its own, where this machine lets us make one. */
async function smallDisk() {
  const mount = (folder: string, options: string) =>
    run("mount", ["-t", "tmpfs", "-o", options, "bookwheel-test", folder]).then(({ code, stderr }) => {
      if (code !== 0) throw new Error(stderr);
    });
  const umount = (folder: string) => run("umount", ["-l", folder]);
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "bookwheel-mount-"));
  const able = await mount(folder, "size=1m").then(
    () => true,
    () => false,
  );
  if (able) await umount(folder);
  await rm(folder, { recursive: true, force: true });
  return able ? { mount, umount } : undefined;
}

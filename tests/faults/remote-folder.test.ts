import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { run } from "../support/peers.js";
import { exitOf } from "../support/program.js";
import { callProgram, items, PROJECT, readable, serveFrom } from "./program-calls.js";

/** A folder that a process serves, as sshfs and other network folders are; when it dies, every access fails. */
const able =
  process.platform === "linux" && process.getuid?.() === 0 && spawnSync("bindfs", ["--version"]).status === 0;
if (!able) console.log("skipped: a store on a folder of another machine (needs root and Debian's bindfs)");

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean();
});

async function served(real: string, folder: string): Promise<ChildProcess> {
  const server = spawn("bindfs", ["-f", real, folder], { stdio: "ignore" });
  cleanUp.push(async () => {
    if (server.exitCode === null && server.signalCode === null) await exitOf(server, () => server.kill("SIGKILL"));
    await run("umount", ["-l", folder]);
  });
  const { dev } = await stat(real);
  await expect.poll(async () => (await stat(folder)).dev, { timeout: 10_000 }).not.toBe(dev);
  return server;
}

it.skipIf(!able)(
  "a store on another machine's folder that goes away is named by every call; started again, it has all",
  { timeout: 60_000 },
  async () => {
    const parent = await mkdtemp(join(tmpdir(), "bookwheel-remote-"));
    cleanUp.push(() => rm(parent, { recursive: true, force: true }));
    const [real, folder] = [join(parent, "real"), join(parent, "mounted")];
    await mkdir(real);
    await mkdir(folder);
    const server = await served(real, folder);
    const program = await serveFrom(folder);
    cleanUp.push(() => program.stop());
    const store = (batch: string) =>
      callProgram(program.url, "store_chunks", { project: PROJECT, items: items(batch, 5) });
    await callProgram(program.url, "create_project", { project: PROJECT });
    expect((await store("before")).error).toBeUndefined();

    await exitOf(server, () => server.kill("SIGKILL"));
    expect((await fetch(`${program.url}/ready`)).status).toBe(503);
    expect((await fetch(`${program.url}/health`)).status).toBe(200);
    const lost = { code: "INDEX_UNAVAILABLE", message: expect.stringContaining("start Bookwheel again") };
    expect((await store("lost")).error).toMatchObject(lost);
    expect((await callProgram(program.url, "list_projects", {})).error).toMatchObject(lost);

    await run("umount", ["-l", folder]);
    await served(real, folder);
    // The files that are open are of the folder that is gone: nothing is written into the new one by accident.
    expect((await store("too early")).error).toMatchObject(lost);
    expect(await exitOf(program.child, () => program.child.kill("SIGTERM"))).toBe(0);
    const again = await serveFrom(folder);
    cleanUp.push(() => again.stop());
    expect(await readable(again.url, ["before-0", "before-4", "lost-0", "too early-0"])).toEqual([
      "before-0",
      "before-4",
    ]);
    expect(
      (await callProgram(again.url, "store_chunks", { project: PROJECT, items: items("after", 5) })).error,
    ).toBeUndefined();
  },
);

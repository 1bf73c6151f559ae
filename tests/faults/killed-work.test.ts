import { existsSync, writeFileSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Library } from "../../sandbox/readwise/library.js";
import { startReadwiseSandbox } from "../../sandbox/readwise/server.js";
import { exitOf, type Program, startProgram } from "../support/program.js";
import { cleanUp, newFolder } from "./folders.js";
import { type Answer, callProgram, chunkCount, items, PROJECT } from "./program-calls.js";

const ROUNDS = Math.max(3, Math.ceil(Number(process.env.BOOKWHEEL_KILLS ?? 0) / 20));
const KEY = "killed-readwise-key";

async function serve(folder: string, env: Record<string, string> = {}): Promise<Program> {
  const program = await startProgram(["serve"], {
    BOOKWHEEL_HOME: folder,
    CHUNK_PROFILES: "all",
    NOTEBOOK_PROFILES: "all",
    ...env,
  });
  cleanUp.push(async () => {
    const { exitCode, signalCode } = program.child;
    if (exitCode === null && signalCode === null) await program.stop();
  });
  return program;
}
const kill = (program: Program) => exitOf(program.child, () => program.child.kill("SIGKILL"));

const callWithKey = (url: string, name: string, args: object): Promise<Answer> =>
  callProgram(url, name, args, { "x-readwise-token": KEY });

describe("the program killed while it", () => {
  it("syncs a library goes on where it was, and ends with what an undisturbed sync leaves", {
    timeout: 120_000 + ROUNDS * 30_000,
  }, async () => {
    const library = new Library("killed");
    const at = Date.now() - 86_400_000;
    for (let i = 0; i < 40; i++) {
      const book = library.addBook({ title: `Book ${i}`, author: `Author ${i}` }, at);
      for (let k = 0; k < 5; k++) library.addHighlight(book, { text: `Sentence ${k} of book ${i} about the sea.` }, at);
    }
    const sandbox = await startReadwiseSandbox({ libraries: { [KEY]: library }, limits: false });
    cleanUp.push(() => sandbox.close());
    const env = { READWISE_API_URL: sandbox.url, READWISE_PROFILES: "all" };
    const sync = (url: string) => callWithKey(url, "sync_library", { project: PROJECT });

    const undisturbed = await serve(await newFolder(), env);
    await callProgram(undisturbed.url, "create_project", { project: PROJECT });
    const began = performance.now();
    expect((await sync(undisturbed.url)).error).toBeUndefined();
    const tookMs = performance.now() - began;
    const expected = await chunkCount(undisturbed.url);
    expect(expected).toBeGreaterThan(100);
    await undisturbed.stop();

    for (let round = 0; round < ROUNDS; round++) {
      const folder = await newFolder();
      const first = await serve(folder, env);
      await callProgram(first.url, "create_project", { project: PROJECT });
      const syncing = sync(first.url).catch(() => undefined);
      await delay(Math.random() * tookMs);
      await kill(first);
      await syncing;
      const second = await serve(folder, env);
      expect((await sync(second.url)).error).toBeUndefined();
      expect(await chunkCount(second.url)).toBe(expected);
      await second.stop();
    }
  });

  it("embeds a long source in the background embeds the rest at the next start", { timeout: 240_000 }, async () => {
    const folder = await newFolder();
    const first = await serve(folder);
    const { id: notebook_id } = await callProgram(first.url, "create_notebook", { name: "Sea" });
    const text = Array.from({ length: 900 }, (_, i) => `Sentence ${i} says that tide number ${i} turns. `).join("");
    const added = await callProgram(first.url, "add_source", {
      notebook_id,
      source_type: "text",
      title: "Tides",
      text: text.repeat(2),
    });
    expect(added).toMatchObject({ processing_status: "processing" });
    await delay(Math.random() * 500);
    await kill(first);

    const second = await serve(folder);
    const status = async () =>
      (
        (await callProgram(second.url, "list_notebook_sources", { notebook_id })) as unknown as {
          sources: { processing_status?: string }[];
        }
      ).sources.map(({ processing_status }) => processing_status ?? "complete");
    expect(await status()).toHaveLength(1);
    await expect.poll(status, { timeout: 200_000, interval: 1_000 }).toEqual(["complete"]);
    const asked = await callProgram(second.url, "ask", { notebook_id, question: "Which tide turns in sentence 811?" });
    expect(JSON.stringify(asked)).toContain("811");
  });
});

it("a data folder that goes away is named at once; once it is back the program goes on or says why not", {
  timeout: 60_000,
}, async () => {
  const parent = await newFolder();
  const folder = join(parent, "data");
  await mkdir(folder);
  const program = await serve(folder, { BOOKWHEEL_SHELVES: "chunks" });
  await callProgram(program.url, "create_project", { project: PROJECT });
  expect((await callProgram(program.url, "store_chunks", { project: PROJECT, items: items("before", 5) })).error).toBe(
    undefined,
  );

  await rename(folder, `${folder}-away`);
  expect((await fetch(`${program.url}/ready`)).status).toBe(503);
  const refused = await callProgram(program.url, "store_chunks", { project: PROJECT, items: items("lost", 5) });
  expect(refused.error).toMatchObject({ code: "INDEX_UNAVAILABLE" });
  expect((await fetch(`${program.url}/health`)).status).toBe(200);

  await rename(`${folder}-away`, folder);
  expect((await fetch(`${program.url}/ready`)).status).toBe(200);
  expect((await callProgram(program.url, "store_chunks", { project: PROJECT, items: items("after", 5) })).error).toBe(
    undefined,
  );
  expect(await chunkCount(program.url)).toBe(10);
});

const FAKETIME = [
  "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
  "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
].find((file) => existsSync(file));
if (!FAKETIME) console.log("skipped: the program under a clock that jumps (needs Debian's libfaketime)");

it.skipIf(!FAKETIME)(
  "a clock that jumps a day back and ten years ahead stops no call and loses nothing",
  {
    timeout: 90_000,
  },
  async () => {
    const folder = await newFolder();
    const clock = join(folder, "clock");
    const set = (offset: string) => writeFileSync(clock, `${offset}\n`);
    set("+0");
    const program = await serve(join(folder, "data"), {
      BOOKWHEEL_SHELVES: "notebooks,chunks",
      LD_PRELOAD: FAKETIME!,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    });
    await callProgram(program.url, "create_project", { project: PROJECT });
    let count = 0;
    for (const [i, jump] of ["+0", "-1d", "+10y", "-20y", "+0"].entries()) {
      set(jump);
      const stored = await callProgram(program.url, "store_chunks", { project: PROJECT, items: items(`jump${i}`, 5) });
      expect(stored.error, jump).toBeUndefined();
      count += 5;
      expect(await chunkCount(program.url)).toBe(count);
      const found = await callProgram(program.url, "query_hybrid", { project: PROJECT, query: `jump${i} item3` });
      expect(JSON.stringify(found), jump).toContain(`jump${i}-3`);
      expect((await fetch(`${program.url}/ready`)).status, jump).toBe(200);
    }
    expect(program.child.exitCode).toBeNull();
  },
);

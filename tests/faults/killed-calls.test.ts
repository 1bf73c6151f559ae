import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { exitOf, HELLO, type Program, startProgram, startStdio } from "../support/program.js";
import { newFolder } from "./folders.js";
import { callProgram, chunkCount, items, PROJECT } from "./program-calls.js";

const ROUNDS = Math.max(3, Math.ceil(Number(process.env.BOOKWHEEL_KILLS ?? 0) / 10));

const serve = (folder: string): Promise<Program> =>
  startProgram(["serve"], {
    BOOKWHEEL_HOME: folder,
    BOOKWHEEL_SHELVES: "notebooks,chunks",
    CHUNK_PROFILES: "all",
    NOTEBOOK_PROFILES: "all",
  });
const kill = (program: Program) => exitOf(program.child, () => program.child.kill("SIGKILL"));

describe("the program killed inside a call", () => {
  it("has deleted a project whole, or not at all", { timeout: 60_000 + ROUNDS * 15_000 }, async () => {
    const folder = await newFolder();
    for (let round = 0; round < ROUNDS; round++) {
      const program = await serve(folder);
      await callProgram(program.url, "create_project", { project: PROJECT });
      await callProgram(program.url, "store_chunks", { project: PROJECT, items: items("whole", 300) });
      const chunks = await chunkCount(program.url);
      const deleting = callProgram(program.url, "delete_project", { project: PROJECT, chunks }).catch(() => undefined);
      await delay(Math.random() * 30);
      await kill(program);
      const acknowledged = await deleting;

      const again = await serve(folder);
      const { projects } = (await callProgram(again.url, "list_projects", {})) as unknown as {
        projects: { id: string }[];
      };
      const there = projects.some(({ id }) => id === PROJECT);
      if (there) expect(await chunkCount(again.url)).toBe(chunks);
      if (acknowledged && !acknowledged.error) expect(there).toBe(false);
      await again.stop();
    }
  });

  it("has added a source whole, or not at all", { timeout: 60_000 + ROUNDS * 15_000 }, async () => {
    const folder = await newFolder();
    const text = "The tide turns twice a day. ".repeat(500);
    const first = await serve(folder);
    const { id: notebook_id } = (await callProgram(first.url, "create_notebook", { name: "Sea" })) as unknown as {
      id: string;
    };
    await first.stop().catch(() => undefined);
    for (let round = 0; round < ROUNDS; round++) {
      const program = await serve(folder);
      const title = `round ${round}`;
      const adding = callProgram(program.url, "add_source", { notebook_id, source_type: "text", title, text }).catch(
        () => undefined,
      );
      await delay(Math.random() * 400);
      await kill(program);
      const acknowledged = await adding;

      const again = await serve(folder);
      const { sources } = (await callProgram(again.url, "list_notebook_sources", { notebook_id })) as unknown as {
        sources: { id: string; title: string }[];
      };
      const found = sources.find((source) => source.title === title);
      if (acknowledged && !acknowledged.error) expect(found).toBeDefined();
      if (found)
        expect(await callProgram(again.url, "get_source_text", { notebook_id, source_id: found.id })).toMatchObject({
          content_length: text.length,
        });
      await again.stop();
    }
  });
});

it("a client over stdio that stops reading gets every answer when it reads again", { timeout: 60_000 }, async () => {
  const home = await newFolder();
  const program = startStdio(home, { BOOKWHEEL_SHELVES: "readwise" });
  program.child.stdin.write(HELLO);
  await program.said('"id":1');
  program.child.stdout.pause();
  const COUNT = 200;
  for (let id = 2; id < 2 + COUNT; id++)
    program.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" })}\n`);
  await delay(1_000);
  expect(program.child.exitCode).toBeNull();
  program.child.stdout.resume();
  await program.said(`"id":${1 + COUNT}`);
  await expect.poll(() => program.stdout().match(/"tools":\[/g)?.length ?? 0, { timeout: 30_000 }).toBe(COUNT);
  await exitOf(program.child, () => program.child.kill("SIGTERM"));
});

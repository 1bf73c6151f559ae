import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanEnvironment, exitOf, PROGRAM, temporaryHome } from "../support/program.js";

const TEXT =
  "# The Lantern Keeper\n\nThe keeper of the lantern walked the pier at dusk and counted the gulls that had come back.\n";

describe("the shell", () => {
  let home: string;
  let folder: string;
  beforeAll(async () => {
    home = await temporaryHome();
    folder = await mkdtemp(join(tmpdir(), "bookwheel-verbs-"));
    await writeFile(join(folder, "lantern.md"), TEXT);
    expect(await run("ingest", "pier", join(folder, "lantern.md"))).toMatchObject({ code: 0 });
  }, 60_000);
  afterAll(async () => {
    await rm(home, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  });

  async function run(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = spawn(process.execPath, [PROGRAM, ...words], { env: cleanEnvironment(home), stdio: "pipe" });
    const out = { stdout: "", stderr: "" };
    child.stdout.on("data", (part: Buffer) => {
      out.stdout += part;
    });
    child.stderr.on("data", (part: Buffer) => {
      out.stderr += part;
    });
    return { code: await exitOf(child, () => child.stdin.end()), ...out };
  }

  it("searches: JSON in a pipe, text where it is asked for", async () => {
    const { code, stdout } = await run("search", "lantern", "keeper");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results[0]).toMatchObject({ project: "pier" });
    expect((await run("search", "lantern", "keeper", "--text")).stdout).toMatch(/The Lantern Keeper\n.*pier/);
  }, 60_000);

  it("checks a quotation, and says what differs", async () => {
    const { stdout } = await run("quote", "The keeper of the lamp walked the pier at dusk", "--text");
    expect(stdout).toContain("Almost: the wording differs.");
    expect(stdout).toContain("[-lamp-] {+lantern+}");
  }, 60_000);

  it("adds a file to a notebook, which is made by its name, and asks it", async () => {
    const added = await run("add", join(folder, "lantern.md"), "--notebook", "Piers", "--text");
    expect(added).toMatchObject({ code: 0, stderr: "" });
    expect(await run("add", join(folder, "lantern.md"))).toMatchObject({ code: 0 });
    const { stdout } = await run("ask", "What did the keeper count?", "--notebook", "Piers", "--text");
    expect(stdout).toContain("counted the gulls");
    expect(stdout).toMatch(/\[1\] .*[Ll]antern/);
    const { notebooks } = JSON.parse((await run("call", "list_notebooks")).stdout);
    expect(notebooks.map(({ name }: { name: string }) => name)).toEqual(["Piers"]);
  }, 60_000);

  it("renames a project and a notebook, which keep their ids", async () => {
    expect(await run("rename", "pier", "The", "old", "pier", "--text")).toMatchObject({
      code: 0,
      stdout: "It is now called “The old pier”.\n",
    });
    const { projects } = JSON.parse((await run("call", "list_projects")).stdout);
    expect(projects).toMatchObject([{ id: "pier", name: "The old pier" }]);
    expect(await run("rename", "peer", "x")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no project or notebook 'peer'. There are: 'The old pier', 'Piers'."),
    });
    expect(await run("rename", "The old pier", "pier")).toMatchObject({ code: 0 });
  }, 60_000);

  it("says in half a line what was not searched", async () => {
    const { stdout } = await run("search", "lantern", "--text");
    expect(stdout).toContain("Not searched: No Readwise key came with the call.\n");
    expect(stdout).not.toContain("X-Readwise-Token");
  }, 60_000);

  it("calls a tool with KEY=VALUE words", async () => {
    const { code, stdout } = await run("call", "query_hybrid", "project=pier", "query=gulls", "top_k=1");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).items).toHaveLength(1);
  }, 60_000);

  it.each([
    [["serch", "x"], "Did you mean 'search'?"],
    [["call", "serch_library"], "Did you mean 'search_library'?"],
    [["queue", "someday"], "There are: new, later, shortlist, archive, feed."],
    [["search"], "For example: bookwheel search memory"],
  ])(
    "answers %j with what to do, and exit code 2",
    async (words, says) => {
      const { code, stderr } = await run(...words);
      expect(stderr).toContain(says);
      expect(code).toBe(2);
    },
    60_000,
  );

  it("has help per command with examples, and the version", async () => {
    const { stdout } = await run("cite", "--help");
    expect(stdout).toContain("bookwheel cite PROJECT KEY…");
    expect(stdout).toContain("Examples:");
    expect((await run("help", "cite")).stdout).toBe(stdout);
    expect((await run("version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    for (const line of (await run("help")).stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  }, 60_000);

  it("doctor names what is switched off and the line that switches it on, also as JSON", async () => {
    expect((await run("doctor")).stdout).toContain("To switch on: READWISE_PROFILES=readwise,reader,write");
    expect(JSON.parse((await run("doctor", "--json")).stdout)).toMatchObject({ can_work: true });
  }, 60_000);
});

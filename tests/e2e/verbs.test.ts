import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanEnvironment, exitOf, PROGRAM, temporaryHome } from "../support/program.js";

const TEXT =
  "# The Lantern Keeper\n\nThe keeper of the lantern walked the pier at dusk and counted the gulls that had come back.\n";

/** `script` of util-linux gives a program a terminal. */
const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;
if (!hasTerminal) console.log("skipped: colours and the pager at a terminal (install util-linux)");

const ESCAPE = "\u001b[";

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

  const run = (...words: string[]) => started(process.execPath, [PROGRAM, ...words]);

  /** The same at a terminal of that many lines. */
  async function runAtTerminal(words: readonly string[], { rows = 50, ...env }: Record<string, string | number> = {}) {
    const typed = [process.execPath, PROGRAM, ...words].map((word) => `'${word}'`).join(" ");
    const settings = { TERM: "xterm-256color", ...(env as Record<string, string>) };
    const { stdout } = await started(
      "script",
      ["-qec", `stty rows ${rows} cols 60 && ${typed}`, "/dev/null"],
      settings,
    );
    return stdout.replaceAll("\r\n", "\n");
  }

  async function started(program: string, words: readonly string[], env: Record<string, string> = {}) {
    const child = spawn(program, words, { env: cleanEnvironment(home, env), stdio: "pipe" });
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

  it("is coloured in a pipe only where that is asked for", async () => {
    const plain = await run("search", "lantern", "--text");
    expect(plain.stdout).not.toContain(ESCAPE);
    const coloured = await run("search", "lantern", "--text", "--color", "always");
    expect(coloured.stdout).toContain(`${ESCAPE}1mThe Lantern Keeper`);
    expect(stripVTControlCharacters(coloured.stdout)).toBe(plain.stdout);
    expect(await run("search", "lantern", "--color", "blue")).toMatchObject({
      code: 2,
      stderr: "--color takes auto, always or never, not 'blue'.\n",
    });
  }, 60_000);

  it.skipIf(!hasTerminal)(
    "is coloured at a terminal, unless that is unwanted",
    async () => {
      expect(await runAtTerminal(["search", "lantern"])).toContain(`${ESCAPE}1mThe Lantern Keeper`);
      for (const plain of [
        await runAtTerminal(["search", "lantern"], { NO_COLOR: "1" }),
        await runAtTerminal(["search", "lantern", "--color", "never"]),
      ]) {
        expect(plain).toContain("The Lantern Keeper");
        expect(plain).not.toContain(ESCAPE);
      }
    },
    60_000,
  );

  it.skipIf(!hasTerminal)(
    "hands an answer that is longer than the terminal to the pager",
    async () => {
      const words = ["search", "lantern", "--color", "never"];
      const shown = async (settings: Record<string, string | number> = {}) =>
        (await runAtTerminal(words, settings)).trimEnd().split("\n");
      const whole = await shown();
      expect(whole.length).toBeGreaterThan(3);
      expect(await shown({ rows: 3, PAGER: "sed s/^/>/" })).toEqual(whole.map((line) => `>${line}`));
      expect(await shown({ rows: 3, PAGER: "head -n 2" })).toEqual(whole.slice(0, 2));
      expect(await shown({ PAGER: "sed s/^/>/" })).toEqual(whole);
      expect((await shown({ rows: 3, PAGER: "no-such-pager" })).slice(-whole.length)).toEqual(whole);
    },
    60_000,
  );

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

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../src/app/tools.js";
import { SHELVES } from "../../src/catalog/profiles.js";
import { ROOT, run } from "../support/peers.js";
import { cleanEnvironment, temporaryHome } from "../support/program.js";
import { blocksOf, markdown, shellLines } from "./markdown.js";

const files = trackedFiles();
if (!files) console.log("skipped: the README on a clean copy (this is not a git checkout)");
/** With this set the copy installs its own packages, as a first visitor's would. */
const installs = process.env.BOOKWHEEL_TEST_INSTALL !== undefined;

function trackedFiles(): string[] | undefined {
  try {
    return execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\0")
      .filter((file) => file && existsSync(join(ROOT, file)));
  } catch {
    return undefined;
  }
}

function copyInto(folder: string): void {
  for (const file of files!) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file), { verbatimSymlinks: true });
  }
  if (installs) return;
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  // Older than the packages, or make would install them again, through the link.
  utimesSync(join(folder, "package-lock.json"), 0, 0);
}

/** What a curl line prints, as the tool's answer. */
async function answerOf(line: string): Promise<unknown> {
  const { stdout } = await run("bash", ["-c", line]);
  const message = stdout.startsWith("{") ? stdout : stdout.split("\n").findLast((part) => part.startsWith("data: {"));
  return JSON.parse(message?.replace(/^data: /, "") ?? "{}").result?.structuredContent;
}

describe("the README", () => {
  it.each(SHELVES)("counts the tools of %s as they are", (shelf) => {
    const row = markdown("README.md")
      .split("\n")
      .find((line) => line.startsWith(`| \`${shelf}\` |`));
    const own = TOOLS.filter((tool) => tool.shelf === shelf).map(({ name }) => name);
    expect(row).toContain(`| ${own.length}: `);
    const named = [
      ...row!
        .split("|")
        .at(-2)!
        .matchAll(/`([a-z_]+)`/g),
    ].map(([, name]) => name);
    expect(own).toEqual(expect.arrayContaining(named));
  });
});

describe.skipIf(!files)("the README, followed on a clean copy", () => {
  let folder: string;
  let home: string;
  let started: ChildProcess;
  let said = "";
  let url: string;
  beforeAll(async () => {
    [folder, home] = await Promise.all([temporaryHome(), temporaryHome()]);
    copyInto(folder);
    expect(shellLines(markdown("README.md"))).toContain("make start");
    started = spawn("make", ["start"], {
      cwd: folder,
      env: cleanEnvironment(home),
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: what make starts ends with it.
      detached: true,
    });
    url = await new Promise((resolve, reject) => {
      const listen = (part: Buffer) => {
        said += part;
        const address = /^ {2}MCP\s+(\S+)\/mcp$/m.exec(said)?.[1];
        if (address && said.includes("Stop ")) resolve(address);
      };
      started.stdout!.on("data", listen);
      started.stderr!.on("data", listen);
      started.once("exit", (code) => reject(new Error(`make start ended with ${code}:\n${said}`)));
    });
  }, 600_000);
  afterAll(async () => {
    if (started?.pid && started.exitCode === null) {
      const ended = new Promise((resolve) => started.once("exit", resolve));
      process.kill(-started.pid, "SIGTERM");
      await ended;
    }
    for (const each of [folder, home]) rmSync(each, { recursive: true, force: true, maxRetries: 3 });
  });

  it("answers on /ready", async () => {
    const response = await fetch(`${url}/ready`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ready: true });
  });

  it("prints a curl line that returns a tool result", async () => {
    const line = /^ {2}curl\s+(curl .*)$/m.exec(said)?.[1];
    expect(await answerOf(line!)).toMatchObject({ results: [{ highlight: { text: expect.any(String) } }] });
  });

  it("serves the page it shows a picture of", async () => {
    const page = await fetch(`${url}/`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toContain("text/html");
  });

  it("gives the first answer the README shows", async () => {
    const blocks = blocksOf(markdown("README.md")).filter(({ heading }) => heading === "A first answer");
    const [command, answer] = blocks;
    expect(await answerOf(command!.text.replace("http://127.0.0.1:8080", url))).toMatchObject(
      JSON.parse(answer!.text) as object,
    );
  });
});

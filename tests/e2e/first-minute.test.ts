import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startReadwiseSandbox } from "../../sandbox/readwise/server.js";
import { run } from "../support/peers.js";
import { cleanEnvironment, exitOf, PROGRAM, startProgram, temporaryHome } from "../support/program.js";

describe("in the first minute the program", () => {
  let home: string;
  beforeEach(async () => {
    home = await temporaryHome();
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const program = (args: readonly string[], env: Record<string, string> = {}) =>
    run(process.execPath, [PROGRAM, ...args], { env: cleanEnvironment(home, env) as Record<string, string> });

  it("writes nothing but JSON lines where its log is no terminal, also with a key that is not used", async () => {
    const server = await startProgram(["serve"], { READWISE_API_KEY: "mine" });
    await server.stop();
    const lines = server.stderr().trim().split("\n");
    expect(lines.map((line) => typeof JSON.parse(line))).toEqual(lines.map(() => "object"));
  }, 30_000);

  it("says at a terminal that a key is not used over HTTP, and prints the line that sends it", async () => {
    const command = `'${process.execPath}' '${PROGRAM}' serve`;
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      env: cleanEnvironment(home, { READWISE_API_KEY: "mine" }),
      stdio: ["ignore", "pipe", "ignore"],
    });
    let said = "";
    child.stdout.on("data", (part: Buffer) => {
      said += part;
    });
    await expect.poll(() => said, { timeout: 20_000 }).toContain("Ctrl+C");
    await exitOf(child, () => child.kill("SIGTERM"));
    expect(said).toContain("READWISE_API_KEY is not used over HTTP: each client sends its own key");
    expect(said).toContain("claude mcp add --transport http bookwheel http://127.0.0.1");
    expect(said).toContain('--header "X-Readwise-Token: $READWISE_API_KEY"');
    expect(said).not.toContain("mine");
  }, 30_000);

  it("fails the doctor where Readwise refuses the key", async () => {
    const readwise = await startReadwiseSandbox({ libraries: {} });
    const { code, stdout } = await program(["doctor"], { READWISE_API_URL: readwise.url, READWISE_API_KEY: "wrong" });
    await readwise.close();
    expect({ code, said: stdout }).toEqual({ code: 1, said: expect.stringMatching(/Readwise.*refuses the key/) });
  }, 30_000);

  it("looks at the port of the demo before it reads the samples", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const port = String((other.address() as AddressInfo).port);
    const { code, stderr } = await program(["demo"], { PORT: port });
    other.close();
    expect({ code, said: stderr }).toEqual({ code: 1, said: expect.stringContaining(port) });
    expect(stderr).not.toContain("sample");
  }, 30_000);
});

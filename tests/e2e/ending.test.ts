import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { run } from "../support/peers.js";
import { cleanEnvironment, exitOf, PROGRAM, temporaryHome } from "../support/program.js";

let home: string;
beforeAll(async () => {
  home = await temporaryHome();
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe("the program", () => {
  it("stops when it is asked to while it still starts", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
    const env = cleanEnvironment(home, { BOOKWHEEL_EMBED_URL: url, BOOKWHEEL_EMBED_MODEL: "m" });
    const child = spawn(process.execPath, [PROGRAM, "serve"], { env, stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    onTestFinished(() => void silent.close());
    await once(silent, "request"); // it asks the model's server before it serves
    expect(await exitOf(child, () => child.kill("SIGTERM"))).toBe(0);
  });

  it("gives a call up at once when it is asked to stop", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const env = cleanEnvironment(home, { READWISE_API_URL: url, READWISE_API_KEY: "a-key" });
    const child = spawn(process.execPath, [PROGRAM, "call", "get_daily_review"], { env });
    onTestFinished(() => void child.kill("SIGKILL"));
    onTestFinished(() => silent.closeAllConnections());
    onTestFinished(() => void silent.close());
    let stdout = "";
    child.stdout.on("data", (part: Buffer) => {
      stdout += part;
    });
    await once(silent, "request");
    expect(await exitOf(child, () => child.kill("SIGTERM"))).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { details: { cancelled: true } } });
  });

  it.skipIf(process.platform === "win32").each(["tools", "--help"])("%s ends quietly unread", async (command) => {
    const line = `set -o pipefail; "$0" "$1" ${command} | true`;
    expect(await run("bash", ["-c", line, process.execPath, PROGRAM])).toMatchObject({ code: 0, stderr: "" });
  });
});

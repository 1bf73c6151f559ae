import { execFile } from "node:child_process";
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { cleanEnvironment, PROGRAM, temporaryHome } from "../support/program.js";

it("setup tells a client to start the program that was started, not a link to it", async () => {
  const home = await temporaryHome();
  try {
    const link = join(home, "bookwheel.js");
    await symlink(PROGRAM, link);
    const { stdout } = await promisify(execFile)(process.execPath, [link, "setup", "claude-code"], {
      env: cleanEnvironment(home),
    });
    expect(JSON.parse(stdout).mcpServers.bookwheel.args[0]).toBe(PROGRAM);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

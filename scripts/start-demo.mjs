// Starts the built demo in a folder of its own, on a free port, for scripts that look at it.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export async function startDemo() {
  const home = mkdtempSync(join(tmpdir(), "bookwheel-"));
  const child = spawn(process.execPath, [fileURLToPath(new URL("../dist/main.js", import.meta.url)), "demo"], {
    env: { ...process.env, BOOKWHEEL_HOME: home, PORT: "0" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.once("exit", (code) => reject(new Error(`the demo ended with ${code}: ${text}`)));
    child.stderr.on("data", (part) => {
      text += part;
      const listening = /"message":"listening","url":"([^"]+)"/.exec(text);
      if (listening) resolve(listening[1]);
    });
  });
  return {
    url,
    /** The folder of its store. */
    folder: join(home, "demo"),
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

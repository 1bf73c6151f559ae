// Runs every tool once against the demo and keeps request and answer in docs/examples; `npm run docs` shows them.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { caller, runExamples, settler, trimmed } from "./example-calls.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "docs", "examples");
const home = mkdtempSync(join(tmpdir(), "bookwheel-examples-"));
const demo = spawn(process.execPath, [join(root, "dist", "main.js"), "demo"], {
  env: { PATH: process.env.PATH, HOME: process.env.HOME, BOOKWHEEL_HOME: home, PORT: "0" },
  stdio: ["ignore", "ignore", "pipe"],
});
try {
  const url = await new Promise((resolve, reject) => {
    let said = "";
    demo.stderr.on("data", (part) => {
      said += part;
      const listening = /"message":"listening","url":"([^"]+)"/.exec(said);
      if (listening) resolve(listening[1]);
    });
    demo.once("exit", () => reject(new Error(said)));
  });
  const rows = await runExamples(caller(url));
  const settle = settler();
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) rmSync(join(folder, file));
  for (const { tool, request, answer } of rows) {
    writeFileSync(
      join(folder, `${tool}.json`),
      `${JSON.stringify(settle({ request, answer: trimmed(answer) }), null, 2)}\n`,
    );
    if (answer.error) console.log(`${tool}: ${answer.error.code}: ${answer.error.message}`);
  }
  console.log(`${rows.length} examples in docs/examples`);
} finally {
  const ended = new Promise((resolve) => demo.once("exit", resolve));
  if (demo.exitCode === null && demo.kill("SIGTERM")) await ended;
  rmSync(home, { recursive: true, force: true });
}

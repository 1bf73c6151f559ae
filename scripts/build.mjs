// Compiles the server and the sandbox. Each step is skipped where its sources are not there yet.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const root = dirname(import.meta.dirname ?? new URL(".", import.meta.url).pathname);
const bin = (name) => join(dirname(require.resolve(`${name}/package.json`)), require(`${name}/package.json`).bin[name === "typescript" ? "tsc" : name]);

function run(name, ...args) {
  const { status } = spawnSync(process.execPath, [bin(name), ...args], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

run("typescript", "-p", "tsconfig.build.json");
run("typescript", "-p", "tsconfig.sandbox.json");
await import("./build-model.mjs");

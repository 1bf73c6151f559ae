// Compiles the server and the sandbox, copies what is not code, builds the page and the embedding model, and puts the
// program together.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ASSETS = new Set([".md", ".csl", ".xml", ".json"]);

function run(packageName, binName, ...args) {
  const manifest = require.resolve(`${packageName}/package.json`);
  const file = join(dirname(manifest), require(manifest).bin[binName]);
  return spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: "inherit" }).status === 0;
}

// Every step runs even where an earlier one complains, so that one look shows all there is to fix.
const steps = [
  run("typescript", "tsc", "-p", "tsconfig.build.json"),
  run("typescript", "tsc", "-p", "tsconfig.sandbox.json"),
  !existsSync(join(root, "src/web/page/index.html")) ||
    run("vite", "vite", "build", "--config", "src/web/page/vite.config.ts", "--logLevel", "warn"),
];
for (const folder of ["src", "sandbox"])
  cpSync(join(root, folder), join(root, folder === "src" ? "dist" : "dist/sandbox"), {
    recursive: true,
    filter: (path) => !path.includes(join("web", "page")) && (extname(path) === "" || ASSETS.has(extname(path))),
  });
await import("./build-model.mjs");
if (steps.includes(false)) process.exit(1);
await import("./bundle-program.mjs");

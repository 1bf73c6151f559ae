// Runs before `npm pack` and `npm publish`, and checks that there is something to pack. npm packs a bundled dependency
// whole: neither `files` nor an .npmignore reaches into it. So what only a compiler or a debugger reads is deleted from the
// installed driver and what it needs; `npm ci` brings it back. Nothing has to be undone after the pack, so it may be killed.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const UNREAD = {
  "@photostructure/sqlite": /^(src|scripts|binding\.gyp)$|\.map$/,
  // Headers for compilers; the driver's binaries are compiled.
  "node-addon-api": /^(tools|.*\.(c|h|gypi?))$/,
};

if (!existsSync(join(root, "dist", "program"))) {
  console.error("There is no program to pack. Run `npm run build` first.");
  process.exit(1);
}
for (const [name, pattern] of Object.entries(UNREAD))
  for (const folder of ["", "dist"].map((inner) => join(root, "node_modules", name, inner)).filter(existsSync))
    for (const entry of readdirSync(folder))
      if (pattern.test(entry)) rmSync(join(folder, entry), { recursive: true, force: true });

// Makes dist-single/bookwheel.mjs: the server in one file, for a quick start without an install.
// Outside it stay the native packages and the programs and models that run beside the server. So it has the Readwise
// shelf whole, notebooks and passages by words (by meaning with BOOKWHEEL_EMBED_URL), and does not read files.
import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, normalizePath } from "vite";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = process.argv[2] ?? join(root, "dist-single");

/** Packages that stay outside, and how the file finds them only when they are needed. */
const OUTSIDE = {
  // Node has carried SQLite itself since 22.13; before that the package has to lie beside the file.
  "@photostructure/sqlite": `
    import { createRequire } from "node:module";
    const require = createRequire(import.meta.url);
    const first = (...names) => {
      for (const name of names) try { return require(name); } catch {}
      console.error("This needs Node 22.13 or newer, or 'npm install @photostructure/sqlite' beside it.");
      process.exit(1);
    };
    export const { DatabaseSync, StatementSync, constants, backup } = first("@photostructure/sqlite", "node:sqlite");`,
  "playwright-core": `
    import { createRequire } from "node:module";
    const require = createRequire(import.meta.url);
    const late = (name) => new Proxy({}, {
      get(_target, key) {
        const real = require("playwright-core")[name];
        return name === "chromium" ? real[key].bind(real) : real[key];
      },
    });
    export const chromium = late("chromium");
    export const errors = late("errors");`,
};

/** What the program reads from beside its modules becomes part of them. */
const filesInside = {
  name: "files-inside",
  enforce: "pre",
  transform(code, id) {
    if (!id.startsWith(normalizePath(join(root, "dist")))) return undefined;
    const beside = (path) => join(dirname(id), path);
    const imports = [];
    const changed = code
      .replace(/readFileSync\(new URL\("([^"]+)", import\.meta\.url\), "utf8"\)/g, (_all, path) =>
        JSON.stringify(readFileSync(beside(path), "utf8")),
      )
      .replace(/readFile\(new URL\(`\.\/styles\/\$\{([^}]+)\}\.csl`, import\.meta\.url\), "utf8"\)/g, (_all, name) => {
        const files = readdirSync(beside("styles")).filter((file) => file.endsWith(".csl"));
        const texts = files.map((file) => [basename(file, ".csl"), readFileSync(join(beside("styles"), file), "utf8")]);
        return `Promise.resolve(${JSON.stringify(Object.fromEntries(texts))}[${name}])`;
      })
      .replace(/createRequire\(import\.meta\.url\)\("(?!onnxruntime-node|@huggingface)([^"]+)"\)/g, (_all, name) => {
        imports.push(`import inside${imports.length} from ${JSON.stringify(name)};`);
        return `inside${imports.length - 1}`;
      });
    return changed === code ? undefined : imports.join("\n") + changed.replace(/^(#!.*\n)?/, "\n");
  },
};
const outside = {
  name: "outside",
  enforce: "pre",
  resolveId: (id) => (id in OUTSIDE ? `\0outside:${id}` : undefined),
  load: (id) => (id.startsWith("\0outside:") ? OUTSIDE[id.slice("\0outside:".length)] : undefined),
};

rmSync(folder, { recursive: true, force: true });
await build({
  root,
  configFile: false,
  logLevel: "warn",
  plugins: [filesInside, outside],
  ssr: { noExternal: true, external: ["onnxruntime-node"] },
  build: {
    ssr: join(root, "dist/program.js"),
    outDir: folder,
    emptyOutDir: false,
    target: "node20",
    minify: true,
    rollupOptions: {
      external: ["onnxruntime-node"],
      output: { banner: "#!/usr/bin/env node", entryFileNames: "bookwheel.mjs", format: "es", codeSplitting: false },
    },
  },
});
const file = join(folder, "bookwheel.mjs");
chmodSync(file, 0o755);
console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);

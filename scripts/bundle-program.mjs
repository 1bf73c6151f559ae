// Puts the program and the packages that every start needs into a few files: Node reads those in half the time it takes
// for hundreds. They are in dist/program/, and dist/main.js starts them. Packages that only some calls need stay outside
// and are loaded when such calls come; programs that run beside the server use the modules as they were compiled.
import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, normalizePath } from "vite";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const INSIDE = [
  "zod",
  /^@modelcontextprotocol\//,
  "lru-cache",
  "prom-client",
  "tdigest",
  "bintrees",
  "@opentelemetry/api",
  "chardet",
  // ES modules, which CommonJS cannot load in every Node that we support.
  "marked",
  "franc",
  "trigram-utils",
  "n-gram",
  "collapse-white-space",
];

/** A module goes on finding what lies beside it where it was compiled. */
const placesKept = {
  name: "places-kept",
  transform(code, id) {
    const compiled = `${normalizePath(dist)}/`;
    if (!id.startsWith(compiled) || !code.includes("import.meta.url")) return undefined;
    const path = `../${id.slice(compiled.length)}`;
    return code.replaceAll("import.meta.url", `new URL(${JSON.stringify(path)}, import.meta.url).href`);
  },
};

/** The SDK brings two validators of JSON Schema and loads the large one; no answer of ours is checked by either. */
const SHIMS = "@modelcontextprotocol/server/_shims";
const smallValidator = {
  name: "small-validator",
  enforce: "pre",
  resolveId: (id) => (id === SHIMS ? `\0${SHIMS}` : undefined),
  load: (id) =>
    id === `\0${SHIMS}`
      ? `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
         export { default as process } from "node:process";`
      : undefined,
};

/** One letter beyond Latin-1 makes V8 keep a whole file at two bytes a letter. */
const narrowLetters = {
  name: "narrow-letters",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === "chunk")
        chunk.code = chunk.code.replace(
          /[^\0-\x7f]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
  },
};

await build({
  root,
  configFile: false,
  logLevel: "warn",
  plugins: [placesKept, smallValidator, narrowLetters],
  ssr: { noExternal: INSIDE },
  build: {
    ssr: join(dist, "program.js"),
    outDir: join(dist, "program"),
    emptyOutDir: true,
    target: "node20",
    minify: false,
    license: { fileName: "LICENSES.md" },
    rollupOptions: {
      output: {
        entryFileNames: "[name].cjs",
        chunkFileNames: "[name].cjs",
        format: "cjs",
        comments: { legal: true, annotation: false, jsdoc: false },
        codeSplitting: {
          groups: [
            { name: "zod", test: /node_modules[\\/]zod[\\/]/ },
            // Small pieces that nearly everything shares: one file instead of a dozen. Without those that need a package.
            { name: "kernel", test: /dist[\\/]kernel[\\/](?!metrics|byte-lru)/ },
          ],
        },
      },
    },
  },
});
const entrance = join(dist, "main.js");
writeFileSync(
  entrance,
  `#!/usr/bin/env node
import { createRequire } from "node:module";
createRequire(import.meta.url)("./program/program.cjs");
`,
);
chmodSync(entrance, 0o755);

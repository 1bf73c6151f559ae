// Assembles the vector kernel's WebAssembly text into the module that the program loads.
import { readFileSync, writeFileSync } from "node:fs";
import wabt from "wabt";

const folder = new URL("../src/shelves/chunks/stores/sqlite/", import.meta.url);
const { parseWat } = await wabt();
const text = readFileSync(new URL("dot-kernel.wat", folder), "utf8");
const { buffer } = parseWat("dot-kernel.wat", text, { simd: true }).toBinary({});
// Short lines, as the rest of the source has them.
const lines = Buffer.from(buffer)
  .toString("base64")
  .match(/.{1,100}/g);
writeFileSync(
  new URL("dot-kernel-module.ts", folder),
  `/** \`dot-kernel.wat\` in base64, written by \`npm run kernel\`. */
export const DOT_KERNEL_MODULE =
${lines.map((line) => `  "${line}"`).join(" +\n")};
`,
);

// Reads one file in a process of its own, as a reader process does: `node bench/read-one.mjs FILE` after a build.
import { readFileSync } from "node:fs";
import { readFile } from "../dist/ingest/read-file.js";

const [file] = process.argv.slice(2);
const started = performance.now();
const { pages } = await readFile(readFileSync(file), { path: file });
console.log(
  JSON.stringify({
    pages: pages.length,
    seconds: (performance.now() - started) / 1000,
    peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
  }),
);

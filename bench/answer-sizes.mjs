// How long the answer of every tool is with its usual sizes, on the demo's library and on one of 50,000 highlights and 10,000
// documents, in characters of JSON.
//
//   npm run build && node bench/answer-sizes.mjs [--quick | --full]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TOOLS } from "../dist/app/tools.js";
import { assemble } from "../dist/assembly.js";
import { USUAL_CHARS } from "../dist/catalog/answer-budget.js";
import { callTool } from "../dist/catalog/call-tool.js";
import { openSandbox } from "../dist/cli/demo.js";
import { readConfig } from "../dist/config/config.js";
import { createLog } from "../dist/kernel/log.js";
import { createMetrics } from "../dist/kernel/metrics.js";
import { generateLibrary } from "../dist/sandbox/readwise/generate.js";
import { startReadwiseSandbox } from "../dist/sandbox/readwise/server.js";
import { runExamples } from "../scripts/example-calls.mjs";
import { main } from "./measure.mjs";

const signal = new AbortController().signal;

/** The size of each tool's answer by name. With `library`, over that one instead of the demo's. */
async function sizesOver(library) {
  const home = mkdtempSync(join(tmpdir(), "bookwheel-sizes-"));
  const demo = await openSandbox({ home, reset: false, problemIn: async () => undefined, say() {} });
  const large = library && (await startReadwiseSandbox({ libraries: { [demo.token]: library }, limits: false }));
  const above = { ...demo.layers.above, ...(large && { READWISE_API_URL: large.url, CACHE_MAX_SIZE_MB: "512" }) };
  const shelves = await assemble(readConfig({}, {}, { ...demo.layers, above }), createLog("error"), createMetrics());
  try {
    await demo.stock(shelves.services, { say() {}, progress() {} }, signal);
    const rows = await runExamples(async (name, args) => {
      const tool = TOOLS.find((one) => one.name === name);
      const usual = Object.fromEntries(Object.entries(args).filter(([key]) => !(key in tool.sizes)));
      const context = { services: shelves.services, caller: { readwiseKey: demo.token }, signal, progress() {} };
      const outcome = await callTool(tool, usual, context);
      return outcome.ok ? outcome.data : { error: outcome.error };
    });
    return new Map(rows.map(({ tool, answer }) => [tool, JSON.stringify(answer).length]));
  } finally {
    await shelves.close();
    await large?.close();
    await demo[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  }
}

/** @returns {Promise<import("./measure.mjs").Row[]>} */
export async function bench({ quick = false } = {}) {
  const [sources, highlights, documents] = quick ? [600, 10_000, 2_000] : [3_000, 50_000, 10_000];
  const small = await sizesOver();
  const large = await sizesOver(generateLibrary({ seed: "sizes", sources, highlights, documents }));
  return TOOLS.map(({ name }) => {
    const [ours, peer] = [large.get(name) ?? 0, small.get(name) ?? 0];
    return {
      name: `answer of ${name}`,
      ours,
      unit: "characters",
      peer,
      peerName: "on the demo",
      goal: `at most ${USUAL_CHARS}`,
      met: Math.max(ours, peer) <= USUAL_CHARS,
    };
  }).sort((a, b) => b.ours - a.ours);
}

main(import.meta.url, bench);

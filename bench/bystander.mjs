// How long somebody else waits while the server is attacked: p99 of a small call beside each attack, with the heap the image
// sets. The aim is 250 ms. `node bench/bystander.mjs [--quick]` after a build; everything stays on loopback.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { main, median, percentile } from "./measure.mjs";

const PROGRAM = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const AIM_MS = 250;
const MIB = 1024 * 1024;
const FRONT =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"store_chunks","arguments":{"project":"bench","items":[';
const body = (part, bytes = 15 * MIB) => `${FRONT}${part.repeat(Math.floor(bytes / part.length)).slice(0, -1)}]}}}`;
const call = (name, args) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
const pasted = (text) => (notebook) => call("add_source", { notebook_id: notebook, source_type: "text", text });

/** Each attack as the bodies that are sent again and again, by two senders at once. */
const ATTACKS = {
  "nothing (for comparison)": undefined,
  "15 MiB of empty objects": () => body("{},"),
  "15 MiB of nested arrays": () => `${FRONT}${"[".repeat(15 * MIB)}`,
  "15 MiB of short texts": () => body('"ab",'),
  "15 MiB of one text": () => `${FRONT}"${"a".repeat(15 * MIB)}"]}}}`,
  "quotes with spaced ellipses": () =>
    call("verify_quote", { project: "bench", quote: `the quick brown fox ${"… ".repeat(2000)}x` }),
  "quotes from a table of contents": () =>
    call("verify_quote", { project: "bench", quote: `Chapter one of the book ${". ".repeat(2000)}12` }),
  "citations with a gap": () => call("cite", { project: "bench", sources: [`key, p. 4${" ".repeat(1900)}b`] }),
  "pasted texts with a gap": pasted(`# a${" ".repeat(400_000)}b`),
  "pasted form feeds": pasted(`${"\f".repeat(400_000)}x`),
  "texts of form feeds to ingest": () =>
    call("ingest_documents", { project: "bench", texts: [{ title: "t", text: `${"\f".repeat(200_000)}x` }] }),
};

export async function bench({ quick = false } = {}) {
  const home = mkdtempSync(join(tmpdir(), "bookwheel-bench-"));
  const child = spawn(process.execPath, [PROGRAM, "serve"], {
    env: {
      PATH: process.env.PATH,
      BOOKWHEEL_HOME: home,
      PORT: "0",
      BOOKWHEEL_SHELVES: "notebooks,chunks",
      NODE_OPTIONS: "--max-old-space-size=144 --max-semi-space-size=2",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    const url = await new Promise((resolve, reject) => {
      let said = "";
      child.stderr.on("data", (part) => {
        said += part;
        const at = /"message":"listening","url":"([^"]+)"/.exec(said);
        if (at) resolve(at[1]);
      });
      child.once("exit", () => reject(new Error(said)));
    });
    await send(url, call("create_project", { project: "bench" }));
    const made = await send(url, call("create_notebook", { name: "Bench" }));
    const notebook = /"id\\?":\s*\\?"([0-9a-f-]{36})/.exec(made)?.[1];
    const rows = [];
    for (const [name, make] of Object.entries(ATTACKS))
      rows.push(await besides(url, name, make?.(notebook), quick ? 2_000 : 8_000));
    if (child.exitCode !== null) throw new Error("the program ended under attack");
    return rows;
  } finally {
    child.kill("SIGKILL");
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
}

async function besides(url, name, attack, forMs) {
  const until = performance.now() + forMs;
  let attacks = 0;
  const attacking = [0, 1].map(async () => {
    while (attack && performance.now() < until) {
      await send(url, attack).catch(() => {});
      attacks++;
    }
  });
  const waits = [];
  while (performance.now() < until) {
    const began = performance.now();
    await send(url, call("list_projects", {}));
    waits.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await Promise.all(attacking);
  return {
    name: `a bystander's call beside ${name}`,
    ours: percentile(waits, 99),
    unit: "ms p99",
    limit: AIM_MS,
    limitName: "aim",
    note: `median ${median(waits).toFixed(1)} ms of ${waits.length} calls, ${attacks} attacks`,
  };
}

async function send(url, text) {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: text,
  });
  return response.text();
}

await main(import.meta.url, bench);

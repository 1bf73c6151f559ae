// How long somebody else waits while the server is attacked: a small call beside each attack, with the heap the image sets.
// The aim is a p99 below 250 ms; the longest pause of the main thread says where a miss comes from.
// `node bench/bystander.mjs [--quick] [--only WORDS]` after a build; everything stays on loopback.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { Library } from "../dist/sandbox/readwise/library.js";
import { startReadwiseSandbox } from "../dist/sandbox/readwise/server.js";
import { main, median, percentile } from "./measure.mjs";

const PROGRAM = process.env.BOOKWHEEL_PROGRAM ?? fileURLToPath(new URL("../dist/main.js", import.meta.url));
const PAUSES = fileURLToPath(new URL("./pauses.cjs", import.meta.url));
/** `NODE_ARGS="--cpu-prof --cpu-prof-dir=DIR"` shows what a pause was spent on. */
const NODE_ARGS = process.env.NODE_ARGS?.split(" ") ?? [];
const AIM_MS = 250;
const MIB = 1024 * 1024;
const FRONT =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"store_chunks","arguments":{"project":"bench","items":[';
const body = (part, bytes = 15 * MIB) => `${FRONT}${part.repeat(Math.floor(bytes / part.length)).slice(0, -1)}]}}}`;
const call = (name, args) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });

const WORDS = "the tide turns twice a day and nobody who lives by the shore asks it why the moon pulls first".split(
  " ",
);
/** Prose that differs from call to call, so that nothing is known already. */
function prose(characters, seed) {
  const parts = [];
  for (let length = 0, i = seed * 7919; length < characters; i++) {
    const word = i % 13 === 0 ? `word${(i * 2654435761) % 50021}` : WORDS[(i * 31 + ((i / 17) | 0)) % WORDS.length];
    parts.push(i % 97 === 0 ? `${word}.\n\n` : i % 19 === 0 ? `${word}. ` : `${word} `);
    length += parts.at(-1).length;
  }
  return parts.join("").slice(0, characters);
}
const draft = (characters, seed) => {
  const parts = [];
  for (let length = 0, i = 0; length < characters; i++) {
    const at = seed * 1000 + i;
    parts.push(
      `${prose(300, at)} "${prose(90, at + 5)}" (Smith 19${10 + (i % 90)}, p. ${i}) and [@key${i}, p. ${i}].\n\n`,
    );
    length += parts.at(-1).length;
  }
  return parts.join("").slice(0, characters);
};
const pasted =
  (make) =>
  (i, { notebook }) =>
    call("add_source", { notebook_id: notebook, source_type: "text", title: `t${i}`, text: make(i) });
/** Into a project per sender: a second ingest of the same one would be refused while the first goes on. */
const ingested =
  (make) =>
  (i, { sender }) =>
    call("ingest_documents", { project: `bench-${sender}`, texts: [{ title: `t${i}`, text: make(i) }] });
const checked = (make) => (i) => call("check_draft", { project: "bench", text: make(i), claims: i % 2 === 0 });

/** Each attack as the body that is sent for the i-th time, by two senders at once. */
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
  "long quotes": (i) => call("verify_quote", { project: "bench", quote: prose(4900, i) }),
  "citations with a gap": () => call("cite", { project: "bench", sources: [`key, p. 4${" ".repeat(480)}b`] }),
  "pasted texts with a gap": pasted(() => `# a${" ".repeat(400_000)}b`),
  "pasted form feeds": pasted(() => `${"\f".repeat(400_000)}x`),
  "pasted prose of 500,000 characters": pasted((i) => prose(500_000, i)),
  "a pasted word of 500,000 letters": pasted(() => "a".repeat(500_000)),
  "pasted Chinese of 300,000 characters": pasted(() => "潮水每天涨落两次,没有人问为什么。".repeat(17_600)),
  "pasted headings": pasted(() => "# a\n\nb\n\n".repeat(55_000)),
  "texts of form feeds to ingest": ingested(() => `${"\f".repeat(200_000)}x`),
  "prose of 500,000 characters to ingest": ingested((i) => prose(500_000, i)),
  "open emphasis in Markdown to ingest": ingested(() => "*a ".repeat(100_000)),
  "drafts of 500,000 characters": checked((i) => draft(500_000, i)),
  "drafts of quotation marks": checked(() => '" '.repeat(250_000)),
  "drafts of brackets": checked(() => "[@a [".repeat(100_000)),
  "drafts of LaTeX": checked(() => `\\documentclass{a}${"\\cite{a}{".repeat(50_000)}`),
  "100 chunks without vectors": (i) =>
    call("store_chunks", {
      project: "bench",
      items: Array.from({ length: 100 }, (_, k) => ({ id: `c${k}`, text: prose(990, i * 100 + k), metadata: {} })),
    }),
  "500 chunks with vectors": (i) =>
    call("store_chunks", {
      project: "bench",
      items: Array.from({ length: 500 }, (_, k) => ({
        id: `v${k}`,
        text: prose(2_000, i * 500 + k),
        embedding: Array.from({ length: 384 }, (_, d) => Math.sin(k + d)),
      })),
    }),
  "500 chunks with 300 tags each": (i, { sender }) =>
    call("store_chunks", {
      project: `bench-${sender}`,
      items: Array.from({ length: 500 }, (_, k) => ({
        id: `g${k}`,
        text: prose(200, i * 500 + k),
        embedding: Array.from({ length: 384 }, (_, d) => Math.round(Math.sin(k + d) * 100)),
        metadata: { tags: Array.from({ length: 300 }, (_, t) => `tag ${(i * 300 + k * 7 + t) % 50_000}`) },
      })),
    }),
  "long questions": (i) => call("query_hybrid", { project: "bench", query: prose(1_900, i) }),
  "long questions to a notebook": (i, { notebook }) =>
    call("ask", { notebook_id: notebook, question: prose(1_900, i) }),
  "a document of nested elements": (_i, { documents }) => call("get_document", { id: documents.nested }),
  "a document of small paragraphs": (_i, { documents }) => call("get_document", { id: documents.small }),
  "a document of small paragraphs as HTML": (_i, { documents }) =>
    call("get_document", { id: documents.small, html: true }),
  "a video of nested elements": (_i, { documents }) => call("get_video", { id: documents.video }),
};

const KEY = "bench-readwise-key";

async function readwise() {
  const library = new Library("bench");
  const add = (category, html) =>
    library.addDocument(
      { category, title: category, source_url: `https://a.example/${category}${html.length}`, html, location: "new" },
      Date.now() - 86_400_000,
    ).id;
  const documents = {
    nested: add("article", `${"<div>".repeat(50_000)}a`),
    small: add("article", "<p>a &amp; <b>b</b></p>".repeat(100_000)),
    video: add("video", "<div>".repeat(50_000)),
  };
  return { documents, sandbox: await startReadwiseSandbox({ libraries: { [KEY]: library }, limits: false }) };
}

export async function bench({ quick = false } = {}) {
  const { documents, sandbox } = await readwise();
  const home = mkdtempSync(join(tmpdir(), "bookwheel-bench-"));
  const child = spawn(process.execPath, [...NODE_ARGS, PROGRAM, "serve"], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      BOOKWHEEL_HOME: home,
      PORT: "0",
      READWISE_API_URL: sandbox.url,
      READWISE_PROFILES: "all",
      NODE_OPTIONS: `--max-old-space-size=144 --max-semi-space-size=2 --require ${PAUSES}`,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let onPause = () => {};
  try {
    const url = await new Promise((resolve, reject) => {
      let said = "";
      child.stderr.on("data", (part) => {
        said = (said + part).slice(-20_000);
        const at = /"message":"listening","url":"([^"]+)"/.exec(said);
        if (at) resolve(at[1]);
        const pause = /"longest_pause_ms":([\d.]+),"cpu_ms":([\d.]+)/.exec(part);
        if (pause) onPause({ ms: Number(pause[1]), cpu: Number(pause[2]) });
      });
      child.once("exit", () => reject(new Error(said)));
    });
    const longestPause = () =>
      new Promise((resolve) => {
        onPause = resolve;
        child.kill("SIGUSR2");
      });
    for (const project of ["bench", "bench-0", "bench-1"]) await send(url, call("create_project", { project }));
    const made = await send(url, call("create_notebook", { name: "Bench" }));
    const notebook = /"id\\?":\s*\\?"([0-9a-f-]{36})/.exec(made)?.[1];
    const at = process.argv.indexOf("--only");
    const only = at < 0 ? "" : process.argv[at + 1];
    const rows = [];
    for (const name of Object.keys(ATTACKS).filter((name) => name.includes(only))) {
      await longestPause();
      const row = await besides(url, name, { notebook, documents }, quick ? 3_000 : 8_000);
      if (child.exitCode !== null) throw new Error(`the program ended under ${name}`);
      const pause = await longestPause();
      rows.push({
        ...row,
        note: `${row.note}, longest pause ${pause.ms.toFixed(0)} ms, ${pause.cpu.toFixed(0)} of CPU`,
      });
      if (process.env.BOOKWHEEL_VERBOSE)
        console.error(Date.now(), rows.at(-1).name, rows.at(-1).ours.toFixed(0), rows.at(-1).note);
    }
    return rows;
  } finally {
    child.kill(NODE_ARGS.length > 0 ? "SIGTERM" : "SIGKILL"); // a profile is written at the end
    await ended;
    await sandbox.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** In a thread of its own: making a large body would hold up the bystander's clock. */
async function attacker() {
  const { url, name, context, forMs } = workerData;
  const make = ATTACKS[name];
  const until = performance.now() + forMs;
  let attacks = 0;
  const refusals = {};
  const one = async (sender) => {
    while (performance.now() < until) {
      const body = make(attacks++, { ...context, sender });
      const answer = await send(url, body, AbortSignal.timeout(forMs * 2)).catch(() => "");
      const code = /\\?"code\\?":\s*\\?"?([\w-]+)/.exec(answer)?.[1] ?? (answer ? undefined : "no answer");
      if (code) refusals[code] = (refusals[code] ?? 0) + 1;
    }
  };
  await Promise.all([one(0), one(1)]);
  parentPort.postMessage({ attacks, refusals });
}

async function besides(url, name, context, forMs) {
  const attacking = ATTACKS[name]
    ? once(new Worker(fileURLToPath(import.meta.url), { workerData: { url, name, context, forMs } }), "message")
    : [{ attacks: 0, refusals: {} }];
  const until = performance.now() + forMs;
  const waits = [];
  while (performance.now() < until) {
    const began = performance.now();
    await send(url, call("list_projects", {}));
    waits.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const [{ attacks, refusals }] = await attacking;
  const refused = Object.entries(refusals)
    .map(([code, times]) => `${code} ${times}`)
    .join(", ");
  // Refused for its form, an attack shows nothing of what it was made for.
  const nothingTried = (refusals.INVALID_INPUT ?? 0) > attacks / 2;
  return {
    name: `a bystander's call beside ${name}`,
    ours: percentile(waits, 99),
    unit: "ms p99",
    limit: AIM_MS,
    limitName: "aim",
    met: !nothingTried && percentile(waits, 99) < AIM_MS,
    note: `median ${median(waits).toFixed(1)} ms of ${waits.length} calls, ${attacks} attacks${refused ? ` (${refused})` : ""}`,
  };
}

async function send(url, text, signal) {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "x-readwise-token": KEY,
      authorization: `Token ${KEY}`,
    },
    body: text,
    signal,
  });
  return response.text();
}

if (isMainThread) await main(import.meta.url, bench);
else await attacker();

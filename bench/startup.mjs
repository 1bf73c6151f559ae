// How long it takes from starting the program to its first answer, as a client that starts it over stdio waits for it,
// beside a bare one-tool SDK server and Node itself; and how much memory it takes before anybody has asked for anything.
// `node bench/startup.mjs [--quick]` after a build; memory by Linux's /proc.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inTurn, main, median, spread } from "./measure.mjs";

const PROGRAM = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const SELF = fileURLToPath(import.meta.url);
const ASKED = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "0" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list" },
];

if (process.argv[2] === "bare") await serveBare();

async function serveBare() {
  const [{ McpServer }, { serveStdio }, { z }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("@modelcontextprotocol/server/stdio"),
    import("zod"),
  ]);
  serveStdio(() => {
    const server = new McpServer({ name: "bare", version: "0" });
    const inputSchema = z.object({ word: z.string() });
    server.registerTool("echo", { inputSchema }, ({ word }) => ({ content: [{ type: "text", text: word }] }));
    return server;
  });
}

export async function bench({ quick = false } = {}) {
  const home = mkdtempSync(join(tmpdir(), "bookwheel-bench-"));
  const env = { ...process.env, BOOKWHEEL_HOME: home, PORT: "0", LOG_LEVEL: "info" };
  try {
    const values = await inTurn(
      {
        node: () => untilSaid(["-e", "console.log('hello')"], env, "hello"),
        bare: () => untilSaid([SELF, "bare"], env, '"id":2', ASKED),
        stdio: () => untilSaid([PROGRAM, "stdio"], env, '"id":2', ASKED),
        serve: () => untilSaid([PROGRAM, "serve"], env, '"listening"'),
      },
      quick ? 3 : 15,
    );
    const [node, bare, stdio, serve] = ["node", "bare", "stdio", "serve"].map((side) => median(values[side]));
    const limit = { limit: node, limitName: "Node alone" };
    const rows = [
      {
        name: "start to the list of tools over stdio",
        ours: stdio,
        unit: "ms",
        peer: bare,
        peerName: "bare SDK server of one tool",
        ratio: bare / stdio,
        ...limit,
        share: node / stdio,
        spread: spread(values.stdio),
      },
      {
        name: "start to listening over HTTP",
        ours: serve,
        unit: "ms",
        ...limit,
        share: node / serve,
        spread: spread(values.serve),
      },
    ];
    const idle = existsSync("/proc/self/status") ? [await idleMemory(env)] : [];
    return [...rows, ...idle];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Milliseconds from starting Node with these arguments to the first time it says `text`; then it is ended. */
async function untilSaid(args, env, text, asked = [], meanwhile = async () => {}) {
  const began = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  for (const message of asked) child.stdin.write(`${JSON.stringify(message)}\n`);
  let said = "";
  await new Promise((resolve, reject) => {
    const hear = (part) => {
      said += part;
      if (said.includes(text)) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", () => (said.includes(text) ? resolve() : reject(new Error(said))));
  });
  const ms = performance.now() - began;
  await meanwhile(child.pid);
  child.kill("SIGKILL");
  await ended;
  return ms;
}

async function idleMemory(env) {
  let ours = 0;
  await untilSaid([PROGRAM, "serve"], env, '"listening"', [], async (pid) => {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    ours = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
  });
  return { name: "memory before the first question", ours, unit: "MiB RSS" };
}

if (process.argv[2] !== "bare") await main(import.meta.url, bench);

// How long it takes from starting the program to its first answer, as a client that starts it over stdio waits for it,
// beside a bare one-tool SDK server and Node itself; and how much memory it takes before anybody has asked for anything.
// `node bench/startup.mjs [--quick]` after a build; memory by Linux's /proc.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inTurn, main, median, spread } from "./measure.mjs";
import { greetingThen, untilSaid } from "./started.mjs";

const PROGRAM = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const SELF = fileURLToPath(import.meta.url);
const LIST = { method: "tools/list" };

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
  const env = { BOOKWHEEL_HOME: home, PORT: "0", LOG_LEVEL: "info" };
  try {
    const values = await inTurn(
      {
        node: () => untilSaid(["-e", "console.log('hello')"], env, "hello"),
        bare: () => untilSaid([SELF, "bare"], env, '"id":2', greetingThen(LIST)),
        stdio: () => untilSaid([PROGRAM, "stdio"], env, '"id":2', greetingThen(LIST)),
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

async function idleMemory(env) {
  let ours = 0;
  await untilSaid([PROGRAM, "serve"], env, '"listening"', [], async (pid) => {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    ours = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
  });
  return { name: "memory before the first question", ours, unit: "MiB RSS" };
}

if (process.argv[2] !== "bare") await main(import.meta.url, bench);

// A made-up Readwise library and a whole server in front of it, each in a process of its own, so that neither counts as ours.
import { fork, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { generateLibrary } from "../dist/sandbox/readwise/generate.js";
import { startReadwiseSandbox } from "../dist/sandbox/readwise/server.js";
import { listening } from "./measure.mjs";

export const KEY = "bench";
const HERE = new URL(import.meta.url);

if (process.argv[2] === "simulator") {
  const [sources, highlights] = process.argv.slice(3).map(Number);
  const library = generateLibrary({ seed: "bench", sources, highlights, documents: 200 });
  const sandbox = await startReadwiseSandbox({ libraries: { [KEY]: library } });
  process.send({ url: sandbox.url });
  process.on("message", () => process.send({ exports: sandbox.requests.count("GET /api/v2/export/") }));
}

export async function startSimulator(sources, highlights) {
  const child = fork(HERE, ["simulator", String(sources), String(highlights)]);
  const { url } = await messageOf(child);
  return { child, url };
}

/** How often the export was fetched. */
export async function exportsOf({ child }) {
  child.send("count");
  return (await messageOf(child)).exports;
}

function messageOf(child) {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`the simulator ended with ${code}`)));
  });
}

/** Serves the library at `url`, and calls `work` with a function that calls a tool and with the server's process id. */
export async function whileServing({ url, home, settings = {} }, work) {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const server = spawn(process.execPath, [new URL("../dist/main.js", HERE).pathname, "serve"], {
    env: {
      ...process.env,
      PORT: String(port),
      HOST: "127.0.0.1",
      BOOKWHEEL_HOME: home,
      READWISE_API_URL: url,
      UPSTREAM_TIMEOUT_MS: "60000",
      LOG_LEVEL: "error",
      ...settings,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    await listening(port);
    const client = new Client({ name: "bench", version: "0" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/readwise/mcp`), {
        requestInit: { headers: { "x-readwise-token": KEY } },
      }),
    );
    const call = async (name, args) => {
      const answer = await client.callTool({ name, arguments: args }, { timeout: 300_000 });
      if (answer.isError) throw new Error(JSON.stringify(answer.structuredContent));
      return answer.structuredContent;
    };
    const result = await work(call, server.pid);
    await client.close();
    return result;
  } finally {
    server.kill();
    await new Promise((resolve) => server.once("exit", resolve));
  }
}

/** From /proc, which only Linux has. */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)[1]) * 1024;
  return { VmRSS: read("VmRSS"), VmHWM: read("VmHWM") };
}

// What a call costs: raw node:http, a bare one-tool SDK server, and Bookwheel's whole stack, each in a process of its own.
import { fork } from "node:child_process";
import { Agent, createServer, request } from "node:http";
import { fileURLToPath } from "node:url";
import { inTurn, main, median, spread } from "./measure.mjs";

const SELF = fileURLToPath(import.meta.url);
const said = { said: "hello" };

async function serveRaw() {
  const server = createServer((incoming, response) => {
    const parts = [];
    incoming.on("data", (part) => parts.push(part));
    incoming.on("end", () => {
      const { id, params } = JSON.parse(Buffer.concat(parts).toString());
      const result = {
        content: [{ type: "text", text: JSON.stringify({ said: params.arguments?.word }) }],
        structuredContent: { said: params.arguments?.word },
      };
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server.address().port;
}

async function serveBare() {
  const [{ createMcpHandler, McpServer }, { toNodeHandler }, { z }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("@modelcontextprotocol/node"),
    import("zod"),
  ]);
  const input = z.object({ word: z.string() });
  const output = z.object({ said: z.string() });
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "bare", version: "0" }, { capabilities: { tools: { listChanged: false } } });
    server.registerTool(
      "echo",
      { description: "Echo.", inputSchema: input, outputSchema: output },
      async ({ word }) => ({
        content: [{ type: "text", text: JSON.stringify({ said: word }) }],
        structuredContent: { said: word },
      }),
    );
    return server;
  });
  const node = toNodeHandler(handler);
  const server = createServer((incoming, response) => void node(incoming, response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server.address().port;
}

async function serveOurs() {
  const load = (path) => import(new URL(`../dist/${path}`, import.meta.url));
  const [
    { startHttp },
    { createCatalogServer },
    { createMetrics },
    { readConfig },
    { createLog },
    { TOOLS },
    { defineTool, readOnly },
    { z },
  ] = await Promise.all([
    load("transports/http.js"),
    load("mcp/server.js"),
    load("kernel/metrics.js"),
    load("config/config.js"),
    load("kernel/log.js"),
    load("app/tools.js"),
    load("catalog/define-tool.js"),
    import("zod"),
  ]);
  const echo = defineTool({
    name: "echo",
    title: "Echo",
    description: "Echo.",
    profiles: ["chunks"],
    annotations: readOnly,
    timeoutMs: 5000,
    input: z.object({ word: z.string() }),
    output: z.object({ said: z.string() }),
    run: async ({ word }) => ({ said: word }),
  });
  const config = readConfig({ PORT: "0", READWISE_PROFILES: "all", NOTEBOOK_PROFILES: "all", CHUNK_PROFILES: "all" });
  const metrics = createMetrics();
  const log = createLog("info");
  const services = { readwise: { forKey: () => undefined }, log, observe: metrics.call };
  const { port } = await startHttp({
    config,
    server: createCatalogServer({ tools: [...TOOLS, echo], services, version: "0" }),
    metrics,
    log,
    ready: {},
  });
  return port;
}

if (process.send) process.send(await { raw: serveRaw, bare: serveBare, ours: serveOurs }[process.argv[2]]());

const start = (kind) =>
  new Promise((resolve) => {
    const child = fork(SELF, [kind]);
    child.once("message", (port) => resolve({ child, port }));
  });

let asked = 0;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const ERAS = {
  2025: { headers: {}, meta: undefined },
  2026: {
    headers: { "mcp-protocol-version": "2026-07-28" },
    meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} },
  },
};

function call(port, era, method, params) {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method,
    params: { ...params, ...(ERAS[era].meta ? { _meta: ERAS[era].meta } : {}) },
  });
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "content-length": Buffer.byteLength(body),
    ...ERAS[era].headers,
    ...(era === "2026" ? { "mcp-method": method, ...(params.name ? { "mcp-name": params.name } : {}) } : {}),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: "127.0.0.1", path: "/mcp", method: "POST", agent, headers }, (response) => {
      let bytes = 0;
      response.on("data", (part) => (bytes += part.length));
      response.on("end", () =>
        response.statusCode === 200 && bytes > 20 ? resolve() : reject(new Error(`HTTP ${response.statusCode}`)),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Microseconds a call, with eight callers at once. */
async function cost(port, era, method, params, count) {
  const started = performance.now();
  let left = count;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (left-- > 0) await call(port, era, method, params());
    }),
  );
  return ((performance.now() - started) * 1000) / count;
}

export async function bench({ quick = false } = {}) {
  const count = quick ? 300 : 1500;
  const servers = Object.fromEntries(
    await Promise.all(["raw", "bare", "ours"].map(async (kind) => [kind, await start(kind)])),
  );
  const echo = { name: "echo", arguments: { word: said.said } };
  const rows = [];
  for (const era of ["2025", "2026"]) {
    const values = await inTurn(
      {
        raw: () => cost(servers.raw.port, era, "tools/call", () => echo, count),
        bare: () => cost(servers.bare.port, era, "tools/call", () => echo, count),
        ours: () => cost(servers.ours.port, era, "tools/call", () => echo, count),
        list: async () => {
          // The lists in new words have pushed this one out of those that are kept.
          await call(servers.ours.port, era, "tools/list", {});
          return cost(servers.ours.port, era, "tools/list", () => ({}), count / 2);
        },
        newList: () => cost(servers.ours.port, era, "tools/list", () => ({ cursor: `${asked++}` }), count / 2),
      },
      quick ? 5 : 11,
    );
    const [raw, bare, ours, list, newList] = ["raw", "bare", "ours", "list", "newList"].map((name) =>
      median(values[name]),
    );
    rows.push({
      name: `tools/call, ${era} protocol`,
      ours,
      unit: "µs",
      peer: bare,
      peerName: "bare SDK server",
      ratio: bare / ours,
      limit: raw,
      limitName: "node:http",
      share: raw / ours,
      spread: spread(values.ours),
      goal: "ratio ≥ 0.95",
      met: bare / ours >= 0.95,
    });
    rows.push({
      name: `tools/list, ${era} protocol`,
      ours: list,
      unit: "µs",
      peer: ours,
      peerName: "tools/call",
      ratio: list / ours,
      spread: spread(values.list),
      goal: "< 2x a call",
      met: list / ours < 2,
    });
    rows.push({
      name: `tools/list in words not heard before, ${era} protocol`,
      ours: newList,
      unit: "µs",
      peer: ours,
      peerName: "tools/call",
      ratio: newList / ours,
      spread: spread(values.newList),
    });
  }
  for (const { child } of Object.values(servers)) child.kill();
  agent.destroy();
  return rows;
}

if (!process.send) await main(import.meta.url, bench);

import { request } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { FIXTURE_TOOLS } from "../../tests/support/fixture-tools.js";
import type { Services } from "../app/services.js";
import { readConfig } from "../config/config.js";
import { createLog } from "../kernel/log.js";
import { createMetrics } from "../kernel/metrics.js";
import { createCatalogServer } from "../mcp/server.js";
import { type RunningHttp, startHttp } from "./http.js";

const open: RunningHttp[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function start(env: Record<string, string> = {}, lines: string[] = []) {
  const config = readConfig({ PORT: "0", ...env });
  const metrics = createMetrics();
  const log = createLog("debug", { write: (line) => lines.push(line) });
  const services = { readwise: { forKey: () => undefined }, log, observe: metrics.call } as unknown as Services;
  const server = createCatalogServer({ tools: FIXTURE_TOOLS, services, version: "0" });
  const running = await startHttp({ config, server, metrics, log, ready: { store: async () => undefined } });
  open.push(running);
  return running;
}

const rpc = (method: string, params: object = {}) => ({
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
});

async function post(url: string, method: string, params: object = {}, headers: Record<string, string> = {}) {
  const init = rpc(method, params);
  const response = await fetch(url, { ...init, headers: { ...init.headers, ...headers } });
  const text = await response.text();
  const data =
    text.startsWith("event:") || text.includes("\ndata:") ? text.slice(text.indexOf("data:") + 5).trim() : text;
  return { status: response.status, body: data ? JSON.parse(data) : undefined };
}

/** fetch refuses to set Host; a raw request does not. */
function withHost(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${url}/health`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    })
      .on("error", reject)
      .end();
  });
}

it("logs a failure of its own at error, and answers 500 without the reason", async () => {
  const lines: string[] = [];
  const log = createLog("warn", { write: (line) => lines.push(line) });
  const running = await startHttp({
    config: readConfig({ PORT: "0" }),
    server: { serve: () => Promise.reject(new Error("unused")) as never },
    metrics: createMetrics(),
    log,
    ready: {},
    factory: () => {
      throw new Error("the shelves fell over");
    },
  });
  open.push(running);
  const { status, body } = await post(`${running.url}/mcp`, "tools/list");
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain("shelves fell over");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "error", error: { message: "the shelves fell over" } },
  ]);
});

describe("the HTTP server", () => {
  for (const modern of [false, true])
    it(`lists and calls tools for the official client, ${modern ? "2026-07-28" : "2025-11-25"}`, async () => {
      const { url } = await start();
      const client = new Client(
        { name: "t", version: "0" },
        modern ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {},
      );
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("echo");
      expect((await client.callTool({ name: "echo", arguments: { word: "hi" } })).structuredContent).toEqual({
        said: "hi",
      });
      const seen: number[] = [];
      await client.callTool({ name: "counting", arguments: {} }, { onprogress: ({ progress }) => seen.push(progress) });
      expect(seen.slice(0, 2)).toEqual([1, 2]);
      await client.close();
    });

  it("tells a caller who waits for a slow tool at once that an answer comes", async () => {
    const { url } = await start();
    const stop = new AbortController();
    const call = rpc("tools/call", { name: "patient", arguments: {} });
    const response = await fetch(`${url}/mcp`, { ...call, signal: stop.signal });
    const said = response.body!.getReader().read();
    const nothingYet = new Promise((resolve) => setTimeout(resolve, 50, "nothing yet"));
    expect(await Promise.race([said, nothingYet])).toBe("nothing yet");
    stop.abort();
    await expect(said).rejects.toThrow();
  });

  it("reads a body for what it is", async () => {
    const { url } = await start();
    const answer = await fetch(`${url}/mcp`, { ...rpc("ping"), body: "too large" });
    expect(answer.status).toBe(400);
  });

  it("answers a bare curl-like call without a handshake", async () => {
    const { url } = await start();
    expect(
      (await post(`${url}/mcp`, "tools/call", { name: "echo", arguments: { word: "hi" } })).body.result
        .structuredContent,
    ).toEqual({ said: "hi" });
  });

  it("shows one shelf per door, and only what is enabled", async () => {
    const { url } = await start();
    const names = async (path: string, headers = {}) =>
      (await post(url + path, "tools/list", {}, headers)).body.result.tools.map((tool: { name: string }) => tool.name);
    expect(await names("/notebooks/mcp")).toEqual(["slow"]);
    expect(await names("/chunks/mcp")).not.toContain("slow");
    expect(await names("/mcp?profiles=notebooks")).toEqual(["slow"]);
    expect(await names("/mcp?profiles=notebooks,chunks", { "x-bookwheel-profiles": "notebooks" })).toEqual(["slow"]);
    expect(await names("/mcp", { "x-bookwheel-profiles": "video" })).toEqual([]);
    expect(await names("/mcp?profiles=default")).toEqual(await names("/mcp?profiles=notebooks,chunks"));
  });

  it("names the known profiles where a request asks for an unknown one", async () => {
    const { url } = await start();
    expect(await post(`${url}/mcp?profiles=attic`, "tools/list")).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/'attic'.*readwise, reader/) } },
    });
  });

  it("offers only tools that change nothing where it is read-only", async () => {
    const { url } = await start({ READ_ONLY: "true" });
    const { body } = await post(`${url}/mcp`, "tools/list");
    expect(body.result.tools.map((tool: { name: string }) => tool.name)).not.toContain("writing");
    expect((await post(`${url}/mcp`, "tools/call", { name: "writing", arguments: {} })).body.error.message).toContain(
      "Unknown tool 'writing'",
    );
  });

  it("turns away other hosts and other sites' pages", async () => {
    const { url } = await start();
    expect(await withHost(url, "evil.example")).toBe(403);
    expect(await withHost(url, "localhost:1234")).toBe(200);
    expect((await post(`${url}/mcp`, "tools/list", {}, { origin: "https://evil.example" })).status).toBe(403);
    expect((await post(`${url}/mcp`, "tools/list", {}, { origin: "null" })).status).toBe(403);
    expect((await post(`${url}/mcp`, "tools/list", {}, { origin: url })).status).toBe(200);
    const preflight = await fetch(`${url}/mcp`, {
      method: "OPTIONS",
      headers: { origin: url, "access-control-request-method": "POST" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, url]);
  });

  it("says that a token is needed where a client that was refused looks for a sign-in", async () => {
    const { url } = await start({ BOOKWHEEL_TOKEN: "right-token" });
    for (const path of [
      "/register",
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-authorization-server",
    ]) {
      const response = await fetch(url + path, { method: path === "/register" ? "POST" : "GET" });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: expect.stringContaining("This server needs its token") });
    }
    const open = await start({});
    expect(await (await fetch(`${open.url}/register`)).json()).toEqual({
      error: expect.stringContaining("Nothing is at /register"),
    });
  });

  it("asks for its token where it has one, and slows guessing down", async () => {
    const { url } = await start({ BOOKWHEEL_TOKEN: "right-token" });
    expect((await post(`${url}/mcp`, "tools/list")).status).toBe(401);
    expect((await post(`${url}/mcp`, "tools/list", {}, { authorization: "Bearer right-token" })).status).toBe(200);
    for (let i = 0; i < 20; i++)
      expect((await post(`${url}/mcp`, "tools/list", {}, { authorization: `Bearer guess-${i}` })).status).toBe(401);
    expect((await post(`${url}/mcp`, "tools/list", {}, { authorization: "Bearer guess-21" })).status).toBe(429);
  });

  it("says how large a request may be", async () => {
    const { url } = await start();
    const answer = await post(`${url}/mcp`, "tools/call", {
      name: "echo",
      arguments: { word: "x".repeat(17 * 1024 * 1024) },
    });
    expect(answer).toMatchObject({ status: 413, body: { error: { message: expect.stringContaining("16 MiB") } } });
  });

  it("tells health, readiness and numbers", async () => {
    const { url } = await start();
    await post(`${url}/mcp`, "tools/call", { name: "refusing", arguments: {} });
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: "ok" });
    expect(await (await fetch(`${url}/ready`)).json()).toEqual({ ready: true, checks: { store: "ok" } });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('bookwheel_tool_errors_total{tool="refusing",code="RATE_LIMITED"} 1');
    expect((await fetch(`${url}/nowhere`)).status).toBe(404);
  });

  it("never writes a key or token into a log line, an error or a metric", async () => {
    const lines: string[] = [];
    const { url } = await start({ BOOKWHEEL_TOKEN: "server-token-xyz" }, lines);
    const headers = { authorization: "Bearer server-token-xyz", "x-readwise-token": "readwise-key-abc" };
    const answers = [];
    for (const name of ["broken", "echo", "refusing", "slow", "nothing"])
      answers.push(await post(`${url}/mcp`, "tools/call", { name, arguments: { word: "a" } }, headers));
    answers.push(await post(`${url}/mcp`, "tools/list", {}, { authorization: "Bearer wrong-token-123" }));
    const everything = JSON.stringify(answers) + lines.join("\n") + (await (await fetch(`${url}/metrics`)).text());
    expect(everything).not.toMatch(/server-token-xyz|readwise-key-abc|wrong-token-123/);
    expect(lines.length).toBeGreaterThan(5);
  });

  it("finishes calls in flight before it stops", async () => {
    const server = await start();
    const client = new Client({ name: "t", version: "0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
    let call: Promise<unknown> | undefined;
    await new Promise<void>((begun) => {
      call = client.callTool({ name: "counting", arguments: {} }, { onprogress: () => begun() });
    });
    const [answer] = await Promise.all([call, server.close()]);
    expect(answer).toMatchObject({ structuredContent: {} });
    await client.close();
    open.splice(0);
  });
});

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Services } from "../app/services.js";
import { TOOLS } from "../app/tools.js";
import { readConfig } from "../config/config.js";
import { createLog } from "../kernel/log.js";
import { createMetrics } from "../kernel/metrics.js";
import { createCatalogServer } from "../mcp/server.js";
import { type RunningHttp, startHttp } from "./http.js";

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

let running: RunningHttp;
let served: number;

beforeEach(async () => {
  served = 0;
  const metrics = createMetrics();
  const log = createLog("error");
  const catalog = createCatalogServer({ tools: TOOLS, services: {} as Services, version: "0" });
  const server: typeof catalog = {
    serve(scope) {
      served++;
      return catalog.serve(scope);
    },
  };
  const config = readConfig({ PORT: "0", READWISE_PROFILES: "all", NOTEBOOK_PROFILES: "all", CHUNK_PROFILES: "all" });
  running = await startHttp({ config, server, metrics, log, ready: {} });
});
afterEach(() => running.close());

async function list(id: unknown, { path = "/mcp", meta = {}, headers = {} as Record<string, string> } = {}) {
  const response = await fetch(`${running.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list", params: { _meta: meta } }),
  });
  const text = await response.text();
  return { status: response.status, ...JSON.parse(text.slice(text.indexOf("{"))) };
}

const modern = { meta: MODERN, headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" } };
const names = (answer: { result: { tools: { name: string }[] } }) => answer.result.tools.map(({ name }) => name);

describe("a list of tools that was given before", () => {
  for (const [era, how] of [["2025", {}] as const, ["2026", modern] as const])
    it(`is the same the second time, under the caller's own id, ${era}`, async () => {
      const first = await list(1, how);
      expect(names(first)).toHaveLength(TOOLS.length);
      for (const id of [2, "a", 'with "quotes" and ä\n', 0]) expect(await list(id, how)).toEqual({ ...first, id });
      expect(served).toBe(1);
    });

  it("is each door's own", async () => {
    for (const path of ["/mcp", "/readwise/mcp", "/chunks/mcp"]) await list(1, { path });
    expect(names(await list(2, { path: "/chunks/mcp" }))).not.toContain("search_highlights");
    expect(names(await list(2, { path: "/readwise/mcp" }))).not.toContain("find_chunks");
    expect(served).toBe(3);
  });

  it("is as narrow as the request asks", async () => {
    const whole = names(await list(1));
    const narrowed = names(await list(1, { path: "/mcp?profiles=chunks" }));
    expect(narrowed.length).toBeLessThan(whole.length);
    expect(names(await list(2, { headers: { "x-bookwheel-profiles": "chunks" } }))).toEqual(narrowed);
    expect(names(await list(2))).toEqual(whole);
  });

  it("never stands in for a refusal", async () => {
    await list(1, modern);
    const wrong = await list(2, { ...modern, headers: { ...modern.headers, "mcp-method": "tools/call" } });
    expect(wrong.error.code).toBe(-32020);
    expect(await list(null)).not.toHaveProperty("result");
    expect((await list(1, { headers: { accept: "text/plain" } })).status).toBe(406);
  });

  it("is no answer to another method, nor to an id that the protocol does not know", async () => {
    await list(1);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: {} } });
    for (const method of ["PUT", "DELETE"]) {
      const answer = await fetch(`${running.url}/mcp`, {
        method,
        body,
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    }
    expect(await list(1.5)).toMatchObject({ status: 400, error: {} });
  });

  it("is not kept for words without end", async () => {
    const meta = { note: "x".repeat(5000) };
    expect(names(await list(1, { meta }))).toHaveLength(TOOLS.length);
    await list(2, { meta });
    expect(served).toBe(2);
  });

  it("satisfies the official client again and again", async () => {
    const client = new Client({ name: "t", version: "0" }, {});
    await client.connect(new StreamableHTTPClientTransport(new URL(`${running.url}/mcp`)));
    const first = await client.listTools();
    expect(await client.listTools()).toEqual(first);
    await client.close();
  });
});

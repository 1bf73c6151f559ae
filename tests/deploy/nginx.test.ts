import { readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import { Agent, request } from "node:https";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Certificate, makeCertificate, opensslIsInstalled } from "../support/certificates.js";
import { type Nginx, nginxIsInstalled, startNginx } from "../support/nginx.mjs";

interface Seen {
  headers: IncomingHttpHeaders;
  version: string;
  bytes: number;
}

describe.skipIf(!nginxIsInstalled || !opensslIsInstalled)("nginx in front of Bookwheel", () => {
  let upstream: Server;
  let nginx: Nginx;
  let certificate: Certificate;
  const connections = new Set<unknown>();
  const seen: Seen[] = [];
  let goOn = () => {};

  beforeAll(async () => {
    upstream = createServer(async (incoming, response) => {
      connections.add(incoming.socket);
      let bytes = 0;
      for await (const part of incoming) bytes += (part as Buffer).length;
      seen.push({ headers: incoming.headers, version: incoming.httpVersion, bytes });
      if (incoming.url !== "/stream") return void response.end("whole");
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: progress\n\n");
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      response.end("data: result\n\n");
    });
    await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
    certificate = makeCertificate();
    const { port } = upstream.address() as AddressInfo; // it listens on TCP
    nginx = await startNginx({ upstreams: [`127.0.0.1:${port}`], certificate });
  });
  afterAll(async () => {
    await nginx?.close();
    upstream?.close();
    upstream?.closeAllConnections();
    if (certificate) rmSync(dirname(certificate.cert), { recursive: true, force: true });
  });

  function send(
    path: string,
    {
      body = "",
      headers = {},
      agent = new Agent(),
    }: { body?: string | Buffer; headers?: Record<string, string>; agent?: Agent } = {},
  ): Promise<IncomingMessage> {
    const ca = readFileSync(certificate.cert);
    return new Promise((resolve, reject) => {
      const outgoing = request(`${nginx.url}${path}`, { method: "POST", ca, headers, agent }, resolve);
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }
  async function textOf(response: IncomingMessage): Promise<string> {
    let text = "";
    for await (const part of response) text += part;
    return text;
  }

  it("speaks TLS 1.2 or newer under the mounted certificate, and HTTP/1.1 behind it", async () => {
    const response = await send("/mcp");
    expect((response.socket as TLSSocket).getProtocol()).toMatch(/^TLSv1\.[23]$/);
    expect(await textOf(response)).toBe("whole");
    expect(seen.at(-1)).toMatchObject({ version: "1.1" });
  });

  it("hands on keys, tokens and the protocol's own headers, and says who asked", async () => {
    const headers = {
      authorization: "Bearer server-token",
      "x-readwise-token": "a-key",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "search_highlights",
      "x-bookwheel-profiles": "reader",
      accept: "application/json, text/event-stream",
    };
    await textOf(await send("/mcp?profiles=reader", { headers }));
    expect(seen.at(-1)!.headers).toMatchObject({
      ...headers,
      host: `127.0.0.1:${nginx.port}`,
      "x-real-ip": "127.0.0.1",
      "x-request-id": expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it("lets progress through before the result is there", async () => {
    const response = await send("/stream");
    const parts = response[Symbol.asyncIterator]();
    expect(String((await parts.next()).value)).toBe("data: progress\n\n");
    goOn();
    expect(String((await parts.next()).value)).toBe("data: result\n\n");
  });

  it("takes bodies of 16 MiB and refuses larger ones", async () => {
    const limit = 16 * 1024 * 1024;
    expect((await send("/mcp", { body: Buffer.alloc(limit) })).statusCode).toBe(200);
    expect(seen.at(-1)!.bytes).toBe(limit);
    const refused = await send("/mcp", {
      headers: { "content-length": String(limit + 1), expect: "100-continue" },
    }).catch((error: Error) => error);
    if (!(refused instanceof Error)) expect(refused.statusCode).toBe(413);
    expect(seen.at(-1)!.bytes).toBe(limit);
  });

  it("uses its connections to Bookwheel again", async () => {
    for (let i = 0; i < 5; i++) await textOf(await send("/mcp"));
    const before = connections.size;
    for (let i = 0; i < 20; i++) await textOf(await send("/mcp"));
    expect(connections.size).toBe(before);
  });
});

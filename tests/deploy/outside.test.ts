import { existsSync, readFileSync, rmSync } from "node:fs";
import { Agent, type RequestOptions, request } from "node:https";
import { dirname } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startQdrantSandbox } from "../../sandbox/qdrant/server.js";
import { makeCertificate, opensslIsInstalled } from "../support/certificates.js";
import { nginxIsInstalled, startNginx } from "../support/nginx.mjs";
import { PROGRAM, startProgram } from "../support/program.js";
import { qdrantIsInstalled, startQdrant } from "../support/qdrant-server.js";

const built = existsSync(PROGRAM);
if (!built) console.log("skipped: the program behind nginx and with Qdrant (it is not built)");

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

describe.skipIf(!built || !nginxIsInstalled || !opensslIsInstalled)("behind nginx on the same machine", () => {
  it("metrics need the token, and a key in place of the token is answered with the header to use", async () => {
    const program = await startProgram(["serve"], { BOOKWHEEL_TOKEN: "server-token" });
    closing.push(() => program.stop());
    const certificate = makeCertificate();
    closing.push(() => rmSync(dirname(certificate.cert), { recursive: true, force: true }));
    const nginx = await startNginx({ upstreams: [new URL(program.url).host], certificate });
    closing.push(() => nginx.close());
    const agent = new Agent({ ca: readFileSync(certificate.cert) });
    const ask = (path: string, options: RequestOptions = {}, body = "") =>
      new Promise<{ status: number; text: string; asks: string }>((resolve, reject) => {
        const outgoing = request(`${nginx.url}${path}`, { agent, ...options }, async (answer) => {
          let text = "";
          for await (const part of answer) text += part;
          resolve({ status: answer.statusCode ?? 0, text, asks: String(answer.headers["www-authenticate"] ?? "") });
        });
        outgoing.on("error", reject);
        outgoing.end(body);
      });

    expect((await ask("/health")).status).toBe(200);
    const strangers: Record<string, string>[] = [
      {},
      { authorization: "Bearer wrong" },
      { "x-real-ip": "127.0.0.1" },
      { "x-forwarded-for": "127.0.0.1" },
    ];
    for (const headers of strangers) expect(await ask("/metrics", { headers })).toMatchObject({ status: 401 });
    const own = await ask("/metrics", { headers: { authorization: "Bearer server-token" } });
    expect(own).toMatchObject({ status: 200, text: expect.stringContaining("process_cpu_seconds_total") });

    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_sources", arguments: {} } };
    const refused = await ask(
      "/mcp",
      {
        method: "POST",
        headers: {
          authorization: "Token readwise-key-of-a-reader",
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
      },
      JSON.stringify(call),
    );
    expect(refused).toMatchObject({ status: 401, text: expect.stringContaining("X-Readwise-Token") });
    expect(refused.text).toContain("Bearer");
    expect(refused.text + program.stderr()).not.toContain("readwise-key-of-a-reader");
  }, 60_000);
});

/** A Qdrant that can be taken away and brought back under its address. */
async function losable() {
  if (qdrantIsInstalled) {
    const node = await startQdrant();
    return { url: node.url, lose: () => node.kill(), back: () => node.start(), close: () => node.close() };
  }
  let double = await startQdrantSandbox();
  const { url } = double;
  return {
    url,
    lose: () => double.close(),
    async back() {
      double = await startQdrantSandbox({ port: Number(new URL(url).port) });
    },
    close: () => double.close(),
  };
}

describe.skipIf(!built)("with chunks in Qdrant", () => {
  it("is not ready while Qdrant is away, says what to do, and is ready again by itself", async () => {
    const qdrant = await losable();
    closing.push(() => qdrant.close());
    const program = await startProgram(["serve"], { QDRANT_URL: qdrant.url });
    closing.push(() => program.stop());
    const ready = async () => {
      const answer = await fetch(`${program.url}/ready`);
      return { status: answer.status, body: (await answer.json()) as unknown };
    };
    expect(await ready()).toMatchObject({ status: 200 });
    await qdrant.lose();
    await expect.poll(async () => (await ready()).status, { timeout: 30_000 }).toBe(503);
    expect((await fetch(`${program.url}/health`)).status).toBe(200);
    const { body } = await ready();
    expect(JSON.stringify(body)).toMatch(
      /Qdrant at 127\.0\.0\.1:\d+ cannot be reached\. Start it, or correct QDRANT_URL/,
    );
    await qdrant.back();
    await expect.poll(async () => (await ready()).status, { timeout: 30_000 }).toBe(200);
  }, 90_000);
});

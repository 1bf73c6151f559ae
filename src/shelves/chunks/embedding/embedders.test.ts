import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createEmbedders } from "./embedders.js";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(status: number, body: unknown) {
  const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(body)));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a string
  return { url: `http://127.0.0.1:${port}/v1`, model: "big-model" };
}

describe("the models of a server", () => {
  it("prefer the one in the package, and know no other", async () => {
    const embedders = await createEmbedders();
    const identity = embedders.preferred;
    expect(identity?.id).toBe("all-MiniLM-L6-v2");
    expect(embedders.unavailable).toBeUndefined();
    expect(embedders.list()).toEqual([identity]);
    expect(embedders.get(identity!)?.identity).toEqual(identity);
    expect(embedders.get({ id: "all-MiniLM-L6-v2" })).toBeDefined();
    expect(embedders.get({ ...identity!, weights_sha256: "0".repeat(64) })).toBeUndefined();
    expect(embedders.get({ ...identity!, dimension: 768 })).toBeUndefined();
    expect(embedders.get({ id: "another" })).toBeUndefined();
    await embedders.close();
  });

  it("prefer a server that was configured, and keep the other for projects bound to it", async () => {
    const embedders = await createEmbedders({ remote: await serve(200, { data: [{ embedding: [3, 4] }] }) });
    expect(embedders.preferred?.id).toBe("big-model");
    expect(embedders.list().map(({ id }) => id)).toEqual(["big-model", "all-MiniLM-L6-v2"]);
    await embedders.close();
  });

  it("never put the local model in the place of a server that is down", async () => {
    const embedders = await createEmbedders({ remote: await serve(500, {}) });
    expect(embedders.preferred).toBeUndefined();
    expect(embedders.unavailable).toContain("answered 500");
    expect(embedders.get({ id: "all-MiniLM-L6-v2" })).toBeDefined();
    await embedders.close();
  });

  it("say why only words can be searched", async () => {
    const embedders = await createEmbedders({ modelDir: "/nowhere" });
    expect(embedders.preferred).toBeUndefined();
    expect(embedders.list()).toEqual([]);
    expect(embedders.unavailable).toContain("model.json is missing");
    await embedders.close();
  });
});

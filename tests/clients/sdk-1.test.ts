import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../src/app/tools.js";
import { closeReaders, KEY, openShelves, type Shelves } from "../fuzz/shelves.js";
import { requestHandler } from "../support/connect.js";
import { peer } from "../support/peers.js";

/** What these tests use of the official client's first generation, on which most clients are built. */
interface Client1 {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<{
    isError?: boolean;
    content: { type: string; text: string }[];
    structuredContent?: Record<string, unknown>;
  }>;
  close(): Promise<void>;
}

const sdk = peer("@modelcontextprotocol/sdk/dist/esm/client/index.js");
if (!sdk) console.log("skipped: the official SDK's 1.x client (run `npm install --prefix tests/peers`)");

async function connect1(fetch: ReturnType<typeof requestHandler>): Promise<Client1> {
  const load = (path: string) => import(pathToFileURL(peer(`@modelcontextprotocol/sdk/dist/esm/client/${path}`)!).href);
  const { Client } = await load("index.js");
  const { StreamableHTTPClientTransport } = await load("streamableHttp.js");
  const client: Client1 = new Client({ name: "test", version: "0" });
  await client.connect(new StreamableHTTPClientTransport(new URL("http://test/mcp"), { fetch }));
  // It validates answers, errors among them, against the output schemas it has listed.
  await client.listTools();
  return client;
}

describe.skipIf(!sdk)("the official SDK's 1.x client", () => {
  let shelves: Shelves;
  let client: Client1;
  beforeAll(async () => {
    shelves = await openShelves();
    client = await connect1(requestHandler({ services: shelves.services, readwiseKey: KEY }));
  });
  afterAll(async () => {
    await client?.close();
    await shelves?.close();
    await closeReaders();
  });

  it.each(TOOLS.map(({ name }) => name))("reads why %s was not called", async (name) => {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: { no_such_thing: 1 } });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      error: { message: expect.stringContaining("no_such_thing: unknown parameter") },
    });
    expect(content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
  });

  it.each([
    ["get_highlight", { id: "1" }, "not_found"],
    ["get_document", { id: "nope" }, "not_found"],
    ["ask", { notebook_id: "nope", question: "What?" }, "NOT_FOUND"],
    ["find_chunks", { project: "nope", query: "tides" }, "INVALID_PROJECT"],
    ["read_passage", { project: "nope", chunk_id: "x" }, "INVALID_PROJECT"],
  ])("reads what %s says of a thing that is not there", async (name, args, code) => {
    const { isError, structuredContent } = await client.callTool({ name, arguments: args });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ error: { code, message: expect.any(String) } });
  });

  it("takes an answer as before", async () => {
    const { isError, content, structuredContent } = await client.callTool({ name: "list_projects", arguments: {} });
    expect(isError).toBeFalsy();
    expect(content[0]!.text).toBe(JSON.stringify(structuredContent));
    expect(structuredContent).toHaveProperty("projects");
  });
});

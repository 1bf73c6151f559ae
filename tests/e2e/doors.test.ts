import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { peer, run } from "../support/peers.js";
import { cleanEnvironment, PROGRAM, type Program, startProgram, temporaryHome } from "../support/program.js";

const inspector =
  peer("@modelcontextprotocol/inspector/cli/build/cli.js") ??
  peer("@modelcontextprotocol/inspector/build/cli.js") ??
  peer(".bin/mcp-inspector");
if (!inspector) console.log("skipped: Inspector (run `npm install --prefix tests/peers`)");

const ERAS = ["2025-11-25", "2026-07-28"] as const;
/** One real tool of each shelf, and what its answer must have. */
const ONE_OF_EACH = [
  { name: "search_highlights", args: { query: "memory", limit: 2 }, has: "results" },
  { name: "list_notebooks", args: {}, has: "notebooks" },
  { name: "list_projects", args: {}, has: "projects" },
] as const;

let demo: Program;
let home: string;
beforeAll(async () => {
  home = await temporaryHome();
  demo = await startProgram(["demo"]);
}, 120_000);
afterAll(async () => {
  await demo?.stop();
  await rm(home, { recursive: true, force: true });
});

const clientFor = (era: (typeof ERAS)[number]) =>
  new Client({ name: "e2e", version: "0" }, era === "2026-07-28" ? { versionNegotiation: { mode: { pin: era } } } : {});
const stdioEnvironment = () => cleanEnvironment(home, { READWISE_API_URL: demo.url, READWISE_API_KEY: "demo" });

describe.each(ERAS)("the official client, %s", (era) => {
  it("lists and calls tools over HTTP", async () => {
    const client = clientFor(era);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${demo.url}/mcp`)));
    const { tools } = await client.listTools();
    for (const { name, args, has } of ONE_OF_EACH) {
      expect(tools.map((tool) => tool.name)).toContain(name);
      const answer = await client.callTool({ name, arguments: args });
      expect(answer.isError, JSON.stringify(answer)).toBeFalsy();
      expect(answer.structuredContent).toHaveProperty(has);
      expect(JSON.parse((answer.content[0] as { text: string }).text)).toEqual(answer.structuredContent);
    }
    expect((await client.listPrompts()).prompts.map((prompt) => prompt.name)).toEqual([
      "daily_review",
      "research_question",
      "draft_paragraph",
      "triage_inbox",
    ]);
    const { resources } = await client.listResources();
    const source = resources.find(({ uri }) => uri.startsWith("bookwheel://sources/"))!;
    const { contents } = await client.readResource({ uri: source.uri });
    const read = JSON.parse((contents[0] as { text: string }).text) as { source: { title: string } };
    expect(source.title).toBe(`Highlights of “${read.source.title}”`);
    expect(read).toMatchObject({
      highlights: expect.any(Array),
    });
    await client.close();
  });

  it("lists and calls tools over stdio, one shelf at a time where asked", async () => {
    const client = clientFor(era);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, "stdio", "--shelf", "notebooks"],
        env: stdioEnvironment() as Record<string, string>,
        stderr: "ignore",
      }),
    );
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain("list_sources");
    expect((await client.callTool({ name: "list_notebooks", arguments: {} })).structuredContent).toMatchObject({
      notebooks: [],
    });
    await client.close();
  });
});

describe.skipIf(!inspector)("the Inspector", () => {
  const inspect = (...args: string[]) =>
    run(process.execPath, [inspector!, "--cli", ...args], {
      env: { MCP_CATALOG_PATH: join(home, "catalog.json"), HOME: home },
    });

  it.each(["legacy", "modern"])(
    "finds no error in any schema and calls a tool over HTTP, %s",
    async (era) => {
      const listed = await inspect(`${demo.url}/mcp`, "--protocol-era", era, "--method", "tools/list", "--strict");
      expect(listed.code, listed.stdout + listed.stderr).toBe(0);
      const called = await inspect(
        `${demo.url}/mcp`,
        "--protocol-era",
        era,
        "--method",
        "tools/call",
        "--tool-name",
        "list_projects",
        "--format",
        "json",
        "-q",
      );
      expect(called.code, called.stdout + called.stderr).toBe(0);
      expect(called.stdout).toContain("demo/reading");
    },
    60_000,
  );

  it.each(["legacy", "modern"])(
    "calls a tool over stdio, %s",
    async (era) => {
      const called = await inspect(
        process.execPath,
        PROGRAM,
        "stdio",
        "--protocol-era",
        era,
        "-e",
        `BOOKWHEEL_HOME=${home}`,
        "--method",
        "tools/call",
        "--tool-name",
        "list_projects",
        "--format",
        "json",
        "-q",
      );
      expect(called.code, called.stdout + called.stderr).toBe(0);
      expect(called.stdout).toContain("projects");
    },
    60_000,
  );
});

describe("plain curl", () => {
  const curl = async (...args: string[]) =>
    (
      await run("curl", [
        "-s",
        `${demo.url}/mcp`,
        "-H",
        "content-type: application/json",
        "-H",
        "accept: application/json, text/event-stream",
        ...args,
      ])
    ).stdout;

  it("lists and calls in the 2025 protocol without a handshake", async () => {
    expect(await curl("-d", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).toContain('"search_highlights"');
    expect(
      await curl(
        "-d",
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_projects","arguments":{}}}',
      ),
    ).toContain("demo/reading");
  });

  it("lists and calls in the 2026 protocol", async () => {
    const meta =
      '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';
    const header = ["-H", "MCP-Protocol-Version: 2026-07-28"];
    expect(
      await curl(
        ...header,
        "-H",
        "Mcp-Method: tools/list",
        "-d",
        `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${meta}}}`,
      ),
    ).toContain('"search_highlights"');
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_projects","arguments":{},${meta}}}`;
    expect(
      await curl(...header, "-H", "Mcp-Method: tools/call", "-H", "Mcp-Name: list_projects", "-d", call),
    ).toContain("demo/reading");
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleLibrary } from "../../sandbox/readwise/sample.js";
import { startReadwiseSandbox } from "../../sandbox/readwise/server.js";
import { CLIENTS } from "../../src/cli/clients.js";
import { setupCommand } from "../../src/cli/setup.js";
import { cleanEnvironment, exitOf, PROGRAM, type Program, startProgram, temporaryHome } from "../support/program.js";
import { blocksOf, markdown } from "./markdown.js";

const SHOWN_PROGRAM = "/path/to/bookwheel/dist/main.js";
const KEY = "demo";
const TOKEN = "server-token";
const blocks = blocksOf(markdown("docs/CLIENTS.md"));

async function printed(client: string, http: boolean, { url = "http://127.0.0.1:8080", token = "" } = {}) {
  const lines: string[] = [];
  const { hostname, port } = new URL(url);
  const code = await setupCommand(
    { positionals: [client], flags: http ? { http: true } : {} },
    {
      config: {
        HOST: hostname,
        PORT: Number(port),
        BOOKWHEEL_TOKEN: token || undefined,
        READWISE_API_KEY: undefined,
        TLS_CERT_FILE: undefined,
      },
      place: { platform: "linux", home: "/home/you", cwd: "." },
      node: "node",
      program: SHOWN_PROGRAM,
      print: (line) => lines.push(line),
      complain: () => {},
    },
  );
  return code === 0 ? lines.join("\n") : undefined;
}

/** What a client would make of a block: the parts of it that it acts on, with references to variables resolved. */
function understood(client: string, text: string) {
  const values: Record<string, string> = {
    READWISE_API_KEY: KEY,
    BOOKWHEEL_TOKEN: TOKEN,
    "readwise-key": KEY,
    "bookwheel-token": TOKEN,
  };
  const resolve = (value: string) =>
    value.replace(
      /\$?\{(?:env:|input:)?([\w-]+?)(?::-)?\}|\$(\w+)/g,
      (_all, braced?: string, bare?: string) => values[braced ?? bare!] ?? "",
    );
  if (client !== "codex") {
    const document = JSON.parse(text);
    const {
      command,
      args,
      url,
      httpUrl,
      headers = {},
    } = Object.values((document.mcpServers ?? document.servers ?? document.mcp) as Record<string, Entry>)[0]!;
    // opencode writes the program and its arguments as one list.
    const [program, ...words] = Array.isArray(command) ? command : [command, ...(args ?? [])];
    return {
      command: program,
      args: words as string[],
      url: url ?? httpUrl,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, resolve(value)])),
    };
  }
  const field = (name: string) => new RegExp(`^${name} = (.*)$`, "m").exec(text)?.[1];
  const json = (name: string) => (field(name) ? JSON.parse(field(name)!) : undefined);
  const bearer = json("bearer_token_env_var") as string | undefined;
  const [, header, variable] = /\{ "([^"]+)" = "([^"]+)" \}/.exec(field("env_http_headers") ?? "") ?? [];
  return {
    command: json("command") as string | undefined,
    args: json("args") as string[] | undefined,
    url: json("url") as string | undefined,
    headers: {
      ...(bearer ? { Authorization: `Bearer ${values[bearer]}` } : {}),
      ...(header ? { [header]: values[variable!]! } : {}),
    } as Record<string, string>,
  };
}
interface Entry {
  httpUrl?: string;
  command?: string | string[];
  args?: string[];
  url?: string;
  headers?: Record<string, string>;
}

const clients = Object.keys(CLIENTS).filter((name) => CLIENTS[name]!.file);
const overHttp = clients.filter((name) => CLIENTS[name]!.http);

describe("docs/CLIENTS.md", () => {
  it.each(clients)("shows what setup prints for %s", async (client) => {
    const shown = blocks
      .filter(({ heading, language }) => heading === CLIENTS[client]!.title && language !== "sh")
      .map(({ text }) => text.trimEnd());
    const expected = [await printed(client, false), await printed(client, true)].filter((text) => text !== undefined);
    expect(shown).toEqual(expected);
  });
});

describe("what a client is asked to start", () => {
  let home: string;
  beforeAll(async () => {
    home = await temporaryHome();
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it.each(clients)("by %s lists its tools over stdio", async (client) => {
    const { command, args } = understood(client, (await printed(client, false))!);
    expect(command).toBe("node");
    const program = args!.map((word) => (word === SHOWN_PROGRAM ? PROGRAM : word));
    const child = spawn(process.execPath, program, {
      env: cleanEnvironment(home, { READWISE_API_KEY: KEY }),
      stdio: ["pipe", "pipe", "ignore"],
    });
    let said = "";
    child.stdout.on("data", (part: Buffer) => {
      said += part;
    });
    child.stdin.write(
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n',
    );
    while (!said.includes('"id":2')) await once(child.stdout, "data");
    await exitOf(child, () => child.stdin.end());
    expect(said).toContain('"search_highlights"');
  });
});

describe("the address and headers a client is given", () => {
  let readwise: Awaited<ReturnType<typeof startReadwiseSandbox>>;
  let server: Program;
  beforeAll(async () => {
    readwise = await startReadwiseSandbox({ libraries: { [KEY]: () => sampleLibrary() } });
    server = await startProgram(["serve"], { READWISE_API_URL: readwise.url, BOOKWHEEL_TOKEN: TOKEN });
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
    await readwise?.close();
  });

  const call = (url: string, headers: Record<string, string>) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "list_sources", arguments: { page_size: 1 } },
      }),
    });

  it.each(overHttp)("for %s reach the owner's library, and only with both keys", async (client) => {
    const { url, headers } = understood(client, (await printed(client, true, { url: server.url, token: TOKEN }))!);
    expect(Object.keys(headers)).toHaveLength(2);
    expect(await (await call(url!, headers)).text()).toContain('"results"');
    const { Authorization, ...withoutToken } = headers;
    expect((await call(url!, withoutToken)).status).toBe(401);
    expect(await (await call(url!, { Authorization: Authorization! })).text()).toContain("auth_error");
  });
});

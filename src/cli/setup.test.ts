import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { CLIENTS } from "./clients.js";
import { type SetupDeps, setupCommand } from "./setup.js";

const folders: string[] = [];
let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "bookwheel-setup-"));
  folders.push(home);
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const SECRET = "secret-readwise-key";
const TOKEN = "secret-server-token";

async function setup(
  line: string,
  {
    answer,
    ...more
  }: { answer?: boolean; config?: Partial<SetupDeps["config"]> } & Partial<Omit<SetupDeps, "config">> = {},
) {
  const out: string[] = [];
  const err: string[] = [];
  const questions: string[] = [];
  const words = line.split(" ");
  const flags: Record<string, string | boolean> = {};
  for (const word of words.filter((part) => part.startsWith("--"))) {
    const [name, value] = word.slice(2).split("=") as [string, string?];
    flags[name] = value ?? true;
  }
  const code = await setupCommand(
    { positionals: words.filter((part) => !part.startsWith("--")), flags },
    {
      place: { platform: "linux", home, cwd: join(home, "work") },
      node: "/usr/bin/node",
      program: "/opt/book wheel/dist/main.js",
      print: (text) => out.push(text),
      complain: (text) => err.push(text),
      ...(answer === undefined
        ? {}
        : {
            ask: async (question: string) => {
              questions.push(question);
              return answer;
            },
          }),
      ...more,
      config: {
        HOST: "127.0.0.1",
        PORT: 8080,
        READWISE_API_KEY: SECRET,
        BOOKWHEEL_TOKEN: undefined,
        TLS_CERT_FILE: undefined,
        ...more.config,
      },
    },
  );
  return { code, out: out.join("\n"), err: err.join("\n"), questions };
}

/** Puts a file where a client keeps its settings. */
async function settingsOf(client: string, text?: string): Promise<string> {
  const file = CLIENTS[client]!.file!({ platform: "linux", home, cwd: join(home, "work") });
  await mkdir(dirname(file), { recursive: true });
  if (text !== undefined) await writeFile(file, text);
  return file;
}

describe("printing", () => {
  it("starts the program over stdio, and names the variable of the key", async () => {
    expect((await setup("claude-code")).out).toMatchInlineSnapshot(`
      "{
        "mcpServers": {
          "bookwheel": {
            "type": "stdio",
            "command": "/usr/bin/node",
            "args": [
              "/opt/book wheel/dist/main.js",
              "stdio",
              "--readwise-profiles",
              "readwise,reader,write"
            ],
            "env": {
              "READWISE_API_KEY": "\${READWISE_API_KEY:-}"
            }
          }
        }
      }"
    `);
    expect((await setup("codex")).out).toMatchInlineSnapshot(`
      "[mcp_servers.bookwheel]
      command = "/usr/bin/node"
      args = ["/opt/book wheel/dist/main.js", "stdio", "--readwise-profiles", "readwise,reader,write"]
      env_vars = ["READWISE_API_KEY"]"
    `);
  });

  it("points at the running server over HTTP, with its token where it has one", async () => {
    const config = { BOOKWHEEL_TOKEN: TOKEN, PORT: 9000 };
    expect((await setup("codex --http", { config })).out).toMatchInlineSnapshot(`
      "[mcp_servers.bookwheel]
      url = "http://127.0.0.1:9000/mcp"
      bearer_token_env_var = "BOOKWHEEL_TOKEN"
      env_http_headers = { "X-Readwise-Token" = "READWISE_API_KEY" }"
    `);
    expect(JSON.parse((await setup("vscode --http", { config })).out)).toEqual({
      inputs: [
        { type: "promptString", id: "bookwheel-token", description: "Bookwheel server token", password: true },
        { type: "promptString", id: "readwise-key", description: "Readwise access token", password: true },
      ],
      servers: {
        bookwheel: {
          type: "http",
          url: "http://127.0.0.1:9000/mcp",
          headers: { Authorization: `Bearer \${input:bookwheel-token}`, "X-Readwise-Token": `\${input:readwise-key}` },
        },
      },
    });
  });

  it("hands settings, the shelf and the read-only switch on to the program it starts", async () => {
    const { out } = await setup("cursor --readwise-profiles=all --shelf=readwise --read-only");
    expect(JSON.parse(out).mcpServers.bookwheel.args.slice(1)).toEqual([
      "stdio",
      "--read-only",
      "--readwise-profiles",
      "all",
      "--shelf",
      "readwise",
    ]);
    expect((await setup("http --shelf=chunks")).out).toContain("http://127.0.0.1:8080/chunks/mcp");
  });

  it("names the package, not npx's folder, where npx unpacked it", async () => {
    const { out } = await setup("cursor", { program: "/home/me/.npm/_npx/1a2b/node_modules/bookwheel/dist/main.js" });
    expect(JSON.parse(out).mcpServers.bookwheel).toMatchObject({
      command: "npx",
      args: ["-y", "bookwheel", "stdio", "--readwise-profiles", "readwise,reader,write"],
    });
  });

  it.each([
    ["darwin", "claude-desktop", "Library/Application Support/Claude/claude_desktop_config.json"],
    ["win32", "claude-desktop", "AppData/Roaming/Claude/claude_desktop_config.json"],
    ["linux", "vscode", ".config/Code/User/mcp.json"],
    ["darwin", "vscode", "Library/Application Support/Code/User/mcp.json"],
    ["win32", "codex", ".codex/config.toml"],
  ] as const)("knows where on %s %s keeps its settings", async (platform, client, path) => {
    const { err } = await setup(client, { place: { platform, home, cwd: home } });
    expect(err).toContain(join(home, path));
  });

  it("never shows a key or token unless asked to, for any client, either way", async () => {
    for (const client of Object.keys(CLIENTS))
      for (const way of ["", " --http"]) {
        const { out, err } = await setup(`${client}${way}`, { config: { BOOKWHEEL_TOKEN: TOKEN } });
        expect(out + err).not.toContain(SECRET);
        expect(out + err).not.toContain(TOKEN);
      }
    expect((await setup("claude-desktop --with-key")).out).toContain(SECRET);
  });

  it("says what to write instead of a client or a way it does not know", async () => {
    expect(await setup("emacs")).toMatchObject({
      code: 2,
      err: expect.stringContaining("claude-desktop, claude-code"),
    });
    expect(await setup("claude-desktop --http")).toMatchObject({ code: 2, err: expect.stringContaining("Connectors") });
    expect(await setup("http --write")).toMatchObject({ code: 2, err: expect.stringContaining("no file") });
    expect(await setup("cursor --with-key", { config: { READWISE_API_KEY: undefined } })).toMatchObject({ code: 2 });
  });
});

describe("writing", () => {
  it.each(["claude-desktop", "claude-code", "cursor", "vscode", "codex"])(
    "creates the file of %s, once",
    async (client) => {
      const first = await setup(`${client} --write`, { answer: true });
      expect(first).toMatchObject({ code: 0, questions: [expect.stringMatching(/^Create .*\[y\/N\] $/)] });
      const file = await settingsOf(client);
      const text = await readFile(file, "utf8");
      expect(text).toContain("/opt/book wheel/dist/main.js");
      expect(text).not.toContain(SECRET);
      const again = await setup(`${client} --write`, { answer: true });
      expect(again).toMatchObject({ code: 0, questions: [], err: expect.stringContaining("already") });
      expect(await readFile(file, "utf8")).toBe(text);
    },
  );

  it("keeps other servers and all else, and a copy of what was there", async () => {
    const before = `{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"other": { "command": "x", "env": { "KEY": "k" } }\n\t}\n}\n`;
    const file = await settingsOf("cursor", before);
    expect(await setup("cursor --write --yes")).toMatchObject({ code: 0 });
    const after = await readFile(file, "utf8");
    expect(JSON.parse(after)).toMatchObject({
      theme: "dark",
      mcpServers: { other: { command: "x", env: { KEY: "k" } }, bookwheel: { command: "/usr/bin/node" } },
    });
    expect(after).toContain(`\n\t"theme"`);
    const [backup] = (await readdir(dirname(file))).filter((name) => name.endsWith(".bak"));
    expect(await readFile(join(dirname(file), backup!), "utf8")).toBe(before);
  });

  it("adds its table to a TOML file without touching a byte above it", async () => {
    const before = `model = "o9"\n\n[mcp_servers.other]\ncommand = "x" # mine\n`;
    const file = await settingsOf("codex", before);
    expect(await setup("codex --write --yes")).toMatchObject({ code: 0 });
    const after = await readFile(file, "utf8");
    expect(after.startsWith(before)).toBe(true);
    expect(after.slice(before.length)).toMatch(/^\n\[mcp_servers\.bookwheel\]\n/);
  });

  it("asks before it replaces an older entry of its own", async () => {
    const file = await settingsOf("cursor", '{"mcpServers":{"bookwheel":{"command":"old"}}}');
    const refused = await setup("cursor --write", { answer: false });
    expect(refused).toMatchObject({ code: 1, questions: [expect.stringContaining("Replace 'bookwheel'")] });
    expect(await readFile(file, "utf8")).toContain("old");
    await setup("cursor --write", { answer: true });
    expect(await readFile(file, "utf8")).not.toContain("old");
  });

  it("writes nothing where nobody can be asked", async () => {
    const file = await settingsOf("vscode", "{}");
    expect(await setup("vscode --write")).toMatchObject({ code: 1, err: expect.stringContaining("--yes") });
    expect(await readFile(file, "utf8")).toBe("{}");
  });

  it.each([
    ["vscode", '{ // mine\n "servers": {} }', "plain JSON"],
    ["cursor", '{"mcpServers": []}', "not an object"],
    ["vscode", '{"inputs": {}}', "not a list"],
    ["codex", '[mcp_servers."bookwheel"]\ncommand = "old"\n', "of its own"],
    ["codex", 'mcp_servers = { other = { command = "x" } }\n', "as a value"],
  ])("leaves a file of %s alone that it does not understand: %s", async (client, before, reason) => {
    const file = await settingsOf(client, before);
    const { code, err, out } = await setup(`${client} --write --yes`);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(reason) });
    expect(out).toContain("bookwheel");
    expect(await readFile(file, "utf8")).toBe(before);
    expect(await readdir(dirname(file))).toHaveLength(1);
  });

  it("writes through a link, so that settings kept elsewhere stay linked", async () => {
    const real = join(home, "dotfiles.json");
    await writeFile(real, "{}");
    const file = await settingsOf("cursor");
    await symlink(real, file);
    await setup("cursor --write --yes");
    expect(await readFile(real, "utf8")).toContain("bookwheel");
  });
});

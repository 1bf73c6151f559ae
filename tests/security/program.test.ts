import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ReadwiseSandbox, startReadwiseSandbox } from "../../sandbox/readwise/server.js";
import { type Program, startProgram } from "../support/program.js";
import { smallLibrary } from "../support/small-library.js";

const KEY = "security-readwise-key-0123456789";
const OTHER_KEY = "security-other-key-9876543210";
const TOKEN = "security-server-token-abcdef";

let sandbox: ReadwiseSandbox;
let program: Program;
let folder: string;
let home: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bookwheel-security-"));
  home = join(folder, "data");
  const other = smallLibrary().library;
  for (const book of other.books.values()) book.title = "Somebody else's book";
  sandbox = await startReadwiseSandbox({
    libraries: { [KEY]: smallLibrary().library, [OTHER_KEY]: other },
    limits: false,
  });
  program = await startProgram(["serve"], {
    READWISE_API_URL: sandbox.url,
    READWISE_PROFILES: "all",
    NOTEBOOK_PROFILES: "all",
    CHUNK_PROFILES: "all",
    BOOKWHEEL_TOKEN: TOKEN,
    BOOKWHEEL_HOME: home,
    LOG_LEVEL: "debug",
    UPSTREAM_TIMEOUT_MS: "1000",
  });
}, 60_000);
afterAll(async () => {
  await program?.stop();
  await sandbox?.close();
  await rm(folder, { recursive: true, force: true });
});

async function call(name: string, args: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${program.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${TOKEN}`,
      "x-readwise-token": KEY,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** A request line and headers as they are, and what comes back. */
function raw(...lines: string[]): Promise<string> {
  const { hostname, port } = new URL(program.url);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () =>
      socket.write([...lines, "connection: close", "", ""].join("\r\n")),
    );
    socket.on("data", (part) => {
      answer += part;
    });
    socket.on("close", () => resolve(answer)).on("error", () => resolve(answer));
  });
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe("keys", () => {
  it("appear in no answer, log line, metric or file, whatever goes wrong upstream", async () => {
    const seen: string[] = [];
    const CALLS: [string, object][] = [
      ["list_sources", {}],
      ["search_highlights", { query: "water" }],
      ["get_highlight", { id: "999999999" }],
      ["create_highlight", { text: "A line.", source_title: "Lines" }],
      ["list_documents", { cursor: "nonsense" }],
      ["list_sources", { category: "nonsense" }],
    ];
    for (const kind of ["status", "html_page", "truncated", "reset", "throttle", "no_answer"] as const) {
      sandbox.faults.clear();
      sandbox.faults.set({ kind });
      for (const [name, args] of CALLS.slice(kind === "no_answer" ? 5 : 0)) seen.push((await call(name, args)).text);
    }
    sandbox.faults.clear();
    for (const [name, args] of CALLS) seen.push((await call(name, args)).text);
    seen.push((await call("list_sources", {}, { "x-readwise-token": "wrong-key-wrong-key" })).text);
    seen.push((await call("list_sources", {}, { authorization: "Bearer wrong-token-wrong-token" })).text);
    seen.push(await (await fetch(`${program.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text());
    seen.push(program.stderr());
    for (const file of await filesOf(home)) seen.push((await readFile(file)).toString("latin1"));
    const everything = seen.join("\n");
    for (const secret of [KEY, TOKEN, "wrong-key-wrong-key", "wrong-token-wrong-token"])
      expect(everything.includes(secret), secret).toBe(false);
  });

  it("of two callers never mix, however close their calls are", async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const mine = i % 2 === 0;
        const { text } = await call("list_sources", {}, { "x-readwise-token": mine ? KEY : OTHER_KEY });
        return { mine, foreign: text.includes("Somebody else") };
      }),
    );
    for (const { mine, foreign } of answers) expect(foreign).toBe(!mine);
  });

  it("are asked for before anything is read: no token, no shelf", async () => {
    expect((await call("list_notebooks", {}, { authorization: "" })).status).toBe(401);
  });
});

describe("the server's files", () => {
  it("cannot be reached by a path that climbs", async () => {
    const { host } = new URL(program.url);
    for (const path of [
      "/../../../../etc/passwd",
      "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
      "/..%2f..%2f..%2fetc%2fpasswd",
      "/assets/../../../package.json",
      "/assets/%2e%2e%5c%2e%2e%5cpackage.json",
      "//etc/passwd",
      "/%00",
      "file:///etc/passwd",
    ]) {
      const answer = await raw(`GET ${path} HTTP/1.1`, `host: ${host}`);
      expect(answer, path).not.toMatch(/root:|"devDependencies"/);
      expect(answer, path).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
  });

  it("cannot be read through a tool outside the folders the owner named", async () => {
    const args = { project: "p", paths: ["/etc/passwd", "../../etc", home] };
    await call("create_project", { project: "p" });
    const { text } = await call("ingest_documents", args);
    expect(text).toContain("BOOKWHEEL_INGEST_ROOTS");
    expect(text).not.toContain("root:");
  });

  it("are the owner's alone", async () => {
    const { mode } = await stat(home);
    expect(mode & 0o077).toBe(0);
  });
});

describe("another site's page", () => {
  it("cannot call by a name it made lead here, nor by a form, nor frame the page", async () => {
    const { host } = new URL(program.url);
    const post = (...headers: string[]) => raw("POST /mcp HTTP/1.1", "content-length: 0", ...headers);
    expect(await post("host: rebound.evil.example")).toMatch(/^HTTP\/1\.1 403 /);
    expect(await post(`host: ${host}`, "origin: https://evil.example", "content-type: text/plain")).toMatch(/ 403 /);
    expect(await post(`host: ${host}`, "origin: null")).toMatch(/^HTTP\/1\.1 403 /);
    const page = await fetch(program.url);
    if (page.status === 200) {
      const policy = page.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
    }
    expect((await call("list_projects", {})).headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("guessing the token", () => {
  it("is stopped after twenty tries, and never locks out the right one", async () => {
    const guess = async (i: number) => (await call("list_projects", {}, { authorization: `Bearer guess-${i}` })).status;
    const statuses = [];
    for (let i = 0; i < 25; i++) statuses.push(await guess(i));
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(20);
    expect((await call("list_projects", {})).status).toBe(200);
  });

  it("is no way round to the metrics, on loopback either", async () => {
    const metrics = (headers: Record<string, string>) => fetch(`${program.url}/metrics`, { headers });
    expect((await metrics({})).status).toBe(401);
    expect((await metrics({ authorization: `Bearer ${TOKEN}` })).status).toBe(200);
  });
});

describe("a connection that says nothing", () => {
  it("is closed, whether it has begun a request or not", { timeout: 120_000 }, async () => {
    const { hostname, port } = new URL(program.url);
    const closed = (text: string) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(text));
        socket
          .resume()
          .on("error", () => {})
          .once("close", () => resolve());
      });
    await Promise.all([closed("POST /mcp HTTP/1.1\r\nhost: a\r\n"), closed("P"), closed("")]);
  });
});

import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Program, startProgram } from "../support/program.js";

/** 10,000 with `BOOKWHEEL_CONNECTIONS=10000`; needs twice as many open files (`ulimit -n`). */
const CONNECTIONS = Number(process.env.BOOKWHEEL_CONNECTIONS ?? 1_000);
const SEED = Number(process.env.BOOKWHEEL_FUZZ_SEED ?? 20_260_715);
const ACCEPT = "application/json, text/event-stream";

let program: Program;
let address: { host: string; port: number };
beforeAll(async () => {
  program = await startProgram(["serve"], { READWISE_PROFILES: "all", READWISE_API_URL: "http://127.0.0.1:9" });
  const { hostname, port } = new URL(program.url);
  address = { host: hostname, port: Number(port) };
}, 60_000);
afterAll(async () => {
  await program?.stop();
});

const post = (body: string | Uint8Array, headers: Record<string, string> = {}, path = "/mcp") =>
  fetch(program.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", accept: ACCEPT, ...headers },
    body: body as BodyInit,
  });

async function expectHealthy(): Promise<void> {
  expect(program.child.exitCode, program.stderr().slice(-2_000)).toBeNull();
  expect(program.stderr()).not.toMatch(/"message":"(crash|unhandled rejection)"/);
  expect((await fetch(`${program.url}/health`)).status).toBe(200);
  const listed = await post('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  expect(await listed.text()).toContain("search_highlights");
}

/** Sends bytes as they are and gives everything that comes back until the server closes, or for a while. */
function raw(bytes: string | Buffer, { waitMs = 500 } = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(address);
    let answer = "";
    const done = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.on("data", (part) => {
      answer += part.toString("latin1");
    });
    socket.on("error", done).on("close", done);
    socket.setTimeout(waitMs, done);
    socket.write(bytes);
  });
}

describe("a request that is no good", () => {
  it.each([
    ["nothing", ""],
    ["half a message", '{"jsonrpc":"2.0","id":1,"method":"tools/ca'],
    ["a number", "42"],
    ["null", "null"],
    ["a text", '"tools/list"'],
    ["an empty batch", "[]"],
    ["no method", '{"jsonrpc":"2.0","id":1}'],
    ["another version", '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"tools/list"}'],
    ["a method that is a number", '{"jsonrpc":"2.0","id":1,"method":5}'],
    ["params that are a list", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}'],
    ["a tool name that is an object", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{}}}'],
    [
      "arguments that are a list",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":[]}}',
    ],
    ["bytes that are no text", Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0xc0, 0x80, 0x7d])],
    ["ten thousand brackets", "[".repeat(10_000)],
    ["nesting ten thousand deep", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
    ["a prototype", '{"__proto__":{"jsonrpc":"2.0"},"id":1,"method":"tools/list"}'],
  ])("%s is answered, not suffered", async (_what, body) => {
    const answer = await post(body);
    const text = await answer.text();
    expect(answer.status, text).toBeLessThan(500);
    if (answer.status === 200) expect(text).toMatch(/"error"|"isError":true/);
    expect(text).not.toMatch(/node_modules|\bat .+:\d+:\d+/);
    await expectHealthy();
  });

  it("any method with any params never makes an internal error", { timeout: 60_000 }, async () => {
    const method = fc.oneof(
      fc.constantFrom("initialize", "ping", "tools/list", "tools/call", "prompts/get", "prompts/list"),
      fc.constantFrom("resources/list", "resources/read", "resources/templates/list", "logging/setLevel"),
      fc.constantFrom("completion/complete", "server/discover", "constructor", "__proto__", ""),
      fc.string(),
    );
    const name = fc.oneof(
      fc.constantFrom("ask", "list_projects", "constructor", "__proto__", "research_question", ""),
      fc.string({ unit: "binary" }),
    );
    const uri = fc.oneof(
      fc.constantFrom("bookwheel://projects/%", "bookwheel://projects/%E0%A4%A", "bookwheel://sources/..%2f..", ""),
      fc.string({ unit: "binary" }).map((text) => `bookwheel://projects/${text}`),
      fc.webUrl(),
    );
    const params = fc.oneof(
      fc.jsonValue(),
      fc.record({ name, arguments: fc.jsonValue() }),
      fc.record({ uri, cursor: fc.jsonValue(), _meta: fc.jsonValue() }, { requiredKeys: ["uri"] }),
    );
    const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null));
    const message = fc.record({ jsonrpc: fc.constant("2.0"), id, method, params });
    await fc.assert(
      fc.asyncProperty(message, async (given) => {
        const answer = await post(JSON.stringify(given));
        const text = await answer.text();
        expect(answer.status, text).toBeLessThan(500);
        // The SDK complains about params of its own methods under this code, as a list of what is wrong with them.
        expect(text).not.toMatch(/"code":-32603,"message":"(?!\[)|internal_error|INTERNAL_ERROR/);
      }),
      { numRuns: 1_500, seed: SEED },
    );
    await expectHealthy();
  });

  it("any address, profile and header is answered with a 2xx or 4xx", { timeout: 60_000 }, async () => {
    const word = fc.oneof(
      fc.constantFrom("constructor", "__proto__", "toString", "valueOf", "all", "readwise", "%", "%00", "a,,b", ""),
      fc.string(),
    );
    const request = fc.record({
      path: fc.constantFrom("/mcp", "/readwise/mcp", "/mcp/", "//", "/../etc/passwd", "/%2e%2e/", "/metrics", "/ready"),
      query: word,
      profiles: fc.option(word, { nil: undefined }),
      era: fc.option(fc.constantFrom("2025-11-25", "2026-07-28", "1900-01-01", "__proto__"), { nil: undefined }),
      method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "HEAD", "PROPFIND"),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ path, query, profiles, era, method }) => {
        const body = method === "POST" ? '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' : "";
        const lines = [
          `${method} ${path}?profiles=${encodeURIComponent(query)} HTTP/1.1`,
          `host: ${address.host}:${address.port}`,
          "connection: close",
          "content-type: application/json",
          `accept: ${ACCEPT}`,
          `content-length: ${body.length}`,
          ...(profiles === undefined ? [] : [`x-bookwheel-profiles: ${profiles.replace(/[^\x20-\x7e]/g, "")}`]),
          ...(era === undefined ? [] : [`mcp-protocol-version: ${era}`]),
        ];
        const answer = await raw(`${lines.join("\r\n")}\r\n\r\n${body}`, { waitMs: 5_000 });
        expect(answer).toMatch(/^HTTP\/1\.1 [24]\d\d /);
      }),
      { numRuns: 600, seed: SEED },
    );
    await expectHealthy();
  });
});

describe("a connection that means harm", () => {
  const head = (...more: string[]) =>
    [`POST /mcp HTTP/1.1`, `host: ${address.host}:${address.port}`, "content-type: application/json", ...more].join(
      "\r\n",
    );

  it("cannot put a header into an answer, nor a second request behind the first", async () => {
    for (const id of [
      "a\u000d\u000aset-cookie: stolen=1",
      "a%0d%0aset-cookie:%20stolen=1",
      "a\u0000b",
      "x".repeat(9_000),
    ])
      expect(await raw(`${head(`x-request-id: ${id}`, "content-length: 0")}\r\n\r\n`)).not.toMatch(/^set-cookie/im);
    const smuggled = "0\r\n\r\nGET /metrics HTTP/1.1\r\nhost: x\r\n\r\n";
    for (const lengths of [
      ["content-length: 4", "transfer-encoding: chunked"],
      ["content-length: 5", "content-length: 50"],
      ["transfer-encoding: chunked, identity"],
      ["content-length: -1"],
      ["content-length: 1e3"],
      ["Transfer-Encoding : chunked"],
    ]) {
      const answer = await raw(`${head(...lengths)}\r\n\r\n${smuggled}`);
      expect(answer, lengths.join()).not.toContain("bookwheel_");
      expect(answer, lengths.join()).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
    }
    await expectHealthy();
  });

  it("is turned away when its headers are enormous, or no HTTP at all", async () => {
    expect(await raw(`${head(`x-long: ${"a".repeat(100_000)}`)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
    for (let round = 0; round < 20; round++) {
      const noise = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 7919 + round * 104_729) % 256));
      expect(await raw(noise)).not.toMatch(/^HTTP\/1\.1 [25]/);
    }
    await expectHealthy();
  });

  it("may send no more than 16 MiB, whether it says so before or not", { timeout: 60_000 }, async () => {
    const large = Buffer.alloc(17 * 1024 * 1024, "x");
    expect((await post(large)).status).toBe(413);
    async function* inParts() {
      for (let at = 0; at < large.length; at += 1024 * 1024) yield large.subarray(at, at + 1024 * 1024);
    }
    const answer = await fetch(`${program.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: ACCEPT },
      body: inParts() as unknown as BodyInit,
      duplex: "half",
    } as RequestInit).then(
      ({ status }) => status,
      () => "cut off", // the server need not listen to the end
    );
    expect([413, "cut off"]).toContain(answer);
    await expectHealthy();
  });

  it("keeps nobody waiting by being slow itself", { timeout: 60_000 }, async () => {
    const slow = Array.from({ length: 300 }, (_, i) => {
      const socket = connect(address).on("error", () => {});
      socket.write(
        i % 2 ? "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: " : `${head("content-length: 1000")}\r\n\r\n{`,
      );
      return socket;
    });
    for (let round = 0; round < 5; round++) {
      for (const socket of slow) if (socket.writable) socket.write("a");
      await expectHealthy();
      await delay(50);
    }
    for (const socket of slow) socket.destroy();
    await expectHealthy();
  });
});

describe(`${CONNECTIONS} connections at once`, () => {
  it("are all answered", { timeout: 60_000 + CONNECTIONS * 20 }, async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_projects","arguments":{}}}';
    const request = [
      "POST /mcp HTTP/1.1",
      `host: ${address.host}:${address.port}`,
      "content-type: application/json",
      `accept: ${ACCEPT}`,
      `content-length: ${body.length}`,
      "connection: keep-alive",
      "",
      body,
    ].join("\r\n");
    const sockets: Socket[] = [];
    const answers: Promise<string>[] = [];
    // Opened in handfuls: the queue of connections that wait to be accepted is short.
    while (sockets.length < CONNECTIONS) {
      const more = await Promise.all(Array.from({ length: Math.min(100, CONNECTIONS - sockets.length) }, opened));
      sockets.push(...more);
      answers.push(...more.map((socket) => asked(socket, request)));
    }
    const good = (await Promise.all(answers)).filter(
      (answer) => answer.startsWith("HTTP/1.1 200") && answer.includes('"projects"'),
    );
    expect(good).toHaveLength(CONNECTIONS);
    for (const socket of sockets) socket.destroy();
    await expectHealthy();
  });
});

function opened(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(address, () => resolve(socket)).on("error", reject);
  });
}

/** Writes the request and waits until a whole answer to it has come. */
function asked(socket: Socket, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    socket.removeAllListeners("error");
    socket.on("error", reject).on("close", () => resolve(answer));
    socket.on("data", (part) => {
      answer += part;
      const end = answer.indexOf("\r\n\r\n");
      const length = /content-length: (\d+)/i.exec(answer)?.[1];
      const whole = length ? answer.length >= end + 4 + Number(length) : answer.endsWith("0\r\n\r\n");
      if (end > 0 && whole) resolve(answer);
    });
    socket.write(request);
  });
}

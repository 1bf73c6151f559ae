import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleLibrary } from "../../sandbox/readwise/sample.js";
import { startReadwiseSandbox } from "../../sandbox/readwise/server.js";
import { exitOf, HELLO, startStdio, temporaryHome } from "../support/program.js";

let home: string;
beforeAll(async () => {
  home = await temporaryHome();
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** A dependency that prints to stdout in every way there is, all the time. */
const CHATTER =
  "data:text/javascript,setInterval(()=>{console.log('chatter');console.info('chatter');process.stdout.write('chatter\\n')},5)";

const BROKEN_FOLDERS =
  "data:text/javascript,import%20fs%20from%20'node:fs';fs.mkdirSync=()=>{throw%20TypeError('nobody%20expected%20this')}";

describe("stdio", () => {
  it("keeps stdout for the protocol, also when a dependency prints to it", async () => {
    const { child, stdout, stderr, said } = startStdio(home, { NODE_OPTIONS: `--import ${CHATTER}` });
    await once(child.stderr, "data");
    child.stdin.write(HELLO);
    child.stdin.write(
      '{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n',
    );
    await said('"id":2');
    await exitOf(child, () => child.stdin.end());
    // What a dependency prints before our first line runs is not ours to hold back; nothing after it may get through.
    const lines = stdout().split("\n").filter(Boolean);
    const protocol = lines.slice(lines.findIndex((line) => line.startsWith("{")));
    for (const line of protocol) expect(() => JSON.parse(line)).not.toThrow();
    expect(protocol).toHaveLength(2);
    expect(stderr()).toContain("chatter");
  });

  it("answers what was asked before stdin closed", async () => {
    const readwise = await startReadwiseSandbox({ libraries: { k: sampleLibrary } });
    readwise.faults.set({ kind: "slow_headers", delay_ms: 150 });
    const { child, stdout } = startStdio(home, { READWISE_API_URL: readwise.url, READWISE_API_KEY: "k" });
    const code = await exitOf(child, () =>
      child.stdin.end(
        `${HELLO}{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_source","arguments":{"id":"1"}}}\n`,
      ),
    );
    await readwise.close();
    expect(code).toBe(0);
    expect(
      stdout()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).id),
    ).toEqual([1, 2]);
  });

  it("ends and says why when something breaks that nobody expected", async () => {
    const { child, stderr } = startStdio(join(home, "not-there"), { NODE_OPTIONS: `--import ${BROKEN_FOLDERS}` });
    expect(await exitOf(child, () => {})).toBe(70);
    expect(JSON.parse(stderr())).toMatchObject({ message: "crash", error: { message: "nobody expected this" } });
  });

  it.each([
    ["stdin closes", (child: ReturnType<typeof startStdio>["child"]) => child.stdin.end()],
    ["SIGTERM comes", (child: ReturnType<typeof startStdio>["child"]) => child.kill("SIGTERM")],
  ])("exits when %s", async (_when, end) => {
    const { child } = startStdio(home);
    child.stdin.write(HELLO);
    await once(child.stdout, "data");
    expect(await exitOf(child, () => end(child))).toBe(0);
  });
});

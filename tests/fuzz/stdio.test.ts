import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exitOf, HELLO, startStdio, temporaryHome } from "../support/program.js";

let home: string;
beforeAll(async () => {
  home = await temporaryHome();
});
afterAll(() => rm(home, { recursive: true, force: true }));

const NOISE: readonly (string | Buffer)[] = [
  "",
  "hello",
  "{",
  "null",
  "[]",
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  '{"jsonrpc":"2.0","id":5,"method":"__proto__","params":{"__proto__":{}}}',
  '{"jsonrpc":"2.0","id":6,"result":{}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
  Buffer.from([0xff, 0xfe, 0x00, 0xc0, 0x80]),
  `{"jsonrpc":"2.0","id":7,"method":"${"x".repeat(1_000_000)}"}`,
  `${"[".repeat(20_000)}`,
];

it("answers over stdio after any line it cannot read", { timeout: 60_000 }, async () => {
  const { child, stdout, stderr, said } = startStdio(home);
  child.stdin.write(HELLO);
  await said('"id":1');
  for (const [i, noise] of NOISE.entries()) {
    child.stdin.write(noise);
    child.stdin.write(`\n{"jsonrpc":"2.0","id":"after-${i}","method":"tools/list"}\n`);
    await said(`"id":"after-${i}"`);
    expect(child.exitCode, stderr()).toBeNull();
  }
  for (const line of stdout().split("\n").filter(Boolean)) expect(() => JSON.parse(line)).not.toThrow();
  expect(stderr()).not.toMatch(/"message":"(crash|unhandled rejection)"/);
  expect(await exitOf(child, () => child.stdin.end())).toBe(0);
});

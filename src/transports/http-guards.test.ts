import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { hostGuard, tokenGuard } from "./http-guards.js";

function asks(token: string, peer: string, realIp?: string): IncomingMessage {
  const headers = { authorization: `Bearer ${token}`, ...(realIp ? { "x-real-ip": realIp } : {}) };
  return { headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage; // all the guard looks at
}

const RIGHT = "the-right-token";
const proxied = { trustedProxies: ["127.0.0.1"] };

it("lets the right token in always, however many wrong ones came from its address", () => {
  const guard = tokenGuard(RIGHT);
  for (let i = 0; i < 100; i++) guard(asks(`guess-${i}`, "203.0.113.9"));
  expect(guard(asks("guess", "203.0.113.9"))).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
  expect(guard(asks(RIGHT, "203.0.113.9"))).toBeUndefined();
});

it("counts by the address that a trusted proxy names", () => {
  const guard = tokenGuard(RIGHT, proxied);
  for (let i = 0; i < 25; i++) guard(asks(`guess-${i}`, "::ffff:127.0.0.1", "203.0.113.9"));
  expect(guard(asks("guess", "127.0.0.1", "203.0.113.9"))).toMatchObject({ status: 429 });
  expect(guard(asks("guess", "127.0.0.1", "198.51.100.4"))).toMatchObject({ status: 401 });
});

it("does not believe a stranger about where they come from, nor a proxy that names no address", () => {
  for (const [guard, peer] of [
    [tokenGuard(RIGHT), "127.0.0.1"],
    [tokenGuard(RIGHT, proxied), "203.0.113.9"],
  ] as const) {
    for (let i = 0; i < 25; i++) guard(asks("guess", peer, `198.51.100.${i}`));
    expect(guard(asks("guess", peer, "198.51.100.200"))).toMatchObject({ status: 429 });
  }
  const guard = tokenGuard(RIGHT, proxied);
  for (let i = 0; i < 25; i++) guard(asks("guess", "127.0.0.1", `no-address-${i}`));
  expect(guard(asks("guess", "127.0.0.1", "no-address"))).toMatchObject({ status: 429 });
});

it("forgets after a minute, and remembers a bounded number of addresses", () => {
  let time = 0;
  const guard = tokenGuard(RIGHT, { ...proxied, now: () => time });
  for (let i = 0; i < 25; i++) guard(asks("guess", "127.0.0.1", "203.0.113.9"));
  for (let i = 0; i < 20_000; i++) guard(asks("guess", "127.0.0.1", `10.1.${i >> 8}.${i & 255}`));
  expect(guard(asks("guess", "127.0.0.1", "203.0.113.9"))).toMatchObject({ status: 401 });
  for (let i = 0; i < 25; i++) guard(asks("guess", "127.0.0.1", "203.0.113.9"));
  expect(guard(asks("guess", "127.0.0.1", "203.0.113.9"))).toMatchObject({ status: 429 });
  time = 61_000;
  expect(guard(asks("guess", "127.0.0.1", "203.0.113.9"))).toMatchObject({ status: 401 });
});

it("answers to allowed hosts in any case, and to nothing that is more than a name and a port", () => {
  const guard = hostGuard({ listening: "127.0.0.1", allowed: ["Books.Example"] });
  const named = (host: string, ...more: string[]) =>
    guard({ headers: { host }, rawHeaders: ["Host", host, ...more] } as unknown as IncomingMessage)?.status;
  expect(named("books.example")).toBeUndefined();
  expect(named("BOOKS.example:8080")).toBeUndefined();
  expect(named("localhost:8080")).toBeUndefined();
  for (const host of ["a@localhost", "localhost/x", "localhost?x", "local host", "localhost#"])
    expect(named(host)).toBe(400);
  expect(named("other.example")).toBe(403);
  expect(named("localhost:8080", "accept", "*/*", "HOST", "other.example")).toBe(400);
});

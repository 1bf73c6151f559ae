import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { tokenGuard } from "./http-guards.js";

function asks(token: string, peer: string, realIp?: string): IncomingMessage {
  const headers = { authorization: `Bearer ${token}`, ...(realIp ? { "x-real-ip": realIp } : {}) };
  return { headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage; // all the guard looks at
}

it("slows down who guesses through a proxy on this machine, and nobody else behind it", () => {
  const guard = tokenGuard("the-right-token");
  for (let i = 0; i < 25; i++) guard(asks(`guess-${i}`, "::ffff:127.0.0.1", "203.0.113.9"));
  expect(guard(asks("the-right-token", "127.0.0.1", "203.0.113.9"))).toMatchObject({ status: 429 });
  expect(guard(asks("the-right-token", "127.0.0.1", "198.51.100.4"))).toBeUndefined();
});

it("does not believe a stranger about where they come from", () => {
  const guard = tokenGuard("the-right-token");
  for (let i = 0; i < 25; i++) guard(asks("guess", "203.0.113.9", `198.51.100.${i}`));
  expect(guard(asks("guess", "203.0.113.9", "198.51.100.200"))).toMatchObject({ status: 429 });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Connected } from "../../../../tests/support/connect.js";
import { type Fixture, readwiseFixture } from "../../../../tests/support/readwise.js";
import { type SmallLibrary, smallLibrary } from "../../../../tests/support/small-library.js";
import { refusal } from "./refusal.js";

let fixture: Fixture;
let small: SmallLibrary;
let client: Connected;
beforeEach(async () => {
  small = smallLibrary();
  fixture = await readwiseFixture({ libraries: { key: small.library } });
  client = await fixture.as("key");
});
afterEach(() => fixture.close());

const read = () => client.call("get_source", { id: small.tides.id });

describe("a refused key", () => {
  it("is distinguished from a missing subscription, a refusal without a reason, and a page in between", async () => {
    const refusals = [
      { fault: { kind: "status", status: 401, detail: "Invalid token." }, reason: "key", words: "refused the key" },
      {
        fault: { kind: "status", status: 403, detail: "Your trial has ended." },
        reason: "subscription",
        words: "trial",
      },
      {
        fault: { kind: "status", status: 403, detail: "No." },
        reason: "forbidden",
        words: "The key may still be good",
      },
      { fault: { kind: "html_page", status: 403 }, reason: "blocked", words: "The key was not checked" },
      { fault: { kind: "html_page", status: 200 }, reason: "blocked", words: "A web page came instead" },
    ] as const;
    for (const { fault, reason, words } of refusals) {
      fixture.sandbox.faults.set({ ...fault, times: 1 });
      expect(await read()).toMatchObject({
        error: {
          type: reason === "blocked" ? "api_error" : "auth_error",
          message: expect.stringContaining(words),
          details: { reason },
        },
      });
    }
    expect(await read()).toMatchObject({ id: small.tides.id });
  });
});

it("reads a Retry-After that is a date", async () => {
  fixture.sandbox.faults.set({ kind: "throttle_date", retry_after_s: 42, times: 1 });
  expect(await read()).toMatchObject({ error: { code: "rate_limited", retry_after: 42 } });
});

it("never asks to wait longer than an hour", async () => {
  fixture.sandbox.faults.set({ kind: "throttle_date", retry_after_s: 10_000_000, times: 1 });
  expect(await read()).toMatchObject({ error: { code: "rate_limited", retry_after: 3600 } });
  const refused = refusal({
    status: 429,
    retryAfter: "99999999999999999999",
    body: "",
    endpoint: "e",
    missing: undefined,
    now: 0,
  });
  expect(refused.retry_after).toBe(3600);
});

it("does not repeat the key that an upstream echoes", async () => {
  const key = "secret-key-0123456789";
  const echoing = await readwiseFixture({ libraries: { [key]: smallLibrary().library } });
  const other = await echoing.as(key);
  echoing.sandbox.faults.set({ kind: "status", status: 400, detail: "Bad header secret-key-0123456789.", times: 1 });
  const answer = JSON.stringify(await other.call("get_source", { id: small.tides.id }));
  await echoing.close();
  expect(answer).toContain("Bad header ***");
  expect(answer).not.toContain("secret-key");
});

describe("a redirect", () => {
  it("on the same host is followed, with the key", async () => {
    fixture.sandbox.faults.set({ kind: "redirect", to: `/api/v2/books/${small.law.id}/`, times: 1 });
    expect(await read()).toMatchObject({ id: small.law.id });
    fixture.sandbox.faults.set({ kind: "redirect", status: 308, to: "/api/v3/save/", times: 1 });
    expect(await client.call("save_document", { url: "https://a.example/" })).toMatchObject({ created: true });
  });
  it("elsewhere, in a circle, or one that would turn a write into a read is not", async () => {
    const { origin, port } = new URL(fixture.sandbox.url);
    const elsewhere = origin.replace("127.0.0.1", "localhost");
    fixture.sandbox.faults.set({ kind: "redirect", to: `${elsewhere}/api/v2/books/1/`, times: 1 });
    expect(await read()).toMatchObject({
      error: { code: "upstream_error", details: { reason: "blocked", to: `localhost:${port}` } },
    });
    fixture.sandbox.faults.set({ kind: "redirect", times: 6 });
    expect(await read()).toMatchObject({ error: { code: "upstream_error", details: { reason: "redirect" } } });
    fixture.sandbox.faults.set({ kind: "redirect", status: 302, times: 1 });
    expect(await client.call("save_document", { url: "https://b.example/" })).toMatchObject({
      error: { code: "upstream_error", details: { status: 302 } },
    });
  });
});

describe("a malformed record", () => {
  it("is lost by itself, with a warning", async () => {
    const warnings = [{ code: "unreadable_records", details: { skipped: 1 } }];
    fixture.sandbox.faults.set({ kind: "malformed", endpoint: "GET /api/v2/export/", times: 1 });
    const found = await client.call("search_highlights", { filter: "-is:discarded" });
    expect(found).toMatchObject({ complete: true, warnings });
    expect(found.count).toBe(4); // the first source has a tag, and only that is lost
    fixture.sandbox.faults.set({ kind: "malformed", endpoint: "GET /api/v3/list/", times: 1 });
    expect(await client.call("list_documents", { category: "video" })).toMatchObject({ results: [], warnings });
    fixture.sandbox.faults.set({ kind: "malformed", endpoint: "GET /api/v2/books/", times: 1 });
    expect(await client.call("list_sources", {})).toMatchObject({ results: [{}, {}, {}], warnings });
  });
  it("loses only the tag where only a tag has no id", async () => {
    fixture.sandbox.faults.set({ kind: "malformed", endpoint: "GET /api/v2/books/", times: 1 });
    expect(await client.call("list_sources", { category: "books" })).toMatchObject({
      results: [{ id: small.tides.id, tags: [] }],
      warnings: [{ code: "unreadable_records" }],
    });
  });
});

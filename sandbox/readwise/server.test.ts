import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { Fault } from "./faults.js";
import { generateLibrary } from "./generate.js";
import { type ReadwiseSandbox, type ReadwiseSandboxOptions, startReadwiseSandbox } from "./server.js";

const open: ReadwiseSandbox[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

const small = () => generateLibrary({ sources: 6, highlights: 30, documents: 4 });

async function start(options: ReadwiseSandboxOptions = {}) {
  const sandbox = await startReadwiseSandbox({ libraries: { key: small, other: small }, ...options });
  open.push(sandbox);
  const get = (path: string, init: RequestInit = {}, token = "key") =>
    fetch(`${sandbox.url}${path}`, { headers: { authorization: `Token ${token}` }, ...init });
  const control = (method: string, path: string, body?: unknown) =>
    fetch(`${sandbox.url}/_sandbox/${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { sandbox, get, control };
}

const LISTS = ["/api/v2/books/", "/api/v2/highlights/", "/api/v3/list/", "/api/v3/tags/"];

describe("rate limits", () => {
  it("refuse the 21st list request of a minute, and say how long to wait", async () => {
    let now = 1_000_000;
    const { get } = await start({ clock: () => now });
    for (const path of LISTS) {
      for (let i = 0; i < 20; i++) expect((await get(path)).status).toBe(200);
      now += 44_000;
      const refused = await get(path);
      expect(refused.status).toBe(429);
      expect(refused.headers.get("retry-after")).toBe("16");
      expect(await refused.json()).toEqual({ detail: "Request was throttled. Expected available in 16 seconds." });
      now += 15_999;
      expect((await get(path)).status).toBe(429);
      now += 1;
      expect((await get(path)).status).toBe(200);
    }
  });

  it("write the header in lower case", async () => {
    const { sandbox, get } = await start({ limits: { "GET /api/v2/export/": 0 } });
    const { rawHeaders } = await new Promise<{ rawHeaders: string[] }>((resolve, reject) => {
      const headers = { authorization: "Token key" };
      request(`${sandbox.url}/api/v2/export/`, { headers }, (response) => resolve(response.resume()))
        .on("error", reject)
        .end();
    });
    expect(rawHeaders).toContain("retry-after");
    expect((await get("/api/v2/books/")).status).toBe(200);
  });

  it("slide: requests spread over the window free their places one by one", async () => {
    let now = 0;
    const { get } = await start({ clock: () => now });
    for (let i = 0; i < 20; i++, now += 1_000) await get("/api/v2/books/");
    now = 60_000;
    expect((await get("/api/v2/books/")).status).toBe(200);
    const refused = await get("/api/v2/books/");
    expect(refused.headers.get("retry-after")).toBe("1");
  });

  it("are 50 for saving and updating, 240 for the rest of v2, each endpoint and token by itself", async () => {
    const { get } = await start({ clock: () => 0 });
    const statuses = async (times: number, run: () => Promise<Response>) => {
      let last = 0;
      for (let i = 0; i < times; i++) last = (await run()).status;
      return last;
    };
    const headers = { authorization: "Token key" };
    const save = () =>
      get("/api/v3/save/", { method: "POST", headers, body: JSON.stringify({ url: "https://a.example/" }) });
    const update = () => get("/api/v3/update/x/", { method: "PATCH", headers, body: "{}" });
    const remove = () => get("/api/v3/delete/x/", { method: "DELETE", headers });
    expect(await statuses(50, save)).toBe(200);
    expect(await statuses(1, save)).toBe(429);
    expect(await statuses(50, update)).toBe(404);
    expect(await statuses(1, update)).toBe(429);
    expect(await statuses(20, remove)).toBe(404);
    expect(await statuses(1, remove)).toBe(429);
    expect(await statuses(240, () => get("/api/v2/export/?ids=1"))).toBe(200);
    expect(await statuses(1, () => get("/api/v2/export/?ids=1"))).toBe(429);
    expect(await statuses(1, () => get("/api/v2/auth/"))).toBe(204);
    expect(await statuses(1, () => get("/api/v2/export/?ids=1", {}, "other"))).toBe(200);
  });

  it("can be set per endpoint or turned off", async () => {
    const strict = await start({ limits: { "GET /api/v2/auth/": 1 } });
    await strict.get("/api/v2/auth/");
    expect((await strict.get("/api/v2/auth/")).status).toBe(429);
    const none = await start({ limits: false });
    for (let i = 0; i < 25; i++) expect((await none.get("/api/v2/books/")).status).toBe(200);
  });
});

describe("faults", () => {
  const EXPORT = "GET /api/v2/export/";

  it("throttle in the middle of paging, once, and then go on", async () => {
    const { sandbox, get } = await start({ exportPageSize: 2 });
    sandbox.faults.set({ kind: "throttle", endpoint: EXPORT, nth: 2, times: 1, retry_after_s: 7 });
    const first = await (await get("/api/v2/export/")).json();
    const refused = await get(`/api/v2/export/?pageCursor=${first.nextPageCursor}`);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "7"]);
    expect((await get(`/api/v2/export/?pageCursor=${first.nextPageCursor}`)).status).toBe(200);
    expect(sandbox.faults.list()).toEqual([]);
  });

  it("answer 500 or 503 on one endpoint and spare the others", async () => {
    const { sandbox, get } = await start();
    sandbox.faults.set({ kind: "status", endpoint: EXPORT, times: 1 });
    sandbox.faults.set({ kind: "status", status: 503, endpoint: EXPORT });
    expect((await get("/api/v2/books/")).status).toBe(200);
    expect((await get("/api/v2/export/")).status).toBe(500);
    expect((await get("/api/v2/export/")).status).toBe(503);
    expect((await get("/api/v2/export/")).status).toBe(503);
    sandbox.faults.clear();
    expect((await get("/api/v2/export/")).status).toBe(200);
  });

  it("strike one token and spare another", async () => {
    const { sandbox, get } = await start();
    sandbox.faults.set({ kind: "status", token: "key" });
    expect((await get("/api/v2/auth/")).status).toBe(500);
    expect((await get("/api/v2/auth/", {}, "other")).status).toBe(204);
  });

  it("send an HTML page", async () => {
    const { sandbox, get } = await start();
    sandbox.faults.set({ kind: "html_page" });
    const response = await get("/api/v3/list/");
    expect([response.status, response.headers.get("content-type")]).toEqual([502, "text/html; charset=UTF-8"]);
    expect(await response.text()).toMatch(/^<!DOCTYPE html>/);
  });

  it("cut the JSON short", async () => {
    const { sandbox, get } = await start();
    for (const path of ["/api/v2/export/", "/api/v3/list/"]) {
      sandbox.faults.set({ kind: "truncated", times: 1 });
      const response = await get(path);
      expect(response.status).toBe(200);
      await expect(response.json()).rejects.toThrow(SyntaxError);
    }
  });

  it("reset the connection before anything happens", async () => {
    const { sandbox, get } = await start();
    const headers = { authorization: "Token key" };
    const body = JSON.stringify({ highlights: [{ text: "lost" }] });
    const before = sandbox.state("key").highlights.size;
    sandbox.faults.set({ kind: "reset", times: 1 });
    await expect(get("/api/v2/highlights/", { method: "POST", headers, body })).rejects.toThrow();
    expect(sandbox.state("key").highlights.size).toBe(before);
    expect(sandbox.requests.list()).toMatchObject([{ status: 0, endpoint: "POST /api/v2/highlights/" }]);
  });

  it("reset it in the middle of the answer, when the write has happened", async () => {
    const { sandbox, get } = await start();
    const headers = { authorization: "Token key" };
    const body = JSON.stringify({ highlights: [{ text: "written" }] });
    const before = sandbox.state("key").highlights.size;
    sandbox.faults.set({ kind: "reset_body", times: 1 });
    const lost = get("/api/v2/highlights/", { method: "POST", headers, body }).then((response) => response.json());
    await expect(lost).rejects.toThrow();
    expect(sandbox.state("key").highlights.size).toBe(before + 1);
  });

  it("hold back the headers, half the body, or everything", async () => {
    const { sandbox, get } = await start();
    const faults: Fault[] = [
      { kind: "slow_headers", delay_ms: 20, times: 1 },
      { kind: "slow_body", delay_ms: 20, times: 1 },
    ];
    for (const fault of faults) {
      sandbox.faults.set(fault);
      const { results } = await (await get("/api/v2/export/")).json();
      expect(results).toHaveLength(6);
    }
    sandbox.faults.set({ kind: "slow_body", delay_ms: 600_000, times: 1 });
    const begun = await get("/api/v2/export/", { headers: { authorization: "Token key" } });
    expect(begun.status).toBe(200);
    const reader = begun.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    sandbox.faults.set({ kind: "no_answer", times: 1 });
    const signal = AbortSignal.timeout(50);
    await expect(get("/api/v2/auth/", { signal, headers: { authorization: "Token key" } })).rejects.toThrow(
      /timeout|abort/i,
    );
    expect((await get("/api/v2/auth/")).status).toBe(204);
  });

  it("leave out the text of documents", async () => {
    const { sandbox, get } = await start();
    sandbox.faults.set({ kind: "empty_html", endpoint: "GET /api/v3/list/", times: 1 });
    const html = async () =>
      (await (await get("/api/v3/list/?category=article&withHtmlContent=true")).json()).results[0].html_content;
    expect(await html()).toBe("");
    expect(await html()).toContain("<p");
  });
});

describe("from outside the process", () => {
  it("faults are set and cleared, and wrong ones refused with the reason", async () => {
    const { get, control } = await start();
    expect(
      (await control("POST", "faults", { kind: "status", status: 503, endpoint: "GET /api/v2/auth/" })).status,
    ).toBe(200);
    expect((await get("/api/v2/auth/")).status).toBe(503);
    expect((await control("POST", "faults", [])).status).toBe(200);
    expect((await get("/api/v2/auth/")).status).toBe(204);
    expect(await (await control("POST", "faults", { kind: "gremlin" })).json()).toEqual({
      detail: expect.stringContaining("kind must be one of throttle"),
    });
    expect((await control("POST", "faults", { kind: "reset", endpoint: "GET /nowhere" })).status).toBe(400);
    expect((await control("POST", "faults", { kind: "reset", times: "many" })).status).toBe(400);
  });

  it("requests are listed and counted, and a reset forgets everything that was written", async () => {
    const { sandbox, get, control } = await start();
    const headers = { authorization: "Token key" };
    const before = sandbox.state("key").highlights.size;
    const body = JSON.stringify({ highlights: [{ text: "new" }] });
    await get("/api/v2/highlights/", { method: "POST", headers, body });
    await get("/api/v2/export/?ids=1", {}, "other");
    await get("/api/v2/auth/", {}, "wrong");
    const seen = await (await control("GET", "requests")).json();
    expect(seen.counts).toEqual({ "POST /api/v2/highlights/": 1, "GET /api/v2/export/": 1, "GET /api/v2/auth/": 1 });
    expect(seen.requests).toMatchObject([
      { token: "key", method: "POST", path: "/api/v2/highlights/", status: 200 },
      { token: "other", query: { ids: "1" }, status: 200 },
      { token: null, status: 401 },
    ]);
    expect((await (await control("GET", "requests?token=other")).json()).requests).toHaveLength(1);
    expect(sandbox.requests.count()).toBe(3);
    expect(sandbox.requests.count("GET /api/v2/export/", "key")).toBe(0);
    expect((await control("POST", "reset")).status).toBe(204);
    expect(sandbox.requests.count()).toBe(0);
    expect(sandbox.state("key").highlights.size).toBe(before);
  });

  it("time can be moved on", async () => {
    const { sandbox, control } = await start({ clock: () => 5 });
    expect((await control("POST", "advance", { ms: 10 })).status).toBe(204);
    expect(sandbox.now()).toBe(15);
    sandbox.setClock(() => 100);
    expect(sandbox.now()).toBe(100);
  });
});

it("gives every token a library of its own when it may take any", async () => {
  const { sandbox, get } = await start({
    libraries: undefined,
    library: (token) => (token === "bad" ? null : small()),
  });
  expect((await get("/api/v2/auth/", {}, "anything")).status).toBe(204);
  expect((await get("/api/v2/auth/", {}, "bad")).status).toBe(401);
  expect(sandbox.state("one")).not.toBe(sandbox.state("two"));
});

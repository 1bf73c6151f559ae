import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Month } from "./generation.js";
import { notebookRow } from "./rows.js";
import { type NotebookSandbox, startNotebookSandbox } from "./server.js";
import { SEED } from "./state.js";

const CALLS: Record<string, unknown> = {
  wXbhsf: [null, 1, null, [2]],
  rLM1Ne: [SEED.ocean, null, [2], null, 0],
  CCqFvf: ["New", null, null, [2], [1]],
  s0tc2d: [SEED.ocean, [[null, null, null, [null, "Renamed"]]]],
  izAoDd: [[[null, ["Title", "Text"], null, null, null, null, null, null]], SEED.ocean, [2], null, null],
  ozz5Z: [[[[null, "1", 627], [], 1]]],
  hizoJc: [[SEED.tides], [2], [2]],
  b7Wfje: [null, [SEED.tides], [[["Tides"]]]],
  VfAZjd: [SEED.ocean, [2]],
  tr032e: [[[[SEED.tides]]]],
  hPTbtc: [[], null, SEED.ocean, 20],
  khqZz: [[], null, null, "conversation", 20],
  ZwVcOc: [null, [1]],
  tGMBJ: [[[SEED.tides]]],
  WWINqb: [[SEED.ocean], [2]],
};

describe("the notebook sandbox", () => {
  let sandbox: NotebookSandbox;
  const cookie = () => `SID=${sandbox.state.sid}; __Secure-1PSIDTS=${[...sandbox.state.psidts].at(-1)}`;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${sandbox.url}${path}`, { headers, redirect: "manual" });
  const call = (
    rpc: string,
    params: unknown,
    { at = sandbox.state.csrf, query = "", type = "application/x-www-form-urlencoded" } = {},
  ) =>
    fetch(
      `${sandbox.url}/_/LabsTailwindUi/data/batchexecute?rpcids=${rpc}&source-path=/notebook/${SEED.ocean}${query}`,
      {
        method: "POST",
        redirect: "manual",
        headers: { cookie: cookie(), "content-type": type },
        body: new URLSearchParams({
          "f.req": JSON.stringify([[[rpc, JSON.stringify(params), null, "generic"]]]),
          at,
        }).toString(),
      },
    );

  beforeAll(async () => {
    sandbox = await startNotebookSandbox();
  });
  afterAll(async () => sandbox?.close());

  it("sends a browser that is not signed in to another host", async () => {
    const { status, headers } = await get("/");
    expect(status).toBe(302);
    expect(headers.get("location")).toMatch(
      /^http:\/\/accounts\.google\.com\.localhost:\d+\/v3\/signin\/identifier\?continue=/,
    );
  });

  it("signs in by cookies, and then shows the session in its page", async () => {
    const cookies = (await get("/sandbox/sign-in")).headers.getSetCookie().map((each) => each.split(";")[0]);
    const page = await (await get("/", { cookie: cookies.join("; ") })).text();
    const data = JSON.parse(/WIZ_global_data = (\{.*?\});<\/script>/.exec(page)?.[1] ?? "{}");
    expect(data).toMatchObject({ SNlM0e: sandbox.state.csrf, FdrFJe: sandbox.state.sessionId, QrtxK: "0" });
  });

  it.each<[Month, number, string, number, number]>([
    ["2026-01", 258_000, "Google NotebookLM", 4, 16],
    ["2026-05", 331_000, "NotebookLM", 5, 19],
    ["2026-08", 424_000, "Gemini Notebook", 5, 23],
  ])("of %s has that month's page and rows", async (month, bytes, title, limits, meta) => {
    const old = await startNotebookSandbox({ month });
    try {
      const cookies = `SID=${old.state.sid}; __Secure-1PSIDTS=${[...old.state.psidts].at(-1)}`;
      const page = await (await fetch(`${old.url}/`, { headers: { cookie: cookies } })).text();
      expect(page).toContain(`<title>${title}</title>`);
      expect(Math.abs(page.length - bytes)).toBeLessThan(1_000);
      const row = notebookRow(old.state.accounts[0]![0]!, old.state);
      expect(row[10]).toHaveLength(limits);
      expect(row[5]).toHaveLength(meta);
    } finally {
      await old.close();
    }
  });

  it("refuses a call with a wrong token or content type", async () => {
    expect((await call("wXbhsf", [], { at: "stale" })).status).toBe(400);
    expect((await call("wXbhsf", [], { type: "text/plain" })).status).toBe(400);
  });

  it.each(Object.entries(CALLS))("answers %s", async (rpc, params) => {
    const text = await (await call(rpc, params)).text();
    expect(text).toMatch(new RegExp(`^\\)\\]\\}'\\n\\n\\d+\\n\\[\\["wrb.fr","${rpc}","`));
  });

  it("keeps the notebooks of two accounts apart", async () => {
    const text = await (await call("wXbhsf", [], { query: "&authuser=1" })).text();
    expect(text).toContain(SEED.otherAccount);
    expect(text).not.toContain(SEED.garden);
  });

  it("rotates the short-lived cookie", async () => {
    const before = cookie();
    const reply = await fetch(`${sandbox.url}/RotateCookies`, {
      method: "POST",
      headers: { cookie: before },
      body: "[000]",
    });
    expect(await reply.text()).toContain('["identity.hfcr",600]');
    expect(reply.headers.getSetCookie()[0]).toContain("__Secure-1PSIDTS=");
    expect(cookie()).not.toBe(before);
  });

  it("takes a file in the three steps of an upload", async () => {
    const registered = await (await call("o4cbdc", [[["notes.md"]], SEED.garden, [2]])).text();
    const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(registered)?.[0];
    const start = await fetch(`${sandbox.url}/upload/_/?authuser=0`, {
      method: "POST",
      headers: { cookie: cookie(), "x-goog-upload-command": "start", "x-goog-upload-protocol": "resumable" },
      body: JSON.stringify({ PROJECT_ID: SEED.garden, SOURCE_ID: id, SOURCE_NAME: "notes.md" }),
    });
    const done = await fetch(start.headers.get("x-goog-upload-url") ?? "", {
      method: "POST",
      headers: { cookie: cookie(), "x-goog-upload-command": "upload, finalize", "x-goog-upload-offset": "0" },
      body: "# Notes",
    });
    expect(await done.text()).toMatch(/^OK: Enqueued blob bytes/);
    expect(sandbox.state.accounts[0]?.flatMap(({ sources }) => sources).find((source) => source.id === id)?.text).toBe(
      "# Notes",
    );
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type NotebookSandbox, startNotebookSandbox } from "../../../../../sandbox/notebook/server.js";
import { notebook, SEED, seededState } from "../../../../../sandbox/notebook/state.js";
import { emptyProfile } from "../../../../../tests/support/signed-in-profile.js";
import type { NotebookBackend } from "../../notebook-backend.js";
import { findBrowser } from "../find-browser.js";
import { googleNotebooks } from "./backend.js";

// A browser starts slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const signal = () => AbortSignal.timeout(40_000);

describe("NotebookLM by the official API", () => {
  let sandbox: NotebookSandbox;
  let profile: { dir: string; remove(): Promise<void> };
  let notebooks: NotebookBackend;
  const open = (token = sandbox.state.apiToken, readMs = 5_000) =>
    googleNotebooks({
      profileDir: profile.dir,
      url: sandbox.url,
      allowLoopback: true,
      officialApi: { token, url: `${sandbox.url}/v1` },
      timeouts: { confirmDelaysMs: [0, 10], readMs },
    });
  const pages = () => sandbox.requests.filter(({ path }) => !path.startsWith("/v1/"));
  const posts = () => sandbox.requests.filter(({ method }) => method === "POST");

  beforeAll(async () => {
    sandbox = await startNotebookSandbox();
    profile = await emptyProfile();
    notebooks = open();
  });
  beforeEach(() => {
    sandbox.faults.clear();
    sandbox.state.accounts = seededState().accounts;
    sandbox.requests.length = 0;
  });
  afterAll(async () => {
    await notebooks?.close();
    await sandbox?.close();
    await profile?.remove();
  });

  it("lists, reads and adds without a browser", async () => {
    expect(await notebooks.list(signal())).toContainEqual({
      id: SEED.ocean,
      name: "Ocean notes",
      source_count: null,
      created_at: "2026-09-21T11:26:40.000Z",
      updated_at: null,
      description: null,
    });
    expect(await notebooks.get(SEED.ocean, signal())).toMatchObject({ name: "Ocean notes", source_count: 5 });
    expect((await notebooks.sources(SEED.ocean, signal())).map(({ type }) => type)).toEqual([
      "url",
      "text",
      "pdf",
      "youtube",
      "gdoc",
    ]);
    const text = await notebooks.addSource(
      SEED.ocean,
      { source_type: "text", title: "Note", text: "A note." },
      signal(),
    );
    expect(text).toMatchObject({ title: "Note", processing_status: "complete", message: null });
    const page = await notebooks.addSource(
      SEED.ocean,
      { source_type: "url", url: "https://example.org/new" },
      signal(),
    );
    expect(page).toMatchObject({ processing_status: "processing", source_id: expect.any(String) });
    expect(pages()).toEqual([]);
  });

  it("follows the pages of a long list", async () => {
    sandbox.state.accounts[0] = Array.from({ length: 230 }, (_, i) => notebook({ title: `Notebook ${i}` }));
    expect(await notebooks.list(signal())).toHaveLength(230);
    expect(sandbox.requests).toHaveLength(3);
  });

  it("creates and renames", async () => {
    const { id } = await notebooks.create("New", signal());
    expect(await notebooks.rename(id, "Newer", signal())).toMatchObject({ id, name: "Newer", source_count: 0 });
  });

  it.each([
    [401, "AUTH_REQUIRED"],
    [403, "AUTH_REQUIRED"],
    [404, "NOT_FOUND"],
    [429, "RATE_LIMITED"],
    [503, "NETWORK_ERROR"],
    [418, "PARSE_ERROR"],
  ])("answers HTTP %i as %s", async (code, expected) => {
    sandbox.faults.set("api", { kind: "http", code });
    await expect(notebooks.list(signal())).rejects.toMatchObject({ code: expected });
  });

  it("never shows the token it was refused with", async () => {
    const refused = open("a-secret-token");
    const error = await refused.list(signal()).catch((reason) => reason);
    expect(error).toMatchObject({ code: "AUTH_REQUIRED", message: expect.stringContaining("NOTEBOOK_API_TOKEN") });
    expect(JSON.stringify([error, error.message, error.details])).not.toContain("a-secret-token");
    await refused.close();
  });

  it("finds a source whose reply was lost, and sends none twice", async () => {
    const add = () =>
      notebooks.addSource(SEED.garden, { source_type: "url", url: "https://example.org/new" }, signal());
    sandbox.faults.set("api", { kind: "slow", ms: 0 }, 1);
    sandbox.faults.set("api", { kind: "lost" }, 1);
    expect(await add()).toMatchObject({ source_id: sandbox.state.accounts[0]?.[1]?.sources.at(-1)?.id });
    expect(posts()).toHaveLength(1);
  });

  it("says what could not be added, and why", async () => {
    sandbox.faults.sourcePlan = [3];
    await expect(
      notebooks.addSource(SEED.ocean, { source_type: "url", url: "https://example.org/new" }, signal()),
    ).rejects.toMatchObject({ code: "PROCESSING_FAILED", details: { source_id: expect.any(String) } });
    await expect(
      notebooks.addSource(SEED.ocean, { source_type: "url", url: "http://localhost/" }, signal()),
    ).rejects.toMatchObject({
      code: "INVALID_URL",
    });
  });

  it("gives up in time", async () => {
    const hasty = open(sandbox.state.apiToken, 200);
    sandbox.faults.set("api", { kind: "slow", ms: 10_000 });
    await expect(hasty.list(signal())).rejects.toMatchObject({ code: "TIMEOUT" });
    await expect(notebooks.list(AbortSignal.timeout(200))).rejects.toMatchObject({ name: "TimeoutError" });
    await hasty.close();
  });

  it("is called at its own address alone", () => {
    const elsewhere = { token: "t", url: "https://notebook.googleapis.com.evil.example/v1" };
    expect(() => googleNotebooks({ profileDir: profile.dir, officialApi: elsewhere })).toThrow("nowhere else");
  });

  it.skipIf(!findBrowser())(
    "says that asking needs a signed-in browser as well (needs Chrome or Chromium)",
    async () => {
      await expect(notebooks.ask(SEED.ocean, "Why?", signal())).rejects.toMatchObject({
        code: "AUTH_REQUIRED",
        message: expect.stringMatching(/official notebook API cannot.*bookwheel login notebooks/),
      });
      expect(await notebooks.health(signal())).toMatchObject({
        status: "degraded",
        authenticated: true,
        browser_ok: true,
      });
    },
  );
});

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Fault, WallName } from "../../../../../sandbox/notebook/faults.js";
import { startNotebookSandbox } from "../../../../../sandbox/notebook/server.js";
import { SEED } from "../../../../../sandbox/notebook/state.js";
import { type GoogleSandbox, openGoogleSandbox } from "../../../../../tests/support/google-sandbox.js";
import { findBrowser } from "../find-browser.js";

const LIST = "wXbhsf";
const GET = "rLM1Ne";
const ADD = "izAoDd";
const LIMIT = [8, null, [["type.googleapis.com/google.internal.labs.tailwind.UserDisplayableError", []]]];
const QUESTION = "When do spring tides follow the Moon?";
// A browser starts slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const signal = () => AbortSignal.timeout(40_000);

describe.skipIf(!findBrowser())("when NotebookLM fails (needs Chrome or Chromium)", () => {
  let google: GoogleSandbox;
  const seen = (rpc: string) => google.sandbox.requests.filter((request) => request.rpc === rpc);
  const fault = (target: string, what: Fault, times?: number) => google.sandbox.faults.set(target, what, times);
  const list = () => google.notebooks.list(signal());
  const ask = () => google.notebooks.ask(SEED.ocean, QUESTION, signal());
  const addText = (text = "A note.") =>
    google.notebooks.addSource(SEED.ocean, { source_type: "text", title: "Note", text }, signal());
  const ocean = () => google.sandbox.state.accounts[0]!.find(({ id }) => id === SEED.ocean)!;

  beforeAll(async () => {
    google = await openGoogleSandbox();
  });
  beforeEach(() => google.reset());
  afterAll(async () => google?.close());

  describe("a call", () => {
    it.each<[string, Fault, string]>([
      ["is refused as missing", { kind: "status", status: [5] }, "NOT_FOUND"],
      ["is denied", { kind: "status", status: [7] }, "NOT_FOUND"],
      ["reaches a quota", { kind: "status", status: LIMIT }, "RATE_LIMITED"],
      ["carries a message for the user", { kind: "status", status: [9, null, LIMIT[2]] }, "RATE_LIMITED"],
      ["is malformed for the service", { kind: "status", status: [3] }, "PARSE_ERROR"],
      ["meets a precondition", { kind: "status", status: [9] }, "PARSE_ERROR"],
      ["fails inside", { kind: "status", status: [13] }, "NETWORK_ERROR"],
      ["meets an unavailable service", { kind: "status", status: [14] }, "NETWORK_ERROR"],
      ["is not signed in", { kind: "status", status: [16] }, "AUTH_REQUIRED"],
      ["is answered under another id", { kind: "drift" }, "PARSE_ERROR"],
      ["is answered with a page", { kind: "html" }, "AUTH_REQUIRED"],
      ["is answered with an error frame", { kind: "er", code: 5 }, "NOT_FOUND"],
      ["is answered with nothing", { kind: "null" }, "PARSE_ERROR"],
      ["is answered with bookkeeping", { kind: "bookkeeping" }, "PARSE_ERROR"],
      ["is answered by half", { kind: "truncated" }, "PARSE_ERROR"],
      ["is throttled", { kind: "http", code: 429, headers: { "retry-after": "45" } }, "RATE_LIMITED"],
      ["meets a server error", { kind: "http", code: 503 }, "NETWORK_ERROR"],
      ["meets a page that moved", { kind: "http", code: 404 }, "PARSE_ERROR"],
      ["loses its connection", { kind: "dropped" }, "NETWORK_ERROR"],
      ["is forbidden", { kind: "http", code: 403 }, "AUTH_REQUIRED"],
    ])("that %s ends in its own code", async (_what, what, code) => {
      fault(LIST, what);
      await expect(list()).rejects.toMatchObject({ code, message: expect.stringMatching(/\.$/) });
      google.reset();
      expect(await list()).toHaveLength(3);
    });

    it("says how long to wait when throttled", async () => {
      fault(LIST, { kind: "http", code: 429, headers: { "retry-after": "45" } });
      await expect(list()).rejects.toMatchObject({ retry_after: 45, details: { retry_after_seconds: 45 } });
      expect(seen(LIST)).toHaveLength(1);
    });

    it("is read again after a fault that passes", async () => {
      fault(LIST, { kind: "http", code: 503 }, 1);
      fault(LIST, { kind: "dropped" }, 1);
      expect(await list()).toHaveLength(3);
      expect(seen(LIST)).toHaveLength(3);
    });

    it("goes on with a fresh token when its own went stale", async () => {
      await list();
      google.sandbox.faults.staleCsrf = true;
      expect(await list()).toHaveLength(3);
      google.sandbox.faults.staleCsrf = true;
      await addText();
      expect(ocean().sources.filter(({ title }) => title === "Note")).toHaveLength(1);
    });

    it("that renews the page leaves others' calls alone", async () => {
      fault("stream", { kind: "slow", ms: 1_000 }, 1);
      const asking = ask();
      await expect.poll(() => seen("stream").length, { timeout: 20_000 }).toBe(1);
      google.sandbox.faults.staleCsrf = true;
      expect(await list()).toHaveLength(3);
      expect((await asking).citations).not.toEqual([]);
      expect(seen("stream")).toHaveLength(1);
    });

    it("reads frames with CRLF and sources that are not there", async () => {
      fault(LIST, { kind: "crlf" });
      expect(await list()).toContainEqual(expect.objectContaining({ name: "Empty shelf", source_count: 0 }));
    });
  });

  describe("a session", () => {
    it("that has expired asks for a sign-in, and health_check says which it is", async () => {
      await list();
      google.sandbox.faults.expired = true;
      await expect(list()).rejects.toMatchObject({
        code: "AUTH_REQUIRED",
        message: expect.stringContaining("login notebooks"),
      });
      expect(await google.notebooks.health(signal())).toMatchObject({
        status: "unhealthy",
        authenticated: false,
        browser_ok: true,
        error: expect.stringContaining("expired"),
        details: { code: "SESSION_EXPIRED" },
      });
    });

    it("before a page of consent asks for a person", async () => {
      google.sandbox.faults.interstitial = true;
      await google.reopen();
      await expect(list()).rejects.toMatchObject({ code: "AUTH_REQUIRED", details: { reason: "extra_page" } });
    });

    it.each<[WallName, string, string, RegExp]>([
      ["region", "NETWORK_ERROR", "region_not_served", /region or network.*does not help/],
      ["cookies", "AUTH_REQUIRED", "cookie_mismatch", /cookies.*Delete the profile/],
      ["chooser", "AUTH_REQUIRED", "choose_account", /which account/],
      ["confirm", "AUTH_REQUIRED", "confirm_account", /confirm the Workspace account/],
      ["enterprise", "AUTH_REQUIRED", "enterprise", /Enterprise, another app/],
    ])("before the wall '%s' names it", async (wall, code, reason, message) => {
      google.sandbox.faults.wall = wall;
      await google.reopen();
      await expect(list()).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message),
        details: { reason },
      });
      const loads = google.sandbox.requests.filter(({ path, query }) => path === "/" && !query.location);
      expect(loads).toHaveLength(1);
    });

    it("with stale cookies loads the page again, once, and goes on", async () => {
      await list();
      google.sandbox.requests.length = 0;
      google.sandbox.faults.staleCookies = true;
      expect(await list()).toHaveLength(3);
      google.sandbox.faults.staleCookies = true;
      await addText();
      google.sandbox.faults.staleCookies = true;
      expect((await ask()).citations).not.toEqual([]);
      expect(ocean().sources.filter(({ title }) => title === "Note")).toHaveLength(1);
      expect(google.sandbox.requests.filter(({ path }) => path === "/")).toHaveLength(3);
    });

    it("that stays refused after the page was loaded again asks for a sign-in", async () => {
      await list();
      google.sandbox.requests.length = 0;
      fault(ADD, { kind: "status", status: [16] });
      await expect(addText()).rejects.toMatchObject({ code: "AUTH_REQUIRED", details: { reason: "session_refused" } });
      expect(seen(ADD)).toHaveLength(2);
      expect(google.sandbox.requests.filter(({ path }) => path === "/")).toHaveLength(1);
    });

    it("is kept fresh by loading the page again, and by no request outside the browser", async () => {
      const notebooks = await google.reopen({ timeouts: { reloadMs: 0 } });
      await notebooks.list(signal());
      const loads = () => google.sandbox.requests.filter(({ path }) => path === "/").length;
      await expect.poll(loads, { timeout: 20_000 }).toBeGreaterThan(1);
      expect(await notebooks.list(signal())).toHaveLength(3);
      expect(google.sandbox.requests.filter(({ path }) => path === "/RotateCookies")).toEqual([]);
      await google.reopen();
    });

    it("follows the service to another host", async () => {
      const moved = await startNotebookSandbox();
      Object.assign(moved.state, { sid: google.sandbox.state.sid, psidts: google.sandbox.state.psidts });
      google.sandbox.faults.redirectTo = moved.url;
      const notebooks = await google.reopen();
      expect(await notebooks.list(signal())).toHaveLength(3);
      expect(await notebooks.health(signal())).toMatchObject({ details: { host: new URL(moved.url).host } });
      expect(seen(LIST)).toHaveLength(0);
      await google.reopen();
      await moved.close();
    });

    it("names the account of its page in every call", async () => {
      await list();
      await ask();
      expect([...seen(LIST), ...seen("stream")].map(({ query }) => query.authuser)).toEqual(["0", "0"]);
      const second = await google.reopen({ authuser: "reader1@example.org" });
      await second.list(signal());
      expect(seen(LIST).at(-1)?.query.authuser).toBe("1");
      const third = await google.reopen({ authuser: "2" });
      await expect(third.list(signal())).rejects.toMatchObject({
        code: "AUTH_REQUIRED",
        details: { reason: "wrong_account" },
      });
      await google.reopen();
    });

    it("of the second account sees that account's notebooks", async () => {
      const notebooks = await google.reopen({ authuser: "1" });
      expect(await notebooks.list(signal())).toMatchObject([{ id: SEED.otherAccount }]);
      await expect(notebooks.get(SEED.ocean, signal())).rejects.toMatchObject({
        code: "NOT_FOUND",
        details: { status: 5 },
      });
      await google.reopen();
    });
  });

  describe("an account that takes older payloads", () => {
    it("is read in the form it takes, which is remembered", async () => {
      await google.reopen();
      google.sandbox.faults.rejectCohorts.add("C");
      expect(await google.notebooks.get(SEED.ocean, signal())).toMatchObject({ source_count: 5 });
      expect(seen(GET)).toHaveLength(2);
      await google.notebooks.get(SEED.ocean, signal());
      expect(seen(GET)).toHaveLength(3);
      await google.reopen();
    });

    it.each<["A" | "B" | "C", number][]>([
      [["C", 1]],
      [
        ["C", 1],
        ["B", 1],
      ],
    ])("is written to once, in the form it takes (%j refused)", async (...refused) => {
      for (const [cohort] of refused) google.sandbox.faults.rejectCohorts.add(cohort);
      const added = await addText();
      expect(added).toMatchObject({ title: "Note", processing_status: "complete" });
      expect(ocean().sources.filter(({ title }) => title === "Note")).toHaveLength(1);
      expect(await google.notebooks.create("New", signal())).toMatchObject({ name: "New" });
      await google.reopen();
    });

    it("is asked in the shorter form where the newest is refused", async () => {
      google.sandbox.faults.rejectNineSlots = true;
      expect(await ask()).toHaveProperty("citations.0.source_id", SEED.tides);
      expect(seen("stream").map(({ params }) => params?.length)).toEqual([9, 5]);
    });

    it("is distinguished from a missing notebook by what worked before", async () => {
      await google.notebooks.get(SEED.ocean, signal());
      google.sandbox.requests.length = 0;
      await expect(google.notebooks.get("77777777-7777-4777-8777-777777777777", signal())).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      expect(seen(GET)).toHaveLength(1);
    });
  });

  describe("asking", () => {
    it.each<[string, Fault, string]>([
      ["breaks off", { kind: "truncated" }, "NETWORK_ERROR"],
      ["loses its connection", { kind: "lost" }, "NETWORK_ERROR"],
      ["ends without text", { kind: "blank" }, "NETWORK_ERROR"],
      ["ends in thoughts", { kind: "thinking-only" }, "TIMEOUT"],
      ["brings bookkeeping alone", { kind: "bookkeeping" }, "RATE_LIMITED"],
      ["reaches a limit", { kind: "status", status: LIMIT }, "RATE_LIMITED"],
      ["is refused", { kind: "status", status: [3] }, "PARSE_ERROR"],
      ["brings an error frame", { kind: "er", code: 13 }, "NETWORK_ERROR"],
      ["meets a page", { kind: "html" }, "AUTH_REQUIRED"],
      ["is throttled", { kind: "http", code: 429 }, "RATE_LIMITED"],
      ["meets a server error", { kind: "http", code: 500 }, "NETWORK_ERROR"],
    ])("that %s ends in its own code, without a word of an answer", async (_what, what, code) => {
      fault("stream", what);
      await expect(ask()).rejects.toMatchObject({ code });
    });

    it("returns the answer and not the thoughts before it", async () => {
      fault("stream", { kind: "crlf" });
      const { answer, citations } = await ask();
      expect(answer).toContain(
        "Spring tides follow the full and the new Moon, when Sun and Moon pull along one line. [1]",
      );
      expect(answer).not.toMatch(/I am|Weighing/);
      expect(citations[0]).toMatchObject({
        mark: 1,
        source_id: SEED.tides,
        source_title: "Tides primer",
        url: "https://example.org/tides",
      });
    });

    it("cites tables, code and images in words, and reads them as the source's text", async () => {
      const asked = await google.notebooks.ask(SEED.garden, "When are broad beans sown, and how deep?", signal());
      expect(asked.citations.map(({ excerpt }) => excerpt)).toContain("Broad beans | October | 5 cm");
      const { text } = await google.notebooks.sourceText(SEED.garden, SEED.calendar, signal());
      expect(text.split("\n")).toEqual([
        "When to sow:",
        "Crop | Month | Depth",
        "Broad beans | October | 5 cm",
        "Lettuce | March | 1 cm",
        "rows = length // spacing",
        "[image]",
        "Sow beans in double rows.",
      ]);
    });

    it("waits for sources that are still being read", async () => {
      google.sandbox.faults.sourcePlan = [1];
      const { id } = await google.notebooks.create("Reading", signal());
      await google.notebooks.addSource(id, { source_type: "text", text: "Soon." }, signal());
      await expect(google.notebooks.ask(id, QUESTION, signal())).rejects.toMatchObject({
        code: "NO_SOURCES",
        message: expect.stringContaining("still being processed"),
      });
      await addText();
      expect((await ask()).notes).toEqual(["Not searched: 1 source still being processed."]);
    });

    it("refuses a question of more than 10,000 characters before anything is sent", async () => {
      await expect(google.notebooks.ask(SEED.ocean, "🌊".repeat(10_001), signal())).rejects.toMatchObject({
        code: "QUESTION_TOO_LONG",
      });
      expect(google.sandbox.requests).toEqual([]);
    });

    it("with a question too long for the service says so", async () => {
      fault("stream", { kind: "status", status: [3] });
      await expect(google.notebooks.ask(SEED.ocean, "why ".repeat(2_000), signal())).rejects.toMatchObject({
        code: "QUESTION_TOO_LONG",
        message: expect.stringContaining("Shorten"),
      });
    });

    it("starts a conversation of its own each time", async () => {
      await ask();
      await ask();
      const conversations = seen("stream").map(({ params }) => params?.[4]);
      expect(new Set(conversations).size).toBe(2);
    });
  });

  describe("a caller that stops", () => {
    it("cancels the page's own request", async () => {
      for (const target of [LIST, "stream"]) fault(target, { kind: "slow", ms: 10_000 });
      await expect(google.notebooks.list(AbortSignal.timeout(200))).rejects.toMatchObject({ name: "TimeoutError" });
      await expect(google.notebooks.ask(SEED.ocean, QUESTION, AbortSignal.timeout(200))).rejects.toMatchObject({
        name: "TimeoutError",
      });
      await expect.poll(() => [seen(LIST)[0]?.aborted, seen("stream")[0]?.aborted]).toEqual([true, true]);
    });

    it("does not wait for a queue of writes", async () => {
      fault(ADD, { kind: "slow", ms: 1_500 }, 1);
      const first = addText();
      const second = google.notebooks.addSource(
        SEED.ocean,
        { source_type: "text", text: "x" },
        AbortSignal.timeout(100),
      );
      await expect(second).rejects.toMatchObject({ name: "TimeoutError" });
      await first;
      expect(seen(ADD)).toHaveLength(1);
    });

    it("gets a step's own timeout as TIMEOUT", async () => {
      const notebooks = await google.reopen({ timeouts: { readMs: 2_000, askMs: 1_000 } });
      // The browser's start counts as part of the first step, and may take longer than it: warmed up before any fault.
      await vi.waitFor(() => notebooks.get(SEED.ocean, signal()), { timeout: 120_000, interval: 250 });
      // Answers that come only after the test is over: no machine is slow enough for the step to win.
      fault(LIST, { kind: "slow", ms: 600_000 });
      fault("stream", { kind: "slow", ms: 600_000 });
      await expect(notebooks.list(signal())).rejects.toMatchObject({ code: "TIMEOUT" });
      await expect(notebooks.ask(SEED.ocean, QUESTION, signal())).rejects.toMatchObject({ code: "TIMEOUT" });
      await google.reopen();
    });
  });
});

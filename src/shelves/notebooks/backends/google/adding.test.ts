import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Fault } from "../../../../../sandbox/notebook/faults.js";
import { SEED } from "../../../../../sandbox/notebook/state.js";
import { type GoogleSandbox, openGoogleSandbox } from "../../../../../tests/support/google-sandbox.js";
import { findBrowser } from "../find-browser.js";

const ADD = "izAoDd";
const TIER = "ozz5Z";
const CREATE = "CCqFvf";
const LIMIT = [8, null, [["type.googleapis.com/google.internal.labs.tailwind.UserDisplayableError", []]]];
// A browser starts slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const signal = () => AbortSignal.timeout(40_000);

describe.skipIf(!findBrowser())("writing to NotebookLM (needs Chrome or Chromium)", () => {
  let google: GoogleSandbox;
  const seen = (rpc: string) => google.sandbox.requests.filter((request) => request.rpc === rpc);
  const fault = (target: string, what: Fault, times?: number) => google.sandbox.faults.set(target, what, times);
  const list = () => google.notebooks.list(signal());
  const add = (url = "https://example.org/new") =>
    google.notebooks.addSource(SEED.ocean, { source_type: "url", url }, signal());
  const addText = (text = "A note.") =>
    google.notebooks.addSource(SEED.ocean, { source_type: "text", title: "Note", text }, signal());
  const ocean = () => google.sandbox.state.accounts[0]!.find(({ id }) => id === SEED.ocean)!;

  beforeAll(async () => {
    google = await openGoogleSandbox();
  });
  beforeEach(() => google.reset());
  afterAll(async () => google?.close());

  describe("adding a source", () => {
    const added = () => ocean().sources.filter(({ url }) => url === "https://example.org/new");

    it("answers truthfully while the page is being read", async () => {
      expect(await add()).toMatchObject({ processing_status: "processing", source_id: added()[0]?.id });
      const [, , , , , page] = await google.notebooks.sources(SEED.ocean, signal());
      expect(page?.processing_status).toBe("complete");
    });

    it("that was accepted and called invalid is found by looking", async () => {
      fault(ADD, { kind: "accepted", status: [3] });
      expect(await add()).toMatchObject({ source_id: added()[0]?.id });
      expect(added()).toHaveLength(1);
    });

    it("that shows up late is still found, and not added again", async () => {
      google.sandbox.faults.hiddenLooks = 2;
      fault(ADD, { kind: "accepted", status: [9] });
      expect(await add()).toMatchObject({ source_id: added()[0]?.id });
      expect(added()).toHaveLength(1);
    });

    it("whose reply was lost is found by looking", async () => {
      fault(ADD, { kind: "lost" });
      expect(await add()).toMatchObject({ source_id: added()[0]?.id });
      expect(seen(ADD)).toHaveLength(1);
    });

    it("that was lost on the way is not sent again", async () => {
      fault(ADD, { kind: "dropped" });
      await expect(add()).rejects.toMatchObject({
        code: "NETWORK_ERROR",
        message: expect.stringContaining("list_notebook_sources"),
      });
      expect(seen(ADD)).toHaveLength(1);
      expect(added()).toHaveLength(0);
    });

    it("that times out is looked for before it is given up", async () => {
      const notebooks = await google.reopen({ timeouts: { writeMs: 300, confirmDelaysMs: [0, 10] } });
      const url = "https://example.org/new";
      fault(ADD, { kind: "slow", ms: 5_000 }, 1);
      expect(await notebooks.addSource(SEED.ocean, { source_type: "url", url }, signal())).toMatchObject({
        source_id: added()[0]?.id,
      });
      google.sandbox.faults.hiddenLooks = 100;
      fault(ADD, { kind: "slow", ms: 5_000 }, 1);
      await expect(notebooks.addSource(SEED.ocean, { source_type: "url", url }, signal())).rejects.toMatchObject({
        code: "TIMEOUT",
      });
      expect(seen(ADD).map(({ aborted }) => aborted)).toEqual([true, true]);
      await google.reopen();
    });

    it("that the browser sent twice by itself is reported", async () => {
      fault(ADD, { kind: "reset" }, 1);
      const { source_id, message } = await add();
      const [first, second] = added();
      expect(source_id).toBe(second?.id);
      expect(message).toContain(first?.id);
    });

    it("refused in every form is an address NotebookLM does not take", async () => {
      fault(ADD, { kind: "status", status: [3] });
      await expect(add()).rejects.toMatchObject({ code: "UNSUPPORTED_URL" });
      expect(added()).toHaveLength(0);
      expect(seen(TIER)).toHaveLength(0);
    });

    it("of a video is one write and one source, whatever form its address has", async () => {
      const urls = [
        "https://youtu.be/zyxwvutsrqp?si=1",
        "https://www.youtube.com/shorts/zyxwvutsrqp",
        "https://m.youtube.com/watch?t=4&v=zyxwvutsrqp",
      ];
      for (const url of urls) {
        google.reset();
        fault(ADD, { kind: "accepted", status: [3] });
        const { source_id } = await add(url);
        const videos = ocean().sources.filter((each) => each.url === "https://www.youtube.com/watch?v=zyxwvutsrqp");
        expect(videos.map(({ id }) => id)).toEqual([source_id]);
        expect(seen(ADD)).toHaveLength(1);
      }
    });

    it("of a Drive document goes by its id, whatever form the link has", async () => {
      const drive = "1AbCdEfGhIjKlMnOpQrStUvWxYz";
      expect(await add(`https://docs.google.com/document/d/${drive}/edit`)).toMatchObject({ title: "Google Drive" });
      expect(seen(ADD).map(({ params }) => params?.[0])).toMatchObject([
        [{ 0: [drive, "application/vnd.google-apps.document", 1, "Google Drive"] }],
      ]);
      expect((await google.notebooks.sources(SEED.ocean, signal())).at(-1)).toMatchObject({
        type: "gdoc",
        url: `https://drive.google.com/open?id=${drive}`,
      });
    });

    it("of a file leaves nothing behind where its bytes did not arrive", async () => {
      const file = { source_type: "file", name: "notes.md", bytes: Buffer.from("# Notes") } as const;
      const send = (name: string = file.name) => google.notebooks.addSource(SEED.garden, { ...file, name }, signal());
      fault("upload", { kind: "http", code: 503 });
      await expect(send()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
      google.sandbox.faults.clear();
      expect(await google.notebooks.sources(SEED.garden, signal())).toHaveLength(2);
      await expect(send("notes.exe")).rejects.toMatchObject({ code: "PROCESSING_FAILED" });
      expect(await send()).toMatchObject({ title: "notes.md" });
      expect(await google.notebooks.sources(SEED.garden, signal())).toHaveLength(3);
    });

    it("is no success where the reply has a row without status and the notebook shows none", async () => {
      google.sandbox.faults.hiddenLooks = 100;
      fault(ADD, { kind: "no-status" });
      await expect(add()).rejects.toMatchObject({
        code: "PARSE_ERROR",
        message: expect.stringContaining("list_notebook_sources"),
      });
      google.reset();
      fault(ADD, { kind: "no-status" });
      expect(await add()).toMatchObject({ source_id: added()[0]?.id });
    });

    it("refused as a text is one NotebookLM does not take", async () => {
      fault(ADD, { kind: "status", status: [9] });
      await expect(addText("  indented\n    more")).rejects.toMatchObject({ code: "PROCESSING_FAILED" });
      expect(seen(ADD).at(-1)?.params).toMatchObject([[{ 1: ["Note", "indented\nmore"] }], SEED.ocean, {}]);
    });

    it("that could not be read says so, at the second look", async () => {
      google.sandbox.faults.sourcePlan = [3];
      const failure = await add().catch((error) => error);
      expect(failure).toMatchObject({ code: "PROCESSING_FAILED", details: { source_id: added()[0]?.id } });
      google.reset();
      google.sandbox.faults.sourcePlan = [3, 1];
      expect(await add()).toMatchObject({ processing_status: "processing" });
    });

    it("at a limit is refused before anything is sent", async () => {
      google.sandbox.state.limits = [6, 500, 5, 500_000];
      await expect(add()).rejects.toMatchObject({
        code: "PROCESSING_FAILED",
        details: { reason: "notebook_full", limit: 5 },
      });
      google.sandbox.state.limits = [6, 500, 300, 500_000];
      expect(seen(ADD)).toHaveLength(0);
    });

    it.each<[Fault, string]>([
      [{ kind: "status", status: LIMIT }, "RATE_LIMITED"],
      [{ kind: "http", code: 429 }, "RATE_LIMITED"],
      [{ kind: "status", status: [5] }, "NOT_FOUND"],
      [{ kind: "http", code: 503 }, "NETWORK_ERROR"],
      [{ kind: "drift" }, "PARSE_ERROR"],
    ])("that meets %j is sent once", async (what, code) => {
      google.sandbox.faults.hiddenLooks = 100;
      fault(ADD, what);
      await expect(add()).rejects.toMatchObject({ code });
      expect(seen(ADD)).toHaveLength(1);
    });

    it("of an address that is there already gives a source of its own", async () => {
      const first = await add();
      const second = await add();
      expect(second.source_id).not.toBe(first.source_id);
      fault(ADD, { kind: "dropped" });
      await expect(add()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
    });

    it("does not take a source of somebody else's for its own", async () => {
      fault(ADD, { kind: "dropped" });
      const adding = add();
      ocean().sources.push({ ...ocean().sources[0]!, id: "88888888-8888-4888-8888-888888888888" });
      await expect(adding).rejects.toMatchObject({ code: "NETWORK_ERROR" });
    });
  });

  it("creating a notebook whose reply was lost finds it, and makes no second one", async () => {
    fault(CREATE, { kind: "lost" });
    expect(await google.notebooks.create("Once", signal())).toMatchObject({ name: "Once" });
    fault(CREATE, { kind: "accepted", status: [9] });
    expect(await google.notebooks.create("Twice", signal())).toMatchObject({ name: "Twice" });
    expect((await list()).filter(({ name }) => name === "Once" || name === "Twice")).toHaveLength(2);
  });

  it("removing what the lost reply already removed is done", async () => {
    fault("WWINqb", { kind: "lost" }, 1);
    await google.notebooks.remove(SEED.garden, signal());
    expect(await list()).toHaveLength(2);
  });
});

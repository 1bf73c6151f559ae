import { createContext, runInContext } from "node:vm";
import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import { type Item, resultItem, unary } from "../../../../../sandbox/notebook/frames.js";
import { openGoogleSandbox } from "../../../../../tests/support/google-sandbox.js";
import { findBrowser } from "../find-browser.js";
import { callBody } from "./codec.js";
import { cancelExpression, PAGE_PROGRAM, type PageOutcome, postExpression, type Reading } from "./in-page.js";
import { openTab } from "./tab.js";

/** A place that has what a page has and nothing of this program. */
function page(answer: (signal: AbortSignal) => Promise<Response>) {
  const place = createContext({
    AbortController,
    TextDecoder,
    fetch: (_url: string, { signal }: { signal: AbortSignal }) => answer(signal),
  });
  runInContext(PAGE_PROGRAM, place);
  return {
    post: async (reading: Reading): Promise<PageOutcome> =>
      JSON.parse(await runInContext(postExpression("f1", { url: "/call", body: "", reading }), place)),
    cancel: () => runInContext(cancelExpression("f1"), place),
  };
}

const framed = (...items: Item[]) => unary(items, { ms: 1, token: "1" });
const replying = (text: string, init?: ResponseInit) => page(async () => new Response(text, init));

describe("a call made in the page", () => {
  const sources = [
    [["11111111-1111-4111-8111-111111111111"], "One", [null, 1, [1790000000, 0]]],
    [[], "no id"],
    [[null, "1", 627], "no id of a source"],
    [[null, true, ["22222222-2222-4222-8222-222222222222"]], "Two"],
  ];
  const meta = [1, false, true, null, null, [1799999999, 0], 1, false, [1780000000, 500_000_000]];

  it("hands over a list of notebooks without their sources", async () => {
    const { post } = replying(framed(resultItem("list", [[["Notes", sources, "n", null, null, meta], "noise"]])));
    expect(await post({ as: "notebooks", rpc: "list" })).toMatchObject({
      status: 200,
      read: {
        kind: "result",
        value: [{ id: "n", title: "Notes", sources: 2, created: 1780000000.5, changed: 1790000000 }, null],
      },
    });
  });

  it("hands over any other result as it came", async () => {
    const { post } = replying(framed(resultItem("get", [["Notes", sources, "n"]])));
    expect(await post({ as: "call", rpc: "get" })).toHaveProperty("read.value", [["Notes", sources, "n"]]);
  });

  it("says what is wrong with a reply that is no list", async () => {
    expect(await replying("<html>").post({ as: "notebooks", rpc: "list" })).toHaveProperty("read.kind", "unreadable");
    const empty = replying(framed(resultItem("list", "none")));
    expect(await empty.post({ as: "notebooks", rpc: "list" })).toHaveProperty("read.kind", "unreadable");
  });

  it("reads nothing from a refusal", async () => {
    const { post } = replying("busy", { status: 429, headers: { "retry-after": "7" } });
    expect(await post({ as: "stream" })).toMatchObject({ status: 429, retryAfter: "7", read: null });
  });

  it("gives up a reply that does not end, whatever is asked", async () => {
    const piece = new Uint8Array(1024 * 1024).fill(0x61);
    let sent = 0;
    let cancelled = 0;
    const { post } = page(
      async () =>
        new Response(
          new ReadableStream({
            pull: (controller) => {
              sent++;
              controller.enqueue(piece);
            },
            cancel: () => void cancelled++,
          }),
        ),
    );
    for (const reading of [{ as: "call", rpc: "get" }, { as: "stream" }] as const)
      expect(await post(reading)).toHaveProperty("read", { kind: "too large", mib: 32 });
    expect(cancelled).toBe(2);
    expect(sent).toBeLessThan(80);
  });

  it("can be cancelled", async () => {
    const { post, cancel } = page(
      (signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    const outcome = post({ as: "stream" });
    cancel();
    expect(await outcome).toHaveProperty("failed");
  });

  it.skipIf(!findBrowser())(
    "can be made after the page has loaded itself again (needs Chrome or Chromium)",
    async () => {
      const google = await openGoogleSandbox();
      const context = await chromium.launchPersistentContext(google.profileDir, {
        executablePath: findBrowser() ?? "",
      });
      try {
        const baseUrl = new URL(google.sandbox.url);
        const tab = await openTab(context, { baseUrl, allowLoopback: true, startTimeoutMs: 30_000 });
        for (const open of context.pages()) await open.reload({ waitUntil: "commit" });
        const request = {
          url: `${tab.session.origin}/_/LabsTailwindUi/data/batchexecute?rpcids=wXbhsf&source-path=/`,
          body: callBody("wXbhsf", [null, 1, null, [2]], tab.session.csrf),
          reading: { as: "notebooks", rpc: "wXbhsf" } as const,
        };
        expect(await tab.post(request, AbortSignal.timeout(20_000))).toHaveProperty("read.kind", "result");
      } finally {
        await context.close();
        await google.close();
      }
    },
    60_000,
  );
});

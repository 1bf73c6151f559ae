import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type NotebookSandbox, startNotebookSandbox } from "../../../../../sandbox/notebook/server.js";
import { SEED, seededState } from "../../../../../sandbox/notebook/state.js";
import { signedInProfile } from "../../../../../tests/support/signed-in-profile.js";
import type { NotebookBackend } from "../../notebook-backend.js";
import { googleNotebooks } from "./backend.js";
import { findBrowser } from "./find-browser.js";

const signal = () => AbortSignal.timeout(15_000);

describe.skipIf(!findBrowser())("NotebookLM through a browser page (needs Chrome or Chromium)", () => {
  let sandbox: NotebookSandbox;
  let profile: { dir: string; remove(): Promise<void> };
  let notebooks: NotebookBackend;

  beforeAll(async () => {
    sandbox = await startNotebookSandbox();
    profile = await signedInProfile(sandbox.url);
    notebooks = googleNotebooks({
      profileDir: profile.dir,
      url: sandbox.url,
      allowLoopback: true,
      timeouts: { retryDelayMs: 10, confirmDelaysMs: [0, 20], readMs: 5_000 },
    });
  });
  beforeEach(() => {
    sandbox.faults.clear();
    sandbox.state.accounts = seededState().accounts;
    sandbox.state.delays = {};
    sandbox.requests.length = 0;
  });
  afterAll(async () => {
    await notebooks?.close();
    await profile?.remove();
    await sandbox?.close();
  });

  it("lists", async () => {
    console.log(await notebooks.list(signal()));
    console.log(await notebooks.get(SEED.ocean, signal()));
    console.log(await notebooks.sources(SEED.ocean, signal()));
    console.log(
      await notebooks.ask(
        SEED.ocean,
        "When do spring tides follow the Moon, and how many high tides in a lunar day?",
        signal(),
      ),
    );
    console.log(await notebooks.health(signal()));
    console.log(await notebooks.addSource(SEED.ocean, { source_type: "text", text: "# Hi\nthere" }, signal()));
    console.log(await notebooks.addSource(SEED.ocean, { source_type: "url", url: "https://example.org/a" }, signal()));
    for (let i = 0; i < 5; i++) {
      const t = performance.now();
      await notebooks.list(signal());
      console.log(performance.now() - t);
    }
  });
});

import { statSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { WallName } from "../../../../../sandbox/notebook/faults.js";
import { type NotebookSandbox, startNotebookSandbox } from "../../../../../sandbox/notebook/server.js";
import { emptyProfile } from "../../../../../tests/support/signed-in-profile.js";
import { findBrowser } from "../find-browser.js";
import { googleNotebooks } from "./backend.js";
import { loginNotebooks } from "./login.js";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

describe.skipIf(!findBrowser())("login notebooks (needs Chrome or Chromium)", () => {
  let sandbox: NotebookSandbox;
  let profile: { dir: string; remove(): Promise<void> };
  const lines: string[] = [];
  const login = (patienceMs = 120_000, signal = AbortSignal.timeout(150_000)) =>
    loginNotebooks({
      profileDir: profile.dir,
      url: sandbox.url,
      allowLoopback: true,
      display: false,
      headless: true,
      patienceMs,
      signal,
      print: (line) => lines.push(line),
    });

  beforeAll(async () => {
    sandbox = await startNotebookSandbox();
    profile = await emptyProfile();
  });
  beforeEach(() => sandbox.faults.clear());
  afterAll(async () => {
    await sandbox?.close();
    await profile?.remove();
  });

  it("gives up when nobody signs in", async () => {
    await expect(login(2_500)).rejects.toMatchObject({
      code: "TIMEOUT",
      message: expect.stringContaining("login notebooks"),
    });
  });

  it.each<[WallName, RegExp]>([
    ["region", /region or network/],
    ["cookies", /cookies of this browser profile/],
    ["enterprise", /Enterprise/],
  ])("names the wall '%s' at once instead of waiting", async (wall, message) => {
    sandbox.faults.wall = wall;
    await expect(login()).rejects.toThrow(message);
  });

  it("says in words what the window asks for", async () => {
    sandbox.faults.wall = "chooser";
    const stopping = new AbortController();
    const waiting = login(150_000, stopping.signal);
    const stopped = expect(waiting).rejects.toThrow();
    await expect
      .poll(() => lines, { timeout: 120_000 })
      .toContain("Google asks which account to use. Choose one in the window.");
    stopping.abort();
    await stopped;
  });

  it("leaves a profile the server can use, readable by its owner alone", async () => {
    sandbox.faults.autoSignInMs = 300;
    expect(await login()).toEqual({ host: new URL(sandbox.url).host, account: "reader0@example.org" });
    expect(lines.at(-2)).toContain("Sign in to NotebookLM there");
    expect(statSync(profile.dir).mode & 0o777).toBe(0o700);

    const notebooks = googleNotebooks({ profileDir: profile.dir, url: sandbox.url, allowLoopback: true });
    expect(await notebooks.list(AbortSignal.timeout(120_000))).toHaveLength(3);
    await expect(login()).rejects.toMatchObject({
      code: "BROWSER_LAUNCH_FAILED",
      details: { reason: "profile_in_use" },
    });
    await notebooks.close();
  });
});

it("says what to do where no window can be opened, instead of waiting for one", async () => {
  const opening = loginNotebooks({
    profileDir: "/nowhere",
    display: false,
    signal: AbortSignal.timeout(1_000),
    print: () => {},
  });
  await expect(opening).rejects.toMatchObject({
    message: expect.stringMatching(/no display.*ssh -X/),
    details: { reason: "no_display" },
  });
});

it("refuses the hosts of NotebookLM Enterprise in so many words", async () => {
  const opening = loginNotebooks({
    profileDir: "/nowhere",
    url: "https://notebooklm.cloud.google.com",
    display: true,
    signal: AbortSignal.timeout(1_000),
    print: () => {},
  });
  await expect(opening).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("Enterprise"),
  });
});

import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type GoogleSandbox, openGoogleSandbox } from "../../../../../tests/support/google-sandbox.js";
import { emptyProfile } from "../../../../../tests/support/signed-in-profile.js";
import { findBrowser } from "../find-browser.js";
import { googleNotebooks } from "./backend.js";
import { lockProfile } from "./profile-lock.js";

/** More rounds for a machine with time: the claim of fifty is checked with BOOKWHEEL_BROWSER_CYCLES=50. */
const CYCLES = Number(process.env.BOOKWHEEL_BROWSER_CYCLES ?? 3);
// A browser starts slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const signal = () => AbortSignal.timeout(40_000);

describe.skipIf(!findBrowser() || process.platform !== "linux")(
  "the browser behind NotebookLM (needs Linux and Chrome or Chromium)",
  () => {
    let google: GoogleSandbox;
    const browsers = () => processesOf(google.profileDir);

    beforeAll(async () => {
      google = await openGoogleSandbox();
    });
    beforeEach(async () => {
      google.reset();
      await google.reopen();
    });
    afterAll(async () => google?.close());

    it("starts when first needed, once for callers that come together", async () => {
      expect(browsers()).toEqual([]);
      await Promise.all([
        google.notebooks.list(signal()),
        google.notebooks.list(signal()),
        google.notebooks.health(signal()),
      ]);
      expect(google.sandbox.requests.filter(({ path }) => path === "/")).toHaveLength(1);
    });

    it(
      `leaves no process behind in ${CYCLES} starts and stops`,
      async () => {
        for (let i = 0; i < CYCLES; i++) {
          await google.notebooks.list(signal());
          expect(browsers().length).toBeGreaterThan(0);
          await google.reopen();
          await expect.poll(browsers, { timeout: 20_000 }).toEqual([]);
        }
      },
      60_000 + CYCLES * 5_000,
    );

    it("can be closed while it starts, and twice", async () => {
      const listing = google.notebooks.list(signal()).catch(() => "stopped");
      await Promise.all([google.notebooks.close(), google.notebooks.close()]);
      await listing;
      await google.notebooks.close();
      await expect.poll(browsers, { timeout: 20_000 }).toEqual([]);
    });

    it("does not wait for a page that does not come", async () => {
      google.sandbox.faults.homeDelayMs = 3_600_000; // longer than this test may take
      const hasty = await google.reopen({ timeouts: { startMs: 3_000 } });
      await expect(hasty.list(signal())).rejects.toMatchObject({ code: "TIMEOUT" });
      const patient = await google.reopen({ timeouts: { startMs: 60_000, readMs: 60_000 } });
      await expect(patient.list(AbortSignal.timeout(200))).rejects.toMatchObject({ name: "TimeoutError" });
      await expect.poll(() => google.sandbox.requests.length, { timeout: 20_000 }).toBeGreaterThan(1);
      await patient.close();
      await expect.poll(browsers, { timeout: 20_000 }).toEqual([]);
    });

    it("ends when nobody needs it, and lets others have the profile", async () => {
      const notebooks = await google.reopen({ timeouts: { idleMs: 100 } });
      await notebooks.list(signal());
      await expect.poll(browsers, { timeout: 20_000 }).toEqual([]);
      await expect.poll(() => lockProfile(google.profileDir)(), { timeout: 20_000 }).toBeUndefined();
      expect(await notebooks.list(signal())).toHaveLength(3);
    });

    it("comes back after its page crashed or its process was killed", async () => {
      const { notebooks } = google;
      for (const kill of [renderers, mainProcess]) {
        await notebooks.list(signal());
        for (const pid of kill(browsers())) process.kill(pid, "SIGKILL");
        expect(await notebooks.list(signal())).toHaveLength(3);
      }
    });

    it("that is killed in the middle of a call does not hang it", async () => {
      google.sandbox.faults.set("wXbhsf", { kind: "slow", ms: 20_000 }, 1);
      const listing = google.notebooks.list(signal());
      await expect
        .poll(() => google.sandbox.requests.some(({ rpc }) => rpc === "wXbhsf"), { timeout: 20_000 })
        .toBe(true);
      for (const pid of mainProcess(browsers())) process.kill(pid, "SIGKILL");
      expect(await listing).toHaveLength(3);
    });

    it("belongs to one process, which is named to others", async () => {
      await google.notebooks.list(signal());
      const second = googleNotebooks({ profileDir: google.profileDir, url: google.sandbox.url, allowLoopback: true });
      await expect(second.list(signal())).rejects.toMatchObject({
        code: "BROWSER_LAUNCH_FAILED",
        message: expect.stringContaining(`process ${process.pid}`),
        details: { reason: "profile_in_use" },
      });
      expect(await second.health(signal())).toMatchObject({ status: "unhealthy", browser_ok: false });
      await second.close();
      expect(await google.notebooks.list(signal())).toHaveLength(3);
    });

    it("takes over the lock of a process that died, not one of another machine", async () => {
      const lock = join(google.profileDir, "bookwheel.lock");
      const { pid } = spawn(process.execPath, ["--version"], { stdio: "ignore" }).on("exit", () => {});
      await expect.poll(() => isRunning(pid!), { timeout: 20_000 }).toBe(false);
      writeFileSync(lock, JSON.stringify({ pid, host: hostname() }));
      expect(await google.notebooks.list(signal())).toHaveLength(3);
      await google.reopen();
      writeFileSync(lock, JSON.stringify({ pid, host: "elsewhere" }));
      await expect(google.notebooks.list(signal())).rejects.toMatchObject({
        message: expect.stringContaining("elsewhere"),
      });
      writeFileSync(lock, "{");
      expect(await google.notebooks.list(signal())).toHaveLength(3);
    });

    it("does not outlive a killed server", async () => {
      const host = await startHost(google);
      expect(browsers().length).toBeGreaterThan(0);
      host.kill("SIGKILL");
      await expect.poll(browsers, { timeout: 20_000 }).toEqual([]);
      expect(await google.notebooks.list(signal())).toHaveLength(3);
    });

    it("that is not there, or no profile signed in, or no network: health_check tells which", async () => {
      const profile = await emptyProfile();
      const options = { profileDir: profile.dir, url: google.sandbox.url, allowLoopback: true };
      const health = async (more: object) => {
        const notebooks = googleNotebooks({ ...options, ...more });
        return notebooks.health(signal()).finally(() => notebooks.close());
      };
      expect(await health({ executablePath: "/no/such/browser" })).toMatchObject({
        status: "unhealthy",
        browser_ok: false,
        details: { code: "BROWSER_LAUNCH_FAILED" },
      });
      expect(await health({ executablePath: "/bin/false" })).toMatchObject({
        browser_ok: false,
        details: { code: "BROWSER_LAUNCH_FAILED" },
      });
      expect(await health({})).toMatchObject({
        browser_ok: true,
        authenticated: false,
        error: expect.stringContaining("bookwheel login notebooks"),
        details: { code: "AUTH_REQUIRED", reason: "not_signed_in" },
      });
      expect(await health({ url: "http://127.0.0.1:1" })).toMatchObject({
        browser_ok: true,
        details: { code: "NETWORK_ERROR" },
      });
      await profile.remove();
    });
  },
);

describe("the address of NotebookLM", () => {
  it("is one of the service's own, unless a test says otherwise", () => {
    const open = (url: string) => googleNotebooks({ profileDir: "unused", url });
    for (const url of [
      "https://evil.example",
      "http://notebook.google.com",
      "http://127.0.0.1:80",
      "https://notebook.google.com.evil.example",
      "x",
    ])
      expect(() => open(url)).toThrow("NOTEBOOKLM_URL");
    expect(open("https://notebooklm.google.com/")).toMatchObject({ name: "google" });
  });
});

interface Process {
  pid: number;
  parent: number;
  args: string[];
}

/** Living processes started on a profile; those that only wait for their parent to take note are not alive. */
function processesOf(profileDir: string): Process[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const roots = all
    .filter(({ args }) => args.some((arg) => arg === `--user-data-dir=${profileDir}`))
    .map(({ pid }) => pid);
  const below = new Set(roots);
  for (let size = -1; size !== below.size; ) {
    size = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  return all.filter(({ pid }) => below.has(pid));
}

function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") return null;
    return { pid, parent: Number(parent), args: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0") };
  } catch {
    return null; // ended while we looked
  }
}

const isRunning = (pid: number) => readProcess(pid) !== null;
const renderers = (all: Process[]) => all.filter(({ args }) => args.includes("--type=renderer")).map(({ pid }) => pid);
const mainProcess = (all: Process[]) =>
  all.filter(({ args }) => !args.some((arg) => arg.startsWith("--type="))).map(({ pid }) => pid);

/** A process of its own that has the backend's browser open. */
async function startHost({ profileDir, sandbox }: GoogleSandbox): Promise<ChildProcess> {
  const backend = join(import.meta.dirname, "backend.ts");
  const script = `
    const { runnerImport } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, "../../../../../node_modules/vite/dist/node/index.js")))});
    const { module } = await runnerImport(${JSON.stringify(backend)}, { configFile: false, logLevel: "error" });
    const notebooks = module.googleNotebooks(${JSON.stringify({ profileDir, url: sandbox.url, allowLoopback: true })});
    await notebooks.list(AbortSignal.timeout(20_000));
    console.log("ready");
    setInterval(() => {}, 1_000_000);`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((resolve, reject) => {
    host.stdout.on("data", (data) => String(data).includes("ready") && resolve());
    host.once("exit", (code) => reject(new Error(`the host ended with ${code}`)));
  });
  return host;
}

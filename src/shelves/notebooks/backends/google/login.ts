import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { boundedText } from "../../../../kernel/bounded-text.js";
import { ShelfError } from "../../../../kernel/errors.js";
import { makeFolder } from "../../../../kernel/make-folder.js";
import { orAborted } from "../../../../kernel/or-aborted.js";
import { requireBrowser } from "../find-browser.js";
import { type GoogleNotebooksOptions, googleNotebooks } from "./backend.js";
import { pause } from "./deadline.js";
import { appUrl, DEFAULT_URL, isAppUrl } from "./hosts.js";
import { lockProfile } from "./profile-lock.js";
import { wallError, wallOf } from "./walls.js";

interface LoginOptions
  extends Pick<GoogleNotebooksOptions, "profileDir" | "url" | "allowLoopback" | "executablePath" | "authuser"> {
  /** Prints instructions for the user. */
  print(line: string): void;
  signal: AbortSignal;
  /** How long a person may take. */
  patienceMs?: number;
  /** Whether a window can be opened on this machine. */
  display: boolean;
  /** For tests. */
  headless?: boolean;
}

const PATIENCE_MS = 600_000;
const LOOK_EVERY_MS = 500;
const GRACE_MS = 1_000;
const CLOSE_WITHIN_MS = 5_000;

/**
 * Opens an ordinary browser window on a profile of its own, waits until a person has signed in, and proves with a
 * fresh headless browser that the profile works. Nothing is stored but the profile.
 */
export async function loginNotebooks(options: LoginOptions): Promise<{ host: string; account: string | null }> {
  const allowLoopback = options.allowLoopback ?? false;
  const url = appUrl(options.url ?? DEFAULT_URL, allowLoopback);
  if (!options.display && !options.headless) throw withoutDisplay();
  const executable = requireBrowser(options.executablePath);
  makeFolder(options.profileDir);
  chmodSync(options.profileDir, 0o700);

  const release = lockProfile(options.profileDir);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.patienceMs ?? PATIENCE_MS)]);
  const browser = openWindow(executable, url.href, options);
  let account: string | null;
  try {
    options.print("A browser window is open. Sign in to NotebookLM there; this command goes on by itself.");
    account = await signedIn(browser, { ...options, allowLoopback, signal });
  } catch (error) {
    if (signal.aborted && !options.signal.aborted)
      throw new ShelfError("TIMEOUT", "Nobody signed in in time. Run `bookwheel login notebooks` again.", {
        cause: error,
      });
    throw error;
  } finally {
    await closeWindow(browser);
    release();
  }

  options.print("Signed in. Checking that the profile works without a window ...");
  const notebooks = googleNotebooks({ ...options, headless: true });
  try {
    const health = await notebooks.health(options.signal);
    if (!health.authenticated)
      throw new ShelfError("AUTH_REQUIRED", `The sign-in did not last: ${health.error}`, { details: health.details });
    return { host: String(health.details.host), account };
  } finally {
    await notebooks.close();
  }
}

function withoutDisplay(): ShelfError {
  return new ShelfError(
    "BROWSER_LAUNCH_FAILED",
    "Signing in needs a browser window, and this machine has no display. Run the command in a desktop session or over `ssh -X`, or start a virtual one (Xvfb with a VNC server) and set DISPLAY. A profile copied from another machine is soon signed out.",
    { details: { reason: "no_display" } },
  );
}

/** An ordinary browser, not one driven from its start: Google refuses to sign in the latter. */
function openWindow(executable: string, url: string, { profileDir, headless }: LoginOptions): ChildProcess {
  rmSync(portFile(profileDir), { force: true });
  const args = [
    `--user-data-dir=${profileDir}`,
    "--remote-debugging-port=0",
    "--no-first-run",
    "--no-default-browser-check",
    // How cookies are encrypted on disk has to be the same here and when the server uses the profile.
    "--password-store=basic",
    "--use-mock-keychain",
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ...(headless
      ? ["--headless", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
      : []),
    url,
  ];
  return spawn(executable, args, { stdio: "ignore" });
}

const portFile = (profileDir: string) => join(profileDir, "DevToolsActivePort");

/** Watches the window's address from outside; attaches only once it shows the app, to read whose page it is. */
async function signedIn(
  browser: ChildProcess,
  { profileDir, allowLoopback, signal, print }: LoginOptions & { allowLoopback: boolean },
): Promise<string | null> {
  const ended = new Promise<never>((_resolve, reject) => {
    browser.once("error", (cause) =>
      reject(new ShelfError("BROWSER_LAUNCH_FAILED", "The browser did not start. Run doctor.", { cause })),
    );
    browser.once("exit", () =>
      reject(
        new ShelfError(
          "AUTH_REQUIRED",
          "The window was closed before the sign-in was done. Run `bookwheel login notebooks` again.",
        ),
      ),
    );
  });
  ended.catch(() => {}); // also when the sign-in won
  return orAborted(Promise.race([ended, watch()]), signal);

  async function watch(): Promise<string | null> {
    let shown: string | undefined;
    for (;;) {
      const port = readPort(profileDir);
      const urls = port === null ? [] : await shownPages(port);
      const wall = urls.map((url) => wallOf(url)).find((each) => each !== null);
      if (wall?.final) throw wallError(wall, urls[0]?.host ?? "");
      if (wall && wall.reason !== shown) print(ASKED[wall.reason] ?? wall.message);
      shown = wall?.reason ?? shown;
      if (port !== null && urls.some((url) => isAppUrl(url, allowLoopback))) {
        const account = await readAccount(port, allowLoopback);
        if (account !== undefined) return account;
      }
      await pause(LOOK_EVERY_MS, signal);
    }
  }
}

/** What the user has to do in the window, by the reason why it is not signed in. */
const ASKED: Record<string, string> = {
  choose_account: "Google asks which account to use. Choose one in the window.",
  confirm_account: "Google asks to confirm your Workspace account. Confirm it in the window.",
};

function readPort(profileDir: string): number | null {
  try {
    const port = Number.parseInt(readFileSync(portFile(profileDir), "utf8"), 10);
    return port > 0 ? port : null;
  } catch {
    return null; // not written yet
  }
}

async function shownPages(port: number): Promise<URL[]> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/json/list`, { signal: AbortSignal.timeout(2_000) });
    const pages: { type?: string; url?: string }[] = JSON.parse(await boundedText(reply));
    return pages.flatMap(({ type, url }) => (type === "page" && url && URL.canParse(url) ? new URL(url) : []));
  } catch {
    return []; // starting or closing: the exit of the browser decides
  }
}

/** The signed-in account; null if the page does not name it, undefined if nobody is signed in yet. */
async function readAccount(port: number, allowLoopback: boolean): Promise<string | null | undefined> {
  const attached = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { timeout: 5_000 }).catch(() => null);
  if (!attached) return undefined;
  try {
    const pages = attached.contexts().flatMap((context) => context.pages());
    for (const page of pages.filter((each) => isAppUrl(new URL(each.url()), allowLoopback))) {
      const found = await page
        .evaluate(() => {
          const data = Reflect.get(window, "WIZ_global_data");
          return data?.SNlM0e ? { account: typeof data.oPEP7c === "string" ? data.oPEP7c : null } : null;
        })
        .catch(() => null); // the page was on its way elsewhere
      if (!found) continue;
      const session = await attached.newBrowserCDPSession();
      await session.send("Browser.close").catch(() => {}); // answers, or is gone before it can
      return found.account;
    }
    return undefined;
  } finally {
    await attached.close().catch(() => {}); // only detaches from it
  }
}

/** Asks the browser to exit before killing it: it writes cookies on exit. */
async function closeWindow(browser: ChildProcess): Promise<void> {
  const running = () => browser.pid !== undefined && browser.exitCode === null && browser.signalCode === null;
  if (!running()) return;
  const exited = new Promise<void>((resolve) => browser.once("exit", () => resolve()));
  for (const signal of [null, "SIGTERM", "SIGKILL"] as const) {
    if (signal) browser.kill(signal);
    await Promise.race([exited, pause(signal ? CLOSE_WITHIN_MS : GRACE_MS, new AbortController().signal)]);
    if (!running()) return;
  }
}

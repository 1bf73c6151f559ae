import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type BrowserContext, chromium, errors } from "playwright-core";
import { ShelfError } from "../../../../kernel/errors.js";
import { orAborted } from "../../../../kernel/or-aborted.js";
import { requireBrowser } from "../find-browser.js";
import type { PageReply, PageRequest, PageUpload, Reading } from "./in-page.js";
import { lockProfile } from "./profile-lock.js";
import { openTab, type Session, type Tab, type TabOptions } from "./tab.js";

interface BrowserOptions extends TabOptions {
  profileDir: string;
  executablePath?: string | undefined;
  headless: boolean;
  /** An unused browser is closed after this time and its profile released. */
  idleMs: number;
  /** A page in use is loaded again this often: that is how the browser renews its short-lived cookies by itself. */
  reloadMs: number;
}

export interface PageBrowser {
  /** The signed-in page's session; starts the browser where none runs. */
  session(signal: AbortSignal): Promise<Session>;
  /** Loads the page again, unless somebody did since `stale` was read. */
  renew(stale: Session, signal: AbortSignal): Promise<Session>;
  /** A POST made by the page itself; aborting the signal cancels the page's fetch. */
  post<R extends Reading>(request: PageRequest<R>, signal: AbortSignal): Promise<PageReply<R>>;
  /** A file sent by the page itself. */
  upload(upload: PageUpload, signal: AbortSignal): Promise<{ status: number }>;
  close(): Promise<void>;
}

interface Running {
  context: BrowserContext;
  tab: Tab;
  loadedAt: number;
}

const CLOSE_WITHIN_MS = 5_000;
/** The browser of a server that was killed needs a moment to notice. */
const TAKEN_TRIES = 6;
const TAKEN_WAIT_MS = 500;

/** One persistent page of the system's browser, started when first needed and again after a crash. */
export function pageBrowser(options: BrowserOptions): PageBrowser {
  let running: Promise<Running> | null = null;
  let closing: Promise<void> = Promise.resolve();
  let release: (() => void) | null = null;
  let context: BrowserContext | null = null;
  let idle: NodeJS.Timeout | undefined;
  let busy = 0;
  let closed = false;

  async function start(): Promise<Running> {
    await closing;
    const executablePath = requireBrowser(options.executablePath);
    release = lockProfile(options.profileDir);
    try {
      context = await launch(options, executablePath);
      refuseIfClosed();
      const tab = await openTab(context, options);
      return { context, tab, loadedAt: Date.now() };
    } catch (error) {
      await shut();
      throw error;
    }
  }

  function refuseIfClosed(): void {
    if (closed) throw new ShelfError("BROWSER_LAUNCH_FAILED", "The notebook browser is shut down with its server.");
  }

  /** Closes the browser and frees the profile, so that another process (a sign-in, say) can have it. */
  function shut(): Promise<void> {
    const [openContext, openRelease] = [context, release];
    context = null;
    release = null;
    running = null;
    clearTimeout(idle);
    closing = closing.then(async () => {
      if (openContext) await closeContext(openContext, options.profileDir);
      openRelease?.();
    });
    return closing;
  }

  async function alive(): Promise<Running> {
    const current = running && (await running);
    if (current?.tab.isGone()) {
      // Another caller may have started a new browser in the meantime.
      if (running && (await running) === current) await shut();
    }
    running ??= start();
    const started = running;
    started.catch(() => {
      if (running === started) running = null;
    });
    return started;
  }

  async function using<T>(signal: AbortSignal, work: (state: Running) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    refuseIfClosed();
    clearTimeout(idle);
    busy++;
    try {
      return await work(await orAborted(alive(), signal));
    } finally {
      busy--;
      if (busy === 0 && running) {
        idle = setTimeout(() => void shut(), options.idleMs);
        idle.unref();
      }
    }
  }

  let renewing: Promise<Session> | null = null;

  /** A new page replaces the old one, which closes after its pending answers. */
  function replaceTab(state: Running): Promise<Session> {
    state.loadedAt = Date.now();
    renewing ??= openTab(state.context, options)
      .then((fresh) => {
        state.tab.retire();
        state.tab = fresh;
        return fresh.session;
      })
      .finally(() => {
        renewing = null;
      });
    return renewing;
  }

  /** In the background: if it fails, the old page is still used, and the next refused call reports why. */
  function reloadIfOld(state: Running): void {
    if (Date.now() - state.loadedAt >= options.reloadMs) replaceTab(state).catch(() => {});
  }

  return {
    session: (signal) => using(signal, async ({ tab }) => tab.session),

    renew: (stale, signal) =>
      using(signal, async (state) => {
        if (state.tab.session !== stale) return state.tab.session;
        const fresh = replaceTab(state).catch(async (error) => {
          if (context === state.context) await shut();
          throw error;
        });
        return orAborted(fresh, signal);
      }),

    post: (request, signal) =>
      using(signal, (state) => {
        reloadIfOld(state);
        return state.tab.post(request, signal);
      }),

    upload: (upload, signal) => using(signal, ({ tab }) => tab.upload(upload, signal)),

    async close() {
      closed = true;
      const starting = running;
      await shut(); // also ends a page that is still loading
      await starting?.catch(() => {});
      await shut();
    },
  };
}

async function launch(options: BrowserOptions, executablePath: string): Promise<BrowserContext> {
  const open = (chromiumSandbox: boolean) =>
    chromium.launchPersistentContext(options.profileDir, {
      executablePath,
      headless: options.headless,
      chromiumSandbox,
      timeout: options.startTimeoutMs,
      acceptDownloads: false,
      serviceWorkers: "block",
      // The program that owns this backend closes it; Playwright would end the whole process.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      // The debugging pipe ends with this process, and the browser with the pipe: no browser outlives a killed server.
      args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-component-update", "--disable-sync"],
    });
  let chromiumSandbox = process.getuid?.() !== 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await open(chromiumSandbox);
    } catch (error) {
      const text = error instanceof Error ? error.message : "";
      const taken = /ProcessSingleton|existing browser session/i.test(text);
      if (chromiumSandbox && /no usable sandbox|Failed to move to new namespace/i.test(text)) chromiumSandbox = false;
      else if (!taken || attempt >= TAKEN_TRIES) throw launchError(error, taken, executablePath);
      else await delay(TAKEN_WAIT_MS);
    }
  }
}

function launchError(cause: unknown, taken: boolean, executable: string): ShelfError {
  const late = cause instanceof errors.TimeoutError;
  const message = taken
    ? "Another browser has the notebook profile open. Close it, then call again."
    : late
      ? "The browser did not start in time. Call health_check again, or run doctor."
      : "The browser did not start. Run doctor; reinstall Chrome or Chromium if it does not start by hand either.";
  const reason = taken ? "profile_in_use" : late ? "slow_start" : "start_failed";
  return new ShelfError("BROWSER_LAUNCH_FAILED", message, { cause, details: { executable, reason } });
}

async function closeContext(context: BrowserContext, profileDir: string): Promise<void> {
  const closed = context.close().catch(() => {}); // a crashed browser is closed already
  const waiting = new AbortController();
  const late = delay(CLOSE_WITHIN_MS, "late", { signal: waiting.signal }).catch(() => {});
  const outcome = await Promise.race([closed, late]);
  waiting.abort();
  if (outcome === "late") killOwner(profileDir);
}

/** Chromium names the process that holds a profile in a symbolic link: used to end one that no longer responds. */
function killOwner(profileDir: string): void {
  try {
    const owner = readlinkSync(join(profileDir, "SingletonLock"));
    const pid = Number(owner.slice(owner.lastIndexOf("-") + 1));
    if (owner.startsWith(`${hostname()}-`) && pid > 1) process.kill(pid, "SIGKILL");
  } catch {
    // gone by itself
  }
}

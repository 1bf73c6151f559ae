import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, errors, type Page } from "playwright-core";
import { ShelfError } from "../../../../errors.js";
import { orAborted } from "./deadline.js";
import { requireBrowser } from "./find-browser.js";
import { isAppUrl, isLoopback } from "./hosts.js";
import { lockProfile } from "./profile-lock.js";

export interface BrowserOptions {
  profileDir: string;
  baseUrl: URL;
  allowLoopback: boolean;
  executablePath?: string | undefined;
  headless: boolean;
  /** Account index or e-mail where the profile is signed in to several. */
  authuser?: string | undefined;
  startTimeoutMs: number;
  /** An unused browser is closed after this time and its profile released. */
  idleMs: number;
}

/** What the app's page tells a client about its session. */
export interface Session {
  origin: string;
  csrf: string;
  sessionId: string;
  buildLabel: string;
}

export interface HttpReply {
  status: number;
  /** Redirected away, which calls never are but for a sign-in page. */
  redirected: boolean;
  html: boolean;
  retryAfter: string | null;
  text: string;
}

/** The connection broke before the whole reply arrived. What was asked may have been done. */
export class ReplyLost extends Error {}

export interface PageBrowser {
  /** The signed-in page's session; starts the browser where none runs. */
  session(signal: AbortSignal): Promise<Session>;
  /** Loads the page again, unless somebody did since `stale` was read. */
  renew(stale: Session, signal: AbortSignal): Promise<Session>;
  /** A POST made by the page itself; aborting the signal cancels the page's fetch. */
  post(pathAndQuery: string, body: string, signal: AbortSignal): Promise<HttpReply>;
  close(): Promise<void>;
}

interface Running {
  context: BrowserContext;
  page: Page;
  session: Session;
  rotatedAt: number;
  /** Rejects when the page crashes or the browser ends. */
  gone: Promise<never>;
  isGone: boolean;
}

const ROTATE_EVERY_MS = 600_000;
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
  let flights = 0;

  async function start(): Promise<Running> {
    await closing;
    const executablePath = requireBrowser(options.executablePath);
    release = lockProfile(options.profileDir);
    try {
      context = await launch(options, executablePath);
      const page = context.pages()[0] ?? (await context.newPage());
      const session = await openApp(page, options);
      return watch(context, page, session);
    } catch (error) {
      await shut();
      throw error;
    }
  }

  function watch(owner: BrowserContext, page: Page, session: Session): Running {
    const state = { context: owner, page, session, rotatedAt: Date.now(), isGone: false };
    const gone = new Promise<never>((_resolve, reject) => {
      const ended = () => {
        state.isGone = true;
        reject(new ReplyLost("the browser page ended"));
      };
      page.once("crash", ended);
      page.once("close", ended);
      owner.once("close", ended);
    });
    gone.catch(() => {}); // heard by whoever waits for a reply
    return Object.assign(state, { gone });
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
    if (current?.isGone) {
      // Another caller may have begun a new browser while this one looked.
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
    if (closed) throw new ShelfError("BROWSER_LAUNCH_FAILED", "The notebook browser is shut down with its server.");
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

  return {
    session: (signal) => using(signal, async ({ session }) => session),

    renew: (stale, signal) =>
      using(signal, async (state) => {
        if (state.session !== stale) return state.session;
        renewing ??= openApp(state.page, options)
          .then((session) => {
            state.session = session;
            return session;
          })
          .catch(async (error) => {
            await shut();
            throw error;
          })
          .finally(() => {
            renewing = null;
          });
        return orAborted(Promise.race([renewing, state.gone]), signal);
      }),

    post: (pathAndQuery, body, signal) =>
      using(signal, async (state) => {
        rotateCookies(state);
        const id = `f${++flights}`;
        const cancel = () => void state.page.evaluate(cancelInPage, id).catch(() => {});
        signal.addEventListener("abort", cancel, { once: true });
        try {
          const sent = state.page.evaluate(fetchInPage, { id, url: pathAndQuery, body });
          sent.catch(() => {}); // when the signal or a crash wins the race
          const reply = await orAborted(Promise.race([sent.catch(pageError), state.gone]), signal);
          if ("failed" in reply) throw new ReplyLost(reply.failed);
          return reply;
        } finally {
          signal.removeEventListener("abort", cancel);
        }
      }),

    async close() {
      closed = true;
      await running?.catch(() => {});
      await shut();
    },
  };
}

function pageError(error: unknown): never {
  throw new ReplyLost("the browser page ended", { cause: error });
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
      else await new Promise((resolve) => setTimeout(resolve, TAKEN_WAIT_MS));
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

/** Loads the app's page and reads its session data. Only the document is fetched: the data stands inline in it. */
async function openApp(
  page: Page,
  { baseUrl, authuser, allowLoopback, startTimeoutMs }: BrowserOptions,
): Promise<Session> {
  const target = new URL(baseUrl);
  if (authuser !== undefined) target.searchParams.set("authuser", authuser);
  await page.route("**/*", (route) =>
    route.request().resourceType() === "document" ? route.continue() : route.abort(),
  );
  try {
    await page.goto(target.href, { waitUntil: "domcontentloaded", timeout: startTimeoutMs });
  } catch (error) {
    if (error instanceof errors.TimeoutError)
      throw new ShelfError("TIMEOUT", "The notebook page did not load in time. Call again.", { cause: error });
    throw new ShelfError("NETWORK_ERROR", `${target.host} could not be reached. Check the connection and call again.`, {
      cause: error,
      details: { host: target.host },
    });
  } finally {
    await page.unroute("**/*").catch(() => {}); // a page that crashed has no routes left
  }
  const found = await page.evaluate(readSession);
  const host = new URL(page.url()).host;
  if (!found || !isAppUrl(new URL(page.url()), allowLoopback)) throw await signedOut(page, host);
  return { origin: new URL(page.url()).origin, ...found };
}

/** Signed out, or before an extra page (consent, new terms): either way a person has to look at it. */
async function signedOut(page: Page, host: string): Promise<ShelfError> {
  const cookies = await page.context().cookies();
  const wasSignedIn = cookies.some(({ name }) => name === "SID");
  return new ShelfError(
    "AUTH_REQUIRED",
    wasSignedIn
      ? "The NotebookLM session has expired. Run `bookwheel login notebooks` to sign in again."
      : "Nobody is signed in to NotebookLM. Run `bookwheel login notebooks` first.",
    { details: { reason: wasSignedIn ? "session_expired" : "not_signed_in", host } },
  );
}

/** Keeps the session's short-lived cookie fresh while the browser is in use; failing to is not the caller's trouble. */
function rotateCookies(state: Running): void {
  if (Date.now() - state.rotatedAt < ROTATE_EVERY_MS) return;
  state.rotatedAt = Date.now();
  const origin = isLoopback(new URL(state.session.origin)) ? state.session.origin : "https://accounts.google.com";
  const data = '[000,"-0000000000000000000"]';
  void state.context.request
    .post(`${origin}/RotateCookies`, { headers: { "content-type": "application/json", origin }, data, timeout: 10_000 })
    .catch(() => {});
}

async function closeContext(context: BrowserContext, profileDir: string): Promise<void> {
  const closed = context.close().catch(() => {}); // a crashed browser is closed already
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), CLOSE_WITHIN_MS);
  });
  const outcome = await Promise.race([closed, late]);
  clearTimeout(timer);
  if (outcome === "late") killOwner(profileDir);
}

/** Chromium names the process that holds a profile in a link: the way to end one that no longer listens. */
function killOwner(profileDir: string): void {
  try {
    const owner = readlinkSync(join(profileDir, "SingletonLock"));
    const pid = Number(owner.slice(owner.lastIndexOf("-") + 1));
    if (owner.startsWith(`${hostname()}-`) && pid > 1) process.kill(pid, "SIGKILL");
  } catch {
    // gone by itself
  }
}

// The functions below run inside the page.

function readSession(): Omit<Session, "origin"> | null {
  const data = Reflect.get(window, "WIZ_global_data");
  const text = (key: string) => (data && typeof data[key] === "string" ? (data[key] as string) : "");
  return text("SNlM0e") ? { csrf: text("SNlM0e"), sessionId: text("FdrFJe"), buildLabel: text("cfb2h") } : null;
}

async function fetchInPage({
  id,
  url,
  body,
}: {
  id: string;
  url: string;
  body: string;
}): Promise<HttpReply | { failed: string }> {
  const flights: Map<string, AbortController> = Reflect.get(window, "__flights") ?? new Map();
  Reflect.set(window, "__flights", flights);
  const controller = new AbortController();
  flights.set(id, controller);
  try {
    const reply = await fetch(url, {
      method: "POST",
      credentials: "include",
      redirect: "manual",
      headers: { "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8", "X-Same-Domain": "1" },
      body,
      signal: controller.signal,
    });
    return {
      status: reply.status,
      redirected: reply.type === "opaqueredirect",
      html: (reply.headers.get("content-type") ?? "").startsWith("text/html"),
      retryAfter: reply.headers.get("retry-after"),
      text: await reply.text(),
    };
  } catch (error) {
    return { failed: String(error) };
  } finally {
    flights.delete(id);
  }
}

function cancelInPage(id: string): void {
  const flights: Map<string, AbortController> | undefined = Reflect.get(window, "__flights");
  flights?.get(id)?.abort();
}

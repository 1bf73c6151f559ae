import { type BrowserContext, errors, type Page } from "playwright-core";
import { ShelfError } from "../../../../errors.js";
import { orAborted } from "./deadline.js";
import { isAppUrl } from "./hosts.js";

export interface TabOptions {
  baseUrl: URL;
  allowLoopback: boolean;
  /** Account index or e-mail where the profile is signed in to several. */
  authuser?: string | undefined;
  startTimeoutMs: number;
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

/** One page of the app: its session, and requests made by it. */
export interface Tab {
  readonly session: Session;
  /** The page crashed, or the browser ended. */
  isGone(): boolean;
  /** Aborting the signal cancels the page's own fetch. */
  post(url: string, body: string, signal: AbortSignal): Promise<HttpReply>;
  /** Closes the page once its last request is answered. */
  retire(): void;
}

export async function openTab(context: BrowserContext, options: TabOptions): Promise<Tab> {
  const { page, session } = await load(context, options).catch((error) => {
    throw error instanceof ShelfError ? error : new ReplyLost("the browser ended", { cause: error });
  });
  let ended = false;
  let retired = false;
  let flights = 0;
  let count = 0;
  const gone = new Promise<never>((_resolve, reject) => {
    const end = () => {
      ended = true;
      reject(new ReplyLost("the browser page ended"));
    };
    page.once("crash", end);
    page.once("close", end);
  });
  gone.catch(() => {}); // heard by whoever waits for a reply
  const closeIfDone = () => {
    if (retired && flights === 0) page.close().catch(() => {}); // gone with its browser
  };

  return {
    session,
    isGone: () => ended,
    async post(url, body, signal) {
      const id = `f${++count}`;
      const cancel = () => void page.evaluate(cancelInPage, id).catch(() => {}); // a page that is gone asks nothing
      signal.addEventListener("abort", cancel, { once: true });
      flights++;
      try {
        const sent = page.evaluate(fetchInPage, { id, url, body }).catch((cause) => {
          throw new ReplyLost("the browser page ended", { cause });
        });
        sent.catch(() => {}); // when the signal or a crash wins the race
        const reply = await orAborted(Promise.race([sent, gone]), signal);
        if ("failed" in reply) throw new ReplyLost(reply.failed);
        return reply;
      } finally {
        flights--;
        signal.removeEventListener("abort", cancel);
        closeIfDone();
      }
    },
    retire() {
      retired = true;
      closeIfDone();
    },
  };
}

async function load(context: BrowserContext, options: TabOptions): Promise<{ page: Page; session: Session }> {
  const blank = context.pages().find((each) => each.url() === "about:blank");
  const page = blank ?? (await context.newPage());
  return { page, session: await openApp(page, options) };
}

/** Loads the app's page and reads its session data. Only the document is fetched: the data stands inline in it. */
async function openApp(page: Page, { baseUrl, authuser, allowLoopback, startTimeoutMs }: TabOptions): Promise<Session> {
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
  }
  // Not after a failure: a page still waiting for its document does not let go of its routes.
  await page.unroute("**/*");
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

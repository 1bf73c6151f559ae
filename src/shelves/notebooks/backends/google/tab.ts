import { type BrowserContext, type CDPSession, errors, type Page } from "playwright-core";
import { ShelfError } from "../../../../kernel/errors.js";
import { orAborted } from "../../../../kernel/or-aborted.js";
import { isAppUrl } from "./hosts.js";
import {
  cancelExpression,
  PAGE_PROGRAM,
  type PageReply,
  type PageRequest,
  type PageUpload,
  postExpression,
  type Reading,
  uploadExpression,
} from "./in-page.js";
import { wallError, wallOf } from "./walls.js";

export interface TabOptions {
  baseUrl: URL;
  allowLoopback: boolean;
  /** Account index or e-mail where the profile is signed in to several. */
  authuser?: string | undefined;
  startTimeoutMs: number;
}

/** The session data of the app's page. */
export interface Session {
  origin: string;
  csrf: string;
  sessionId: string;
  buildLabel: string;
  /** The account the page is for, as an index; empty where the page does not say. Calls must name the same. */
  authuser: string;
}

/** The connection broke before the whole reply arrived. The request may have been carried out. */
export class ReplyLost extends Error {}

/** One page of the app: its session, and requests made by it. */
export interface Tab {
  readonly session: Session;
  /** The page crashed, or the browser ended. */
  isGone(): boolean;
  /** Aborting the signal cancels the page's own fetch. */
  post<R extends Reading>(request: PageRequest<R>, signal: AbortSignal): Promise<PageReply<R>>;
  upload(upload: PageUpload, signal: AbortSignal): Promise<{ status: number }>;
  /** Closes the page once its last request is answered. */
  retire(): void;
}

export async function openTab(context: BrowserContext, options: TabOptions): Promise<Tab> {
  const { page, session, devtools } = await load(context, options).catch((error) => {
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
  gone.catch(() => {}); // handled where a reply is awaited
  const closeIfDone = () => {
    if (retired && flights === 0) page.close().catch(() => {}); // gone with its browser
  };

  async function run<T extends object>(expression: (id: string) => string, signal: AbortSignal): Promise<T> {
    const id = `f${++count}`;
    const cancel = () => void evaluate(devtools, cancelExpression(id)).catch(() => {}); // a page that is gone asks nothing
    signal.addEventListener("abort", cancel, { once: true });
    flights++;
    try {
      const sent = evaluate(devtools, expression(id)).catch((cause) => {
        throw new ReplyLost("the browser page ended", { cause });
      });
      sent.catch(() => {}); // when the signal or a crash wins the race
      const outcome: T | { failed: string } = JSON.parse(await orAborted(Promise.race([sent, gone]), signal));
      if ("failed" in outcome) throw new ReplyLost(outcome.failed);
      return outcome;
    } finally {
      flights--;
      signal.removeEventListener("abort", cancel);
      closeIfDone();
    }
  }

  return {
    session,
    isGone: () => ended,
    post: (request, signal) => run((id) => postExpression(id, request), signal),
    upload: (upload, signal) => run((id) => uploadExpression(id, upload), signal),
    retire() {
      retired = true;
      closeIfDone();
    },
  };
}

async function load(
  context: BrowserContext,
  options: TabOptions,
): Promise<{ page: Page; session: Session; devtools: CDPSession }> {
  const blank = context.pages().find((each) => each.url() === "about:blank");
  const page = blank ?? (await context.newPage());
  await page.addInitScript(PAGE_PROGRAM);
  const session = await openApp(page, options);
  return { page, session, devtools: await context.newCDPSession(page) };
}

/** Evaluates an expression in the page to a string. `page.evaluate` does more and takes twice as long. */
async function evaluate(devtools: CDPSession, expression: string): Promise<string> {
  const { result, exceptionDetails } = await devtools.send("Runtime.evaluate", {
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return String(result.value);
}

/** Loads the app's page and reads its session data. Only the document is fetched: the data is inline. */
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
  const { account, ...found } = await page.evaluate(readSession);
  const url = new URL(page.url());
  const wall = wallOf(url, found.buildLabel);
  if (wall) throw wallError(wall, url.host);
  if (!isAppUrl(url, allowLoopback)) throw await signedOut(page, url.host);
  if (!found.csrf) throw extraPage(url.host);
  if (authuser !== undefined && !isAccount(authuser, found.authuser, account))
    throw new ShelfError(
      "AUTH_REQUIRED",
      "The profile is signed in to another account than the one asked for. Run `bookwheel login notebooks` and sign in to it.",
      { details: { reason: "wrong_account", host: url.host } },
    );
  return { origin: url.origin, ...found };
}

/** Google uses another account if the requested one is not signed in. */
function isAccount(asked: string, index: string, email: string): boolean {
  const [known, wanted] = asked.includes("@") ? [email.toLowerCase(), asked.toLowerCase()] : [index, asked];
  return known === "" || known === wanted;
}

/** The app's host without session data: consent or new terms, which the user has to accept. */
function extraPage(host: string): ShelfError {
  return new ShelfError(
    "AUTH_REQUIRED",
    "NotebookLM shows a page that a person has to answer first. Run `bookwheel login notebooks` and answer it in its window.",
    { details: { reason: "extra_page", host } },
  );
}

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

/** Runs inside the page. */
function readSession(): Omit<Session, "origin"> & { account: string } {
  const data = Reflect.get(window, "WIZ_global_data");
  const text = (key: string) => (data && typeof data[key] === "string" ? (data[key] as string) : "");
  return {
    csrf: text("SNlM0e"),
    sessionId: text("FdrFJe"),
    buildLabel: text("cfb2h"),
    authuser: text("QrtxK"),
    account: text("oPEP7c"),
  };
}

import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveCall } from "./calls.js";
import { elsewhere, head, parse, refuse, type Sandbox, type SeenRequest, signedIn, toSignIn } from "./exchange.js";
import { Faults, type WallName } from "./faults.js";
import { frame, PREFIX } from "./frames.js";
import type { Month } from "./generation.js";
import { APP_SCRIPT, appPage, gatePage, plainPage, signInPage } from "./pages.js";
import { freshCsrf, type SandboxNotebook, type SandboxState, seededState } from "./state.js";

export interface NotebookSandboxOptions {
  port?: number;
  notebooks?: SandboxNotebook[];
  /** Answers as the service did in that month; the latest one unless given. */
  month?: Month;
}

export interface NotebookSandbox {
  url: string;
  state: SandboxState;
  faults: Faults;
  requests: SeenRequest[];
  close(): Promise<void>;
}

/** A facsimile of the notebook service on loopback: its pages, its RPC, its streamed answers. */
export async function startNotebookSandbox({
  port = 0,
  notebooks,
  month,
}: NotebookSandboxOptions = {}): Promise<NotebookSandbox> {
  const state = seededState(notebooks, month);
  const faults = new Faults();
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void serve(request, response, { state, faults, requests, port: address().port });
  });
  const address = (): AddressInfo => server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${address().port}`,
    state,
    faults,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, sandbox: Sandbox) {
  const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "127.0.0.1"}`);
  const seen: SeenRequest = {
    method: request.method ?? "GET",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    aborted: false,
  };
  sandbox.requests.push(seen);
  response.on("close", () => {
    seen.aborted = !response.writableFinished;
  });
  const body = await read(request);
  if (request.method === "POST" && url.pathname.startsWith("/_/"))
    return serveCall(request, url, body, response, seen, sandbox);
  if (request.method === "POST" && url.pathname === "/RotateCookies") return rotate(request, response, sandbox);
  if (request.method === "POST" && url.pathname.startsWith("/upload/_/"))
    return upload(request, url, body, response, sandbox);
  return servePage(request, url, response, sandbox);
}

function servePage(request: IncomingMessage, url: URL, response: ServerResponse, { state, faults, port }: Sandbox) {
  const html = (text: string) => {
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache, no-store",
      "content-security-policy": "require-trusted-types-for 'script'",
    });
    response.end(text);
  };
  const away = (host: string, path: string, code = 302) => {
    response.writeHead(code, { location: elsewhere(host, port, path), "cache-control": "no-store" }).end();
  };
  const host = url.hostname.endsWith(".localhost") ? url.hostname.slice(0, -".localhost".length) : "";
  const [, first] = url.pathname.split("/");
  if (host === "accounts.google.com" && url.pathname === "/CookieMismatch")
    return away("support.google.com", "/accounts/answer/61416");
  if (host === "accounts.google.com")
    return html(signInPage(port, url.searchParams.get("continue") ?? "/", faults.autoSignInMs));
  if (host === "notebooklm.google") return html(gatePage());
  if (host) return html(plainPage(host));
  if (first === "app.js") {
    response.writeHead(200, { "content-type": "text/javascript; charset=utf-8" }).end(APP_SCRIPT);
    return;
  }
  if (first === "sandbox" && url.pathname === "/sandbox/sign-in") {
    const [psidts] = [...state.psidts].slice(-1);
    response.writeHead(302, {
      "set-cookie": [
        cookie("SID", state.sid),
        cookie("__Secure-1PSIDTS", psidts ?? "", "; Secure"),
        cookie("OSID", randomUUID()),
      ],
      location: url.searchParams.get("continue") ?? "/",
    });
    response.end();
    return;
  }
  if (first !== "" && first !== "notebook") {
    response.writeHead(404).end();
    return;
  }
  if (faults.redirectTo) {
    const location = `${faults.redirectTo}${url.pathname}?pli=1${url.search.replace("?", "&")}`;
    response.writeHead(302, { location, "content-type": "application/binary", "cache-control": "no-store" }).end();
    return;
  }
  if (faults.wall) return away(...WALLS[faults.wall]);
  if (!signedIn(request, state) || faults.expired) return toSignIn(url, response, port);
  if (faults.interstitial) return html(plainPage("Before you continue"));
  if (faults.staleCsrf) {
    faults.staleCsrf = false;
    state.csrf = freshCsrf();
  }
  faults.staleCookies = false;
  setTimeout(() => html(appPage(state, url)), faults.homeDelayMs);
}

const WALLS: Record<WallName, [host: string, path: string]> = {
  region: ["notebooklm.google", "/?location=unsupported"],
  cookies: ["accounts.google.com", "/CookieMismatch"],
  chooser: ["accounts.google.com", "/v3/signin/accountchooser"],
  confirm: ["accounts.google.com", "/v3/signin/confirmidentifier"],
  enterprise: ["notebooklm.cloud.google.com", "/global/?project=1"],
};

function rotate(request: IncomingMessage, response: ServerResponse, { state }: Sandbox) {
  if (!signedIn(request, state)) return refuse(response, 401);
  const psidts = `ts-${randomUUID()}`;
  state.psidts.add(psidts);
  head(response, { "set-cookie": cookie("__Secure-1PSIDTS", psidts, "; Secure") });
  response.end(
    PREFIX +
      frame([
        ["identity.hfcr", 600],
        ["di", 10],
      ]),
  );
}

function upload(request: IncomingMessage, url: URL, body: string, response: ServerResponse, sandbox: Sandbox) {
  const { state, faults, port } = sandbox;
  if (!signedIn(request, state)) return refuse(response, 401);
  const fault = faults.take("upload");
  if (fault?.kind === "http") return refuse(response, fault.code);
  if (request.headers["x-goog-upload-command"] === "start") {
    const { PROJECT_ID, SOURCE_ID, SOURCE_NAME } = Object(parse(body));
    const ticket = randomUUID();
    state.uploads.set(ticket, {
      notebookId: String(PROJECT_ID),
      sourceId: String(SOURCE_ID),
      name: String(SOURCE_NAME),
      mime: String(request.headers["x-goog-upload-header-content-type"] ?? "application/octet-stream"),
    });
    response.writeHead(200, { "x-goog-upload-url": `http://127.0.0.1:${port}/upload/_/?upload_id=${ticket}` }).end();
    return;
  }
  const ticket = state.uploads.get(url.searchParams.get("upload_id") ?? "");
  const source = state.accounts
    .flat()
    .flatMap(({ sources }) => sources)
    .find(({ id }) => id === ticket?.sourceId);
  if (!source || !ticket) return refuse(response, 404);
  Object.assign(source, { text: body, status: 1, plan: [2], code: codeOf(ticket.name), mime: ticket.mime });
  response.writeHead(200).end("OK: Enqueued blob bytes to spanner queue for processing.");
}

/** Type codes of uploaded files, by their names. */
function codeOf(name: string): number {
  const codes = { pdf: 3, txt: 4, md: 8, docx: 11, csv: 16, epub: 17, mp3: 10, mp4: 10, png: 13 };
  const extension = name.split(".").at(-1)?.toLowerCase() ?? "";
  return Object.entries(codes).find(([known]) => known === extension)?.[1] ?? 0;
}

const cookie = (name: string, value: string, extra = ""): string =>
  `${name}=${value}; Path=/; Max-Age=31536000; HttpOnly${extra}`;

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

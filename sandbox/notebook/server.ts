import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveCall } from "./calls.js";
import { head, parse, refuse, type Sandbox, type SeenRequest, signedIn, toSignIn } from "./exchange.js";
import { Faults } from "./faults.js";
import { frame, PREFIX } from "./frames.js";
import { serveOfficialApi } from "./official-api.js";
import { APP_SCRIPT, appPage, interstitialPage, signInPage } from "./pages.js";
import { freshCsrf, type SandboxNotebook, type SandboxState, seededState } from "./state.js";

export interface NotebookSandboxOptions {
  port?: number;
  notebooks?: SandboxNotebook[];
}

export interface NotebookSandbox {
  url: string;
  state: SandboxState;
  faults: Faults;
  requests: SeenRequest[];
  close(): Promise<void>;
}

/** A facsimile of the notebook service on loopback: its pages, its RPC, its streamed answers, its official API. */
export async function startNotebookSandbox({
  port = 0,
  notebooks,
}: NotebookSandboxOptions = {}): Promise<NotebookSandbox> {
  const state = seededState(notebooks);
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
  if (url.pathname.startsWith("/v1/")) return serveOfficialApi(request, url, body, response, sandbox);
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
  const [, first] = url.pathname.split("/");
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
  if (first === "accounts") return html(signInPage(port, url.searchParams.get("continue") ?? "/", faults.autoSignInMs));
  if (first !== "" && first !== "notebook") {
    response.writeHead(404).end();
    return;
  }
  if (faults.redirectTo) {
    response
      .writeHead(301, { location: `${faults.redirectTo}${url.pathname}${url.search}`, "cache-control": "no-store" })
      .end();
    return;
  }
  if (!signedIn(request, state) || faults.expired) return toSignIn(url, response, port);
  if (faults.interstitial) return html(interstitialPage());
  if (faults.staleCsrf) {
    faults.staleCsrf = false;
    state.csrf = freshCsrf();
  }
  setTimeout(() => html(appPage(state, url)), faults.homeDelayMs);
}

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

function upload(request: IncomingMessage, url: URL, body: string, response: ServerResponse, { state, port }: Sandbox) {
  if (!signedIn(request, state)) return refuse(response, 401);
  if (request.headers["x-goog-upload-command"] === "start") {
    const { PROJECT_ID, SOURCE_ID, SOURCE_NAME } = Object(parse(body));
    const ticket = randomUUID();
    state.uploads.set(ticket, {
      notebookId: String(PROJECT_ID),
      sourceId: String(SOURCE_ID),
      name: String(SOURCE_NAME),
    });
    response.writeHead(200, { "x-goog-upload-url": `http://127.0.0.1:${port}/upload/_/?upload_id=${ticket}` }).end();
    return;
  }
  const ticket = state.uploads.get(url.searchParams.get("upload_id") ?? "");
  const source = state.accounts
    .flat()
    .flatMap(({ sources }) => sources)
    .find(({ id }) => id === ticket?.sourceId);
  if (!source) return refuse(response, 404);
  Object.assign(source, { text: body, status: 1, plan: [2], code: 8 });
  response.writeHead(200).end("OK: Enqueued blob bytes to spanner queue for processing.");
}

const cookie = (name: string, value: string, extra = ""): string =>
  `${name}=${value}; Path=/; Max-Age=31536000; HttpOnly${extra}`;

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { answerFrames } from "./answer.js";
import { head, parse, refuse, type Sandbox, type SeenRequest, signedIn, toSignIn } from "./exchange.js";
import type { Fault } from "./faults.js";
import { closing, frame, type Item, PREFIX, resultItem, statusItem, unary } from "./frames.js";
import { HANDLERS, Refused } from "./rpc.js";
import type { SandboxNotebook } from "./state.js";

const STREAM_PATH =
  "/_/LabsTailwindUi/data/google.internal.labs.tailwind.orchestration.v1.LabsTailwindOrchestrationService/GenerateFreeFormStreamed";

/** One call: checked as the service checks it, then answered, or failed as a fault switch says. */
export async function serveCall(
  request: IncomingMessage,
  url: URL,
  body: string,
  response: ServerResponse,
  seen: SeenRequest,
  sandbox: Sandbox,
) {
  const { state, faults, port } = sandbox;
  if (!signedIn(request, state) || faults.expired) return toSignIn(url, response, port);
  const form = new URLSearchParams(body);
  const wellFormed = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  const asked: unknown = parse(form.get("f.req"));
  const streaming = url.pathname === STREAM_PATH;
  const call = streaming ? asked : first(first(asked));
  const [id, json] = Array.isArray(call) ? call : [];
  const params: unknown = parse(json);
  const rpc = streaming ? "stream" : String(id);
  seen.rpc = rpc;
  if (Array.isArray(params)) seen.params = params;
  if (!wellFormed || faults.staleCsrf || form.get("at") !== state.csrf || !Array.isArray(params))
    return refuse(response, 400);
  if (!streaming && url.searchParams.get("rpcids") !== rpc) return refuse(response, 400);

  const fault = faults.take(rpc);
  if (fault?.kind === "dropped") return breakOff(response);
  if (fault?.kind === "http") return refuse(response, fault.code, fault.headers);
  if (fault?.kind === "html")
    return void response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sorry</title>");

  const notebooks = state.accounts[Number(url.searchParams.get("authuser") ?? 0)] ?? [];
  await pause(state.delays[rpc] ?? 0);
  if (streaming) return serveStream(params, notebooks, response, fault, sandbox);

  const items = ((): Item[] => {
    if (fault?.kind === "status") return [statusItem(rpc, fault.status)];
    if (fault?.kind === "er") return [["er", rpc, fault.code]];
    if (fault?.kind === "null") return [["wrb.fr", rpc, null, null, null, null, "generic"]];
    if (fault?.kind === "bookkeeping") return [];
    const handler = HANDLERS[rpc];
    if (!handler) return [statusItem(rpc, [12])];
    try {
      const result = handler(params, {
        state,
        faults,
        notebooks,
        sourcePath: url.searchParams.get("source-path") ?? "/",
      });
      if (fault?.kind === "accepted") return [statusItem(rpc, fault.status)];
      if (fault?.kind === "no-status") return [resultItem(rpc, [withoutStatus(result)])];
      return [resultItem(fault?.kind === "drift" ? "zzZz9" : rpc, result)];
    } catch (error) {
      if (error instanceof Refused) return [statusItem(rpc, error.status)];
      throw error;
    }
  })();
  if (fault?.kind === "reset") return void response.destroy();
  if (fault?.kind === "lost") return breakOff(response);
  if (fault?.kind === "slow") await pause(fault.ms);
  const text = unary(items, { ms: 180, token: "-100200300" });
  head(response);
  if (fault?.kind === "truncated") response.end(text.slice(0, Math.floor(text.length / 2)));
  else response.end(fault?.kind === "crlf" ? text.replaceAll("\n", "\r\n") : text);
}

async function serveStream(
  params: unknown[],
  notebooks: SandboxNotebook[],
  response: ServerResponse,
  fault: Fault | undefined,
  { state, faults }: Sandbox,
) {
  const ids = (Array.isArray(params[0]) ? params[0] : []).map((each) => String(first(first(each))));
  const question = String(params[1]);
  const notebook = notebooks.find((each) => each.sources.some((source) => ids.includes(source.id)));
  const refusal = (status: readonly unknown[]): Item => ["wrb.fr", null, null, null, null, status];
  const { thinking, answer } = notebook
    ? answerFrames(notebook, question, ids)
    : { thinking: [], answer: [refusal([3])] };
  const items = ((): Item[] => {
    if (fault?.kind === "status") return [refusal(fault.status)];
    if (fault?.kind === "er") return [["er", null, fault.code]];
    if (fault?.kind === "bookkeeping") return [];
    if (fault?.kind === "thinking-only") return thinking;
    if (params.length !== 5 && params.length !== 9) return [refusal([3])];
    if (params.length === 9 && (faults.rejectNineSlots || params[7] !== notebook?.id)) return [refusal([3])];
    if (fault?.kind === "truncated") return [...thinking, ...answer.slice(0, -1)];
    return [...thinking, ...answer];
  })();
  const end = fault?.kind === "crlf" ? "\r\n" : "\n";
  const write = (text: string) => void response.write(text.replaceAll("\n", end));
  head(response);
  if (fault?.kind === "slow") await pause(fault.ms);
  let sent = PREFIX;
  write(PREFIX);
  for (const item of items) {
    await pause(state.delays.frame ?? 0);
    if (response.destroyed) return;
    const text = frame([item]);
    sent += text;
    write(text);
  }
  if (fault?.kind === "truncated") return void response.end();
  if (fault?.kind === "lost") return void response.destroy();
  const rest = frame([
    ["di", 2150],
    ["af.httprm", 2149, "100200300", 10],
  ]);
  write(rest + closing(sent + rest, items.length + 2));
  response.end();
}

function breakOff(response: ServerResponse) {
  head(response);
  response.write(PREFIX, () => response.destroy());
}

const pause = (ms: number): Promise<void> =>
  ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
/** Source rows of an add, as a reply has them that says nothing about their state. */
const withoutStatus = (result: unknown): unknown => {
  const rows = first(result);
  return Array.isArray(rows) ? rows.map((row) => (Array.isArray(row) ? row.slice(0, 3) : row)) : rows;
};
const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

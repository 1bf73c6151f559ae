import type { IncomingMessage, ServerResponse } from "node:http";
import { answerFrames } from "./answer.js";
import { accountOf, head, parse, refuse, type Sandbox, type SeenRequest, signedIn, toSignIn } from "./exchange.js";
import type { Fault } from "./faults.js";
import { closing, frame, type Item, PREFIX, resultItem, statusItem, unary } from "./frames.js";
import { HANDLERS, Refused } from "./rpc.js";
import { now, type SandboxNotebook } from "./state.js";

const STREAM_PATH =
  "/_/LabsTailwindUi/data/google.internal.labs.tailwind.orchestration.v1.LabsTailwindOrchestrationService/GenerateFreeFormStreamed";

const SIGNED_OUT = [16] as const;
const LONGEST_QUESTION = 10_000;

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

  const notebooks = state.accounts[accountOf(url, state)] ?? [];
  await pause(state.delays[rpc] ?? 0);
  if (streaming) return serveStream(params, notebooks, response, fault, sandbox);

  const items = ((): Item[] => {
    if (faults.staleCookies) return [statusItem(rpc, SIGNED_OUT)];
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
  const { generation } = state;
  const ids = (Array.isArray(params[0]) ? params[0] : []).map((each) => String(first(first(each))));
  const question = String(params[1]);
  const notebook = notebooks.find((each) => each.sources.some((source) => ids.includes(source.id)));
  const refusal = (status: readonly unknown[]): Item => ["wrb.fr", null, null, null, null, status];
  const conversation = String(params[4] ?? notebook?.conversation);
  const items = ((): Item[] => {
    if (faults.staleCookies) return [refusal(SIGNED_OUT)];
    if (fault?.kind === "status") return [refusal(fault.status)];
    if (fault?.kind === "er") return [["er", null, fault.code]];
    if (fault?.kind === "bookkeeping") return [];
    if (!notebook || question.length > LONGEST_QUESTION) return [refusal([3])];
    const { thinking, answer, text } = answerFrames({ notebook, question, sourceIds: ids, conversation }, generation);
    if (fault?.kind === "thinking-only") return thinking;
    if (!isAskForm(params, notebook.id, generation.nineSlots && !faults.rejectNineSlots)) return [refusal([3])];
    if (fault?.kind === "truncated") return [...thinking, ...answer.slice(0, -1)];
    if (fault?.kind === "blank") return [...thinking, blank(answer.at(-1))];
    const turns = notebook.turns.get(conversation) ?? [];
    notebook.turns.set(conversation, [...turns, { question, answer: text, at: now() }]);
    notebook.conversation = conversation;
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

/** Five slots with the short tail of January, or nine with the longer one that came with them. */
function isAskForm(params: unknown[], notebookId: string, nine: boolean): boolean {
  const tail = JSON.stringify(params[3]);
  if (params.length === 5) return tail === "[2,null,[1]]";
  return nine && params.length === 9 && tail === "[2,null,[1],[1]]" && params[7] === notebookId && params[8] === 1;
}

/** A final frame whose text is empty. */
function blank(item: Item | undefined): Item {
  const inner = JSON.parse(String(item?.[2] ?? "[[]]"));
  inner[0][0] = "";
  return ["wrb.fr", null, JSON.stringify(inner)];
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

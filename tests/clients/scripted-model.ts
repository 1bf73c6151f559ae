import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type Json, type Move, SPEECHES, type Speech, type ToolSeen } from "./model-speech.js";

/** One call the model makes; a client may put its own prefix before the tool's name. */
export interface Step {
  tool: string;
  args: Json;
}

/** What the model was given over a whole turn. */
export interface Given {
  /** Tool definitions of the fullest request, as they came. */
  tools: ToolSeen[];
  /** What came back for each step, in order, as text. */
  results: string[];
  /** All text of the requests beside tools and results: system prompts, instructions. */
  prompt: string;
}

export interface ScriptedModel {
  url: string;
  given(): Given;
  /** Begins another turn. */
  follow(plan: readonly Step[]): void;
  close(): Promise<void>;
}

/**
 * A model on loopback that follows a plan: its k-th tool call is made once k results are in the conversation, then it says that
 * it is done. It speaks as Anthropic, OpenAI (both APIs) and Gemini do, and remembers what it was given.
 */
export async function startScriptedModel(): Promise<ScriptedModel> {
  let plan: readonly Step[] = [];
  let given: Given = { tools: [], results: [], prompt: "" };

  function decide(speech: Speech, body: Json): Move {
    const { tools, results, prompt } = speech.read(body);
    if (tools.length > given.tools.length) given.tools = tools;
    if (results.length >= given.results.length) given.results = results;
    if (prompt.length > given.prompt.length) given.prompt = prompt;
    const step = plan[results.length];
    if (!tools.length || !step) return { say: `Done after ${results.length} results.` };
    const prefixed = new RegExp(`[^a-z]${step.tool}$`);
    const tool = tools.find(({ name }) => name === step.tool) ?? tools.find(({ name }) => prefixed.test(name));
    return tool
      ? { call: tool, args: step.args, id: `call_${results.length}` }
      : { say: `There is no tool ${step.tool}.` };
  }

  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const path = (request.url ?? "").split("?")[0]!;
      const speech = SPEECHES.find(({ answers }) => answers(path));
      if (speech) return send(response, speech.write(decide(speech, body), body, path));
      if (/count_?tokens$/i.test(path)) return send(response, JSON.stringify({ input_tokens: 1, totalTokens: 1 }));
      if (path.endsWith("/models"))
        return send(response, '{"object":"list","data":[{"id":"scripted","object":"model"}]}');
      response.writeHead(404).end('{"error":{"message":"not here"}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    given: () => given,
    follow(steps) {
      plan = steps;
      given = { tools: [], results: [], prompt: "" };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Events as a stream, anything else as JSON. */
function send(response: ServerResponse, said: string): void {
  const stream = said.startsWith("data:") || said.startsWith("event:");
  response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
  response.end(said);
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  const encoding = request.headers["content-encoding"];
  const text = encoding === "gzip" ? gunzipSync(bytes) : encoding === "br" ? brotliDecompressSync(bytes) : bytes;
  try {
    return JSON.parse(text.toString("utf8")) as Json;
  } catch {
    return {};
  }
}

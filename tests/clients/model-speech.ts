export type Json = Record<string, unknown>;
export interface ToolSeen {
  name: string;
  /** The definition, all of it. */
  definition: Json;
  /** OpenAI's name for a group of tools, where it is in one. */
  group?: string;
}
export type Move = { call: ToolSeen; args: Json; id: string } | { say: string };

/** How one provider's API carries tools, results and moves. */
export interface Speech {
  answers(path: string): boolean;
  read(body: Json): { tools: ToolSeen[]; results: string[]; prompt: string };
  /** JSON, or events where the request asked for a stream. */
  write(move: Move, body: Json, path: string): string;
}

/** Every message has an id of its own: LangGraph puts one in the place of another with the same id. */
let messages = 0;
const messageId = (prefix: string) => `${prefix}_${++messages}`;

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const event = (type: string, data: Json) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

/** Text as it is; blocks of text as their texts; anything else as JSON. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.map((block: Json) => (typeof block.text === "string" ? block.text : JSON.stringify(block))).join("\n");
}

const anthropic: Speech = {
  answers: (path) => path.endsWith("/messages"),
  read: (body) => ({
    tools: list(body.tools).map((tool) => ({ name: String(tool.name), definition: tool })),
    results: list(body.messages)
      .flatMap(({ content }) => list(content))
      .filter(({ type }) => type === "tool_result")
      .map(({ content, is_error }) => (is_error ? "[is_error] " : "") + asText(content)),
    prompt: [body.system, ...list(body.messages).map(({ content }) => content)]
      .map((part) => asText(part ?? ""))
      .join("\n"),
  }),
  write(move, body) {
    const call = "call" in move;
    const block: Json = call
      ? { type: "tool_use", id: `toolu_${move.id}`, name: move.call.name, input: move.args }
      : { type: "text", text: move.say };
    const stop_reason = call ? "tool_use" : "end_turn";
    const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    const message = {
      id: messageId("msg"),
      type: "message",
      role: "assistant",
      model: body.model,
      stop_sequence: null,
      usage,
    };
    if (!body.stream) return JSON.stringify({ ...message, content: [block], stop_reason });
    const start = call ? { ...block, input: {} } : { type: "text", text: "" };
    const delta = call
      ? { type: "input_json_delta", partial_json: JSON.stringify(move.args) }
      : { type: "text_delta", text: move.say };
    return [
      event("message_start", { message: { ...message, content: [], stop_reason: null } }),
      event("content_block_start", { index: 0, content_block: start }),
      event("content_block_delta", { index: 0, delta }),
      event("content_block_stop", { index: 0 }),
      event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } }),
      event("message_stop", {}),
    ].join("");
  },
};

const chat: Speech = {
  answers: (path) => path.endsWith("/chat/completions"),
  read: (body) => ({
    tools: list(body.tools).map((tool) => ({ name: String((tool.function as Json).name), definition: tool })),
    results: list(body.messages)
      .filter(({ role }) => role === "tool")
      .map(({ content }) => asText(content)),
    prompt: list(body.messages)
      .filter(({ role }) => role !== "tool")
      .map(({ content }) => asText(content ?? ""))
      .join("\n"),
  }),
  write(move, body) {
    const call = "call" in move;
    const tool_calls = call
      ? [{ id: move.id, type: "function", function: { name: move.call.name, arguments: JSON.stringify(move.args) } }]
      : undefined;
    const finish_reason = call ? "tool_calls" : "stop";
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const content = call ? null : move.say;
    const frame = { id: messageId("chat"), created: 1, model: body.model };
    if (!body.stream) {
      const message = { role: "assistant", content, ...(tool_calls && { tool_calls }) };
      return JSON.stringify({
        ...frame,
        object: "chat.completion",
        choices: [{ index: 0, message, finish_reason }],
        usage,
      });
    }
    const chunk = (delta: Json, reason: string | null, more: Json = {}) =>
      `data: ${JSON.stringify({ ...frame, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: reason }], ...more })}\n\n`;
    const indexed = tool_calls?.map((one, index) => ({ index, ...one }));
    return [
      chunk({ role: "assistant", content, ...(indexed && { tool_calls: indexed }) }, null),
      chunk({}, finish_reason, { usage }),
      "data: [DONE]\n\n",
    ].join("");
  },
};

const responses: Speech = {
  answers: (path) => path.endsWith("/responses"),
  read(body) {
    const items = list(body.input);
    const groups = [...list(body.tools), ...items.flatMap((item) => list(item.tools))];
    const tools = groups.flatMap((tool) =>
      tool.type === "namespace"
        ? list(tool.tools).map((one) => ({ name: String(one.name), definition: one, group: String(tool.name) }))
        : [{ name: String(tool.name ?? tool.type), definition: tool }],
    );
    return {
      tools,
      results: items.filter(({ type }) => /call_output$/.test(String(type))).map(({ output }) => asText(output)),
      prompt: [body.instructions, ...items.map(({ content }) => content), ...groups.map((tool) => tool.description)]
        .map((part) => asText(part ?? ""))
        .join("\n"),
    };
  },
  write(move, body) {
    const item = responsesItem(move);
    const frame = { id: messageId("resp"), object: "response", created_at: 1, model: body.model, tools: [] };
    const usage = {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    };
    const whole = { ...frame, status: "completed", output: [item], usage };
    if (!body.stream) return JSON.stringify(whole);
    const begun = { ...frame, status: "in_progress", output: [] };
    const at = { item_id: item.id, output_index: 0 };
    const middle =
      "say" in move
        ? [
            event("response.content_part.added", { ...at, content_index: 0, part: { type: "output_text", text: "" } }),
            event("response.output_text.delta", { ...at, content_index: 0, delta: move.say }),
            event("response.output_text.done", { ...at, content_index: 0, text: move.say }),
          ]
        : [event("response.function_call_arguments.done", { ...at, arguments: item.arguments, name: item.name })];
    return [
      event("response.created", { response: begun }),
      event("response.output_item.added", { output_index: 0, item: { ...item, status: "in_progress" } }),
      ...middle,
      event("response.output_item.done", { output_index: 0, item }),
      event("response.completed", { response: whole }),
    ].join("");
  },
};

function responsesItem(move: Move): Json {
  if ("say" in move) {
    const content = [{ type: "output_text", text: move.say, annotations: [] }];
    return { type: "message", id: messageId("msg"), role: "assistant", status: "completed", content };
  }
  const { call, args, id } = move;
  const frame = { call_id: id, name: call.name, status: "completed", ...(call.group && { namespace: call.group }) };
  return call.definition.type === "custom"
    ? { ...frame, type: "custom_tool_call", id: `ctc_${id}`, input: String(args.input) }
    : { ...frame, type: "function_call", id: `fc_${id}`, arguments: JSON.stringify(args) };
}

const gemini: Speech = {
  answers: (path) => /enerateContent$/.test(path),
  read(body) {
    const parts = list(body.contents).flatMap((content) => list(content.parts));
    return {
      tools: list(body.tools)
        .flatMap((tool) => list(tool.functionDeclarations))
        .map((tool) => ({ name: String(tool.name), definition: tool })),
      results: parts
        .filter((part) => part.functionResponse)
        .map((part) => asText((part.functionResponse as Json).response)),
      prompt: JSON.stringify(body.systemInstruction ?? "") + parts.map(({ text }) => String(text ?? "")).join("\n"),
    };
  },
  write(move, body, path) {
    const wanted = (body.generationConfig as Json | undefined)?.responseJsonSchema as Json | undefined;
    const part =
      "call" in move
        ? { functionCall: { name: move.call.name, args: move.args, id: move.id } }
        : { text: wanted ? JSON.stringify(filled(wanted)) : move.say };
    const answer = {
      candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: "scripted",
    };
    return path.endsWith("streamGenerateContent") ? `data: ${JSON.stringify(answer)}\n\n` : JSON.stringify(answer);
  },
};

/** Some object of the form a client asked for: Gemini CLI has its own questions to the model beside the turn. */
function filled(schema: Json): Json {
  const values: Record<string, unknown> = { number: 1, integer: 1, boolean: false, array: [], string: "x" };
  return Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, field]) => [
      name,
      list(field.enum)[0] ?? values[String(field.type).toLowerCase()] ?? {},
    ]),
  );
}

export const SPEECHES: readonly Speech[] = [anthropic, chat, responses, gemini];

import {
  acceptedContent,
  type CallToolResult,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  type McpRequestContext,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/** What the conformance suite calls by name. It rides on the production HTTP stack; nothing of it is in the product. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

const text = (value: string): CallToolResult => ({ content: [{ type: "text", text: value }] });
const image = { type: "image" as const, data: PIXEL, mimeType: "image/png" };
const embedded = (uri: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType: "text/plain", text: "This is an embedded resource content." },
});
const state = createRequestStateCodec({
  key: new TextEncoder().encode("conformance-fixture-key-32-bytes!"),
  ttlSeconds: 60,
});
const nameForm = { type: "object" as const, properties: { name: { type: "string" as const } }, required: ["name"] };
const askName = (message = "What is your name?") => inputRequired.elicit({ message, requestedSchema: nameForm });
const askCapital = () =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
    maxTokens: 100,
  });

const EVERY_KEYWORD = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object" as const,
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

export function conformanceServer(_request: McpRequestContext): McpServer {
  const server = new McpServer(
    { name: "bookwheel-conformance", version: "0" },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false },
        logging: {},
        completions: {},
      },
      requestState: { verify: state.verify },
      cacheHints: {
        "tools/list": { ttlMs: 1000, cacheScope: "private" },
        "prompts/list": { ttlMs: 1000, cacheScope: "private" },
        "resources/list": { ttlMs: 1000, cacheScope: "private" },
        "resources/templates/list": { ttlMs: 1000, cacheScope: "private" },
        "resources/read": { ttlMs: 1000, cacheScope: "private" },
      },
    },
  );
  content(server);
  progressAndLogs(server);
  asking(server);
  resources(server);
  prompts(server);
  return server;
}

function content(server: McpServer) {
  server.registerTool("test_simple_text", { description: "Text." }, async () =>
    text("This is a simple text response for testing."),
  );
  server.registerTool("test_image_content", { description: "Image." }, async () => ({ content: [image] }));
  server.registerTool("test_audio_content", { description: "Audio." }, async () => ({
    content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }],
  }));
  server.registerTool("test_embedded_resource", { description: "Resource." }, async () => ({
    content: [embedded("test://embedded-resource")],
  }));
  server.registerTool("test_multiple_content_types", { description: "Several." }, async () => ({
    content: [{ type: "text", text: "Multiple content types test:" }, image, embedded("test://mixed-content-resource")],
  }));
  server.registerTool("test_error_handling", { description: "Fails." }, async () => ({
    ...text("This tool intentionally returns an error for testing"),
    isError: true,
  }));
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Keeps its schema.", inputSchema: fromJsonSchema(EVERY_KEYWORD) },
    async () => text("ok"),
  );
  server.registerTool(
    "test_header_mirroring",
    {
      description: "Mirrors a parameter.",
      inputSchema: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }),
    },
    async ({ region }) => text(region),
  );
}

function progressAndLogs(server: McpServer) {
  server.registerTool("test_tool_with_progress", { description: "Progress." }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100])
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
    return text("done");
  });
  for (const name of ["test_tool_with_logging", "test_logging_tool"])
    server.registerTool(name, { description: "Logs." }, async (ctx) => {
      for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"])
        await ctx.mcpReq.log("info", message);
      return text("done");
    });
}

function asking(server: McpServer) {
  server.registerTool(
    "test_sampling",
    { description: "Samples.", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx) => {
      const answer = await ctx.mcpReq.requestSampling({
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      });
      return text(`LLM response: ${JSON.stringify(answer.content)}`);
    },
  );
  server.registerTool(
    "test_elicitation",
    { description: "Asks.", inputSchema: z.object({ message: z.string() }) },
    async ({ message }, ctx) => {
      const answer = await ctx.mcpReq.elicitInput({ message, requestedSchema: nameForm });
      return text(`User response: ${JSON.stringify(answer)}`);
    },
  );

  server.registerTool("test_input_required_result_elicitation", { description: "Asks." }, async (ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, "user_name", z.object({ name: z.string() }));
    return answer ? text(`Hello, ${answer.name}!`) : inputRequired({ inputRequests: { user_name: askName() } });
  });
  server.registerTool("test_streaming_elicitation", { description: "Asks." }, async (ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, "user_name", z.object({ name: z.string() }));
    return answer ? text(`Hello, ${answer.name}!`) : inputRequired({ inputRequests: { user_name: askName() } });
  });
  server.registerTool("test_input_required_result_sampling", { description: "Samples." }, async (ctx) =>
    inputResponse(ctx.mcpReq.inputResponses, "capital_question").kind === "missing"
      ? inputRequired({ inputRequests: { capital_question: askCapital() } })
      : text("The capital was named."),
  );
  server.registerTool("test_input_required_result_list_roots", { description: "Roots." }, async (ctx) =>
    inputResponse(ctx.mcpReq.inputResponses, "client_roots").kind === "missing"
      ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
      : text("Roots were listed."),
  );
  server.registerTool("test_missing_capability", { description: "Samples." }, async () =>
    inputRequired({ inputRequests: { question: askCapital() } }),
  );
  server.registerTool("test_input_required_result_request_state", { description: "State." }, async (ctx) =>
    inputResponse(ctx.mcpReq.inputResponses, "confirm").kind === "missing"
      ? inputRequired({ inputRequests: { confirm: confirm() }, requestState: await state.mint({ step: 1 }) })
      : text("state-ok"),
  );
  server.registerTool("test_input_required_result_tampered_state", { description: "State." }, async (ctx) =>
    inputResponse(ctx.mcpReq.inputResponses, "confirm").kind === "missing"
      ? inputRequired({ inputRequests: { confirm: confirm() }, requestState: await state.mint({ step: 1 }) })
      : text("state-ok"),
  );
  server.registerTool("test_input_required_result_multiple_inputs", { description: "Several." }, async (ctx) =>
    inputResponse(ctx.mcpReq.inputResponses, "user_name").kind === "missing"
      ? inputRequired({
          inputRequests: { user_name: askName(), greeting: askCapital(), client_roots: inputRequired.listRoots() },
          requestState: await state.mint({}),
        })
      : text("All inputs came."),
  );
  server.registerTool("test_input_required_result_multi_round", { description: "Rounds." }, async (ctx) => {
    const round = ctx.mcpReq.requestState<{ round: number }>()?.round ?? 0;
    if (round === 0)
      return inputRequired({
        inputRequests: { step1: askName("Step 1: What is your name?") },
        requestState: await state.mint({ round: 1 }),
      });
    if (round === 1)
      return inputRequired({
        inputRequests: { step2: askName("Step 2: What is your favorite color?") },
        requestState: await state.mint({ round: 2 }),
      });
    return text("Both rounds came.");
  });
  server.registerTool(
    "test_input_required_result_capabilities",
    { description: "Only what the client can." },
    async (ctx) => {
      const envelope = ctx.mcpReq.envelope as
        | Record<string, { sampling?: object; elicitation?: object } | undefined>
        | undefined;
      const capabilities = envelope?.["io.modelcontextprotocol/clientCapabilities"];
      if (ctx.mcpReq.inputResponses) return text("ok");
      const inputRequests = {
        ...(capabilities?.sampling ? { sample: askCapital() } : {}),
        ...(capabilities?.elicitation ? { name: askName() } : {}),
      };
      return Object.keys(inputRequests).length ? inputRequired({ inputRequests }) : text("nothing can be asked");
    },
  );
}

const confirm = () =>
  inputRequired.elicit({
    message: "Please confirm",
    requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
  });

function resources(server: McpServer) {
  server.registerResource("static-text", "test://static-text", { mimeType: "text/plain" }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: "text/plain", text: "This is the content of the static text resource." }],
  }));
  server.registerResource("static-binary", "test://static-binary", { mimeType: "image/png" }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: "image/png", blob: PIXEL }],
  }));
  server.registerResource("watched", "test://watched-resource", { mimeType: "text/plain" }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: "text/plain", text: "watched" }],
  }));
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { mimeType: "application/json" },
    async (uri, { id }) => {
      if (!id) throw new ResourceNotFoundError(uri.href);
      return {
        contents: [
          {
            uri: uri.href,
            mimeType: "application/json",
            text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
          },
        ],
      };
    },
  );
}

function prompts(server: McpServer) {
  const user = (block: object) => ({
    messages: [{ role: "user" as const, content: block as { type: "text"; text: string } }],
  });
  server.registerPrompt("test_simple_prompt", { description: "Simple." }, () =>
    user({ type: "text", text: "This is a simple prompt for testing." }),
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "Arguments.",
      argsSchema: z.object({
        arg1: completable(z.string(), (value) => ["paris", "park", "party"].filter((word) => word.startsWith(value))),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => user({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "Resource.", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => user(embedded(resourceUri)),
  );
  server.registerPrompt("test_prompt_with_image", { description: "Image." }, () => user(image));
  server.registerPrompt("test_input_required_result_prompt", { description: "Asks." }, async (ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, "user_context", z.object({ context: z.string() }));
    if (answer) return user({ type: "text", text: answer.context });
    return inputRequired({
      inputRequests: {
        user_context: inputRequired.elicit({
          message: "Which context?",
          requestedSchema: { type: "object", properties: { context: { type: "string" } }, required: ["context"] },
        }),
      },
    });
  });
}

// One turn with OpenAI Agents; STRICT=1 for its converter to strict schemas.
import { Agent, MCPServerStreamableHttp, OpenAIProvider, Runner, setTracingDisabled } from "@openai/agents";

setTracingDisabled(true);
const server = new MCPServerStreamableHttp({ url: process.env.MCP_URL, name: "bookwheel", cacheToolsList: true });
await server.connect();
const agent = new Agent({
  name: "scripted",
  model: "scripted",
  mcpServers: [server],
  mcpConfig: { convertSchemasToStrict: process.env.STRICT === "1" },
});
const modelProvider = new OpenAIProvider({
  apiKey: "none",
  baseURL: `${process.env.MODEL_URL}/v1`,
  useResponses: true,
});
const runner = new Runner({ modelProvider, tracingDisabled: true });
const { finalOutput } = await runner.run(agent, "Follow your plan.", { maxTurns: 12 });
console.log(finalOutput);
await server.close();

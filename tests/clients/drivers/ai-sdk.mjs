// One turn with the Vercel AI SDK: MCP_URL's tools, MODEL_URL's model.
import { createMCPClient } from "@ai-sdk/mcp";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount } from "ai";

const client = await createMCPClient({ transport: { type: "http", url: process.env.MCP_URL } });
const openai = createOpenAI({ baseURL: `${process.env.MODEL_URL}/v1`, apiKey: "none" });
const { text, warnings } = await generateText({
  model: openai.chat("scripted"),
  tools: await client.tools(),
  prompt: "Follow your plan.",
  stopWhen: isStepCount(12),
});
console.log(text);
for (const warning of warnings ?? []) console.log("warning:", JSON.stringify(warning));
await client.close();

// One turn with LangChain's MCP adapters.
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";

const client = new MultiServerMCPClient({
  mcpServers: { bookwheel: { transport: "http", url: process.env.MCP_URL } },
});
const model = new ChatOpenAI({
  model: "scripted",
  apiKey: "none",
  configuration: { baseURL: `${process.env.MODEL_URL}/v1` },
});
const agent = createAgent({ model, tools: await client.getTools() });
const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Follow your plan." }] });
console.log(messages.at(-1).content);
await client.close();

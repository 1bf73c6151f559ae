import { join } from "node:path";
import { shellWord } from "./console.js";

export interface Place {
  platform: NodeJS.Platform;
  home: string;
  cwd: string;
}

/** How a client reaches Bookwheel, before any client's own spelling. */
export interface Connection {
  /** The program a client starts for stdio. */
  command: string;
  args: string[];
  /** The URL of a running server. */
  url: string;
  /** The server asks for a token of its own. */
  needsToken: boolean;
  /** The Readwise key itself, where the owner wants it in the file; otherwise clients get the name of the variable. */
  key?: string | undefined;
}

type Json = { [name: string]: unknown };

/** The part of a client's settings file: members of a JSON document, or a TOML table. */
export type Snippet =
  | { format: "json"; servers: string; entry: Json; inputs?: Json[] }
  | { format: "toml"; table: string; text: string }
  | { format: "text"; text: string };

export interface Client {
  title: string;
  /** Undefined where there is no file to write. */
  file?(place: Place): string;
  stdio?(connection: Connection): Snippet;
  http?(connection: Connection): Snippet;
  /** What the user has to do next. */
  next(connection: Connection, http: boolean): string[];
}

const KEY = "READWISE_API_KEY";
const TOKEN = "BOOKWHEEL_TOKEN";
export const SERVER_NAME = "bookwheel";

/** The folder where desktop programs of a platform keep their settings. */
function settingsFolder({ platform, home }: Place): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return platform === "win32" ? join(home, "AppData", "Roaming") : join(home, ".config");
}

type Secret = typeof KEY | typeof TOKEN;

/** Inputs that VS Code asks for instead of reading a variable. */
const INPUTS: Record<Secret, Json & { id: string }> = {
  [KEY]: { type: "promptString", id: "readwise-key", description: "Readwise access token", password: true },
  [TOKEN]: { type: "promptString", id: "bookwheel-token", description: "Bookwheel server token", password: true },
};

/** The two headers a server may want, with each value as `spell` writes it. */
const headers = ({ key, needsToken }: Connection, spell: (variable: Secret) => string): Json => ({
  ...(needsToken ? { Authorization: `Bearer ${spell(TOKEN)}` } : {}),
  "X-Readwise-Token": key ?? spell(KEY),
});

/** A client whose settings are members of a JSON file. */
interface JsonClient extends Pick<Client, "title"> {
  file(place: Place): string;
  /** The member of the file that holds the servers. */
  servers?: string;
  /** How the file names a variable of the shell; undefined where the client hands none on. */
  variable?(name: Secret): string;
  /** The entry of a program to start, and of a server that is running. */
  stdio(program: { command: string; args: string[]; env?: Json }): Json;
  http?(server: { url: string; headers: Json }): Json;
  /** What the client asks the user for. */
  inputs?(connection: Connection, http: boolean): Json[];
  first?: Client["next"];
  last?: string[];
}

function jsonClient(client: JsonClient): Client {
  const { title, file, servers = "mcpServers", variable, stdio, http, inputs, first, last = [] } = client;
  const snippet = (entry: Json, connection: Connection, overHttp: boolean): Snippet => ({
    format: "json",
    servers,
    entry,
    inputs: inputs?.(connection, overHttp) ?? [],
  });
  return {
    title,
    file,
    stdio(connection) {
      const { command, args, key = variable?.(KEY) } = connection;
      return snippet(stdio({ command, args, ...(key ? { env: { [KEY]: key } } : {}) }), connection, false);
    },
    ...(http &&
      variable && {
        http: (connection) =>
          snippet(http({ url: connection.url, headers: headers(connection, variable) }), connection, true),
      }),
    next(connection, overHttp) {
      if (inputs) return [...(first?.(connection, overHttp) ?? []), ...last];
      const keys = variable ? fromShell(connection, overHttp) : connection.key ? [] : [handsOnNothing(title)];
      return [...(first?.(connection, overHttp) ?? []), ...keys, ...last];
    },
  };
}

const fromShell = ({ key, needsToken }: Connection, http: boolean) => [
  ...(key ? [] : [`It takes the key from ${KEY} of the shell it starts from.`]),
  ...(http && needsToken ? [`The server's token comes from ${TOKEN} in the same way.`] : []),
];
const handsOnNothing = (title: string) =>
  `${title} hands on no variables of the shell. For the Readwise shelf add "env": { "${KEY}": "…" } to the entry, or let --with-key put in the one that is set here.`;

/** Gemini CLI, and Qwen Code that was made from it. */
const geminiLike = (title: string, folder: string) =>
  jsonClient({
    title,
    file: ({ home }) => join(home, folder, "settings.json"),
    variable: (name) => `$${name}`,
    stdio: (program) => program,
    http: ({ url, headers }) => ({ httpUrl: url, headers }),
    last: [`/mcp inside ${title} lists it.`],
  });

export const CLIENTS: Readonly<Record<string, Client>> = {
  "claude-desktop": jsonClient({
    title: "Claude Desktop",
    file: (place) => join(settingsFolder(place), "Claude", "claude_desktop_config.json"),
    stdio: (program) => program,
    last: ["Quit Claude Desktop and open it again."],
  }),

  "claude-code": jsonClient({
    title: "Claude Code",
    file: ({ cwd }) => join(cwd, ".mcp.json"),
    variable: (name) => `\${${name}:-}`,
    stdio: (program) => ({ type: "stdio", ...program }),
    http: (server) => ({ type: "http", ...server }),
    first: ({ url, needsToken, command, args }, http) => [
      "The file is this folder's, and waits for your approval: start claude there once and agree.",
      "For all folders, in a shell that has the key:",
      http
        ? `  claude mcp add --scope user --transport http ${SERVER_NAME} ${url}${needsToken ? ` --header "Authorization: Bearer $${TOKEN}"` : ""} --header "X-Readwise-Token: $${KEY}"`
        : `  claude mcp add --env ${KEY}="$${KEY}" --scope user ${SERVER_NAME} -- ${[command, ...args].map(shellWord).join(" ")}`,
    ],
    last: ["/mcp inside Claude Code shows whether it is connected."],
  }),

  cursor: jsonClient({
    title: "Cursor",
    file: ({ home }) => join(home, ".cursor", "mcp.json"),
    variable: (name) => `\${env:${name}}`,
    stdio: (program) => program,
    http: (server) => server,
    last: ["Restart Cursor."],
  }),

  vscode: jsonClient({
    title: "VS Code",
    file: (place) => join(settingsFolder(place), "Code", "User", "mcp.json"),
    servers: "servers",
    variable: (name) => `\${input:${INPUTS[name].id}}`,
    stdio: (program) => ({ type: "stdio", ...program }),
    http: (server) => ({ type: "http", ...server }),
    inputs: ({ key, needsToken }, http) => [
      ...(http && needsToken ? [INPUTS[TOKEN]] : []),
      ...(key ? [] : [INPUTS[KEY]]),
    ],
    first: ({ key }) => (key ? [] : ["VS Code asks for the key once and keeps it among its secrets."]),
    last: ["The command 'MCP: List Servers' starts it. The same text in .vscode/mcp.json is for one folder."],
  }),

  codex: {
    title: "Codex",
    file: ({ home }) => join(home, ".codex", "config.toml"),
    stdio: ({ command, args, key }) =>
      toml(
        `command = ${tomlString(command)}`,
        `args = [${args.map(tomlString).join(", ")}]`,
        key ? `env = { ${KEY} = ${tomlString(key)} }` : `env_vars = [${tomlString(KEY)}]`,
      ),
    http: ({ url, needsToken, key }) =>
      toml(
        `url = ${tomlString(url)}`,
        ...(needsToken ? [`bearer_token_env_var = ${tomlString(TOKEN)}`] : []),
        key
          ? `http_headers = { "X-Readwise-Token" = ${tomlString(key)} }`
          : `env_http_headers = { "X-Readwise-Token" = ${tomlString(KEY)} }`,
      ),
    next: (connection, http) => [...fromShell(connection, http), "/mcp inside Codex lists it."],
  },

  gemini: geminiLike("Gemini CLI", ".gemini"),
  qwen: geminiLike("Qwen Code", ".qwen"),

  copilot: jsonClient({
    title: "Copilot CLI",
    file: ({ home }) => join(home, ".copilot", "mcp-config.json"),
    variable: (name) => `\${${name}}`,
    stdio: (program) => ({ type: "local", ...program, tools: ["*"] }),
    http: (server) => ({ type: "http", ...server, tools: ["*"] }),
    last: ["/mcp inside Copilot lists it."],
  }),

  opencode: jsonClient({
    title: "opencode",
    file: ({ home }) => join(home, ".config", "opencode", "opencode.json"),
    servers: "mcp",
    variable: (name) => `{env:${name}}`,
    stdio: ({ command, args, env }) => ({
      type: "local",
      command: [command, ...args],
      environment: env,
      enabled: true,
    }),
    http: (server) => ({ type: "remote", ...server, enabled: true }),
  }),

  cline: jsonClient({
    title: "Cline",
    file: ({ home }) => join(home, ".cline", "data", "settings", "cline_mcp_settings.json"),
    stdio: (program) => ({ ...program, disabled: false, autoApprove: [] }),
    last: [
      "In an editor the same text goes in under MCP Servers, Configure. A running server: cline mcp add bookwheel --transport http --yes URL",
    ],
  }),

  continue: {
    title: "Continue",
    stdio: ({ command, args, key }) =>
      yaml(
        `command: ${JSON.stringify(command)}`,
        `args: ${JSON.stringify(args)}`,
        "env:",
        `  ${KEY}: ${JSON.stringify(key ?? `\${{ secrets.${KEY} }}`)}`,
      ),
    http: (connection) =>
      yaml(
        "type: streamable-http",
        `url: ${JSON.stringify(connection.url)}`,
        "requestOptions:",
        `  headers: ${JSON.stringify(headers(connection, (variable) => `\${{ secrets.${variable} }}`))}`,
      ),
    next: () => ["In ~/.continue/config.yaml. Secrets are read from ~/.continue/.env."],
  },

  http: {
    title: "any client over HTTP",
    http: ({ url, needsToken }) => ({
      format: "text",
      text: [
        `url      ${url}`,
        ...(needsToken ? [`header   Authorization: Bearer $${TOKEN}`] : []),
        `header   X-Readwise-Token: $${KEY}`,
        "",
        `curl -s ${shellWord(url)} -H 'content-type: application/json' -H 'accept: application/json, text/event-stream'${needsToken ? ` -H "authorization: Bearer $${TOKEN}"` : ""} -H "x-readwise-token: $${KEY}" -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
      ].join("\n"),
    }),
    next: () => ["'bookwheel serve' has to be running there. It is Streamable HTTP without sessions."],
  },
};

function toml(...lines: string[]): Snippet {
  const table = `mcp_servers.${SERVER_NAME}`;
  return { format: "toml", table, text: [`[${table}]`, ...lines].join("\n") };
}

function yaml(...lines: string[]): Snippet {
  const text = ["mcpServers:", `  - name: ${SERVER_NAME}`, ...lines.map((line) => `    ${line}`)].join("\n");
  return { format: "text", text };
}

/** A TOML basic string takes the escapes of JSON. */
const tomlString = (text: string) => JSON.stringify(text);

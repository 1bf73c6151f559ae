import { join } from "node:path";

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

const keyFromShell = ({ key }: Connection) =>
  key ? [] : [`It takes the key from ${KEY} of the shell it starts from.`];
const tokenFromShell = ({ needsToken }: Connection, http: boolean) =>
  http && needsToken ? [`The server's token comes from ${TOKEN} in the same way.`] : [];

/** Gemini CLI, and Qwen Code that was made from it: `$NAME` in a value is a variable of the shell. */
function geminiLike(title: string, folder: string): Client {
  return {
    title,
    file: ({ home }) => join(home, folder, "settings.json"),
    stdio: ({ command, args, key }) => ({
      format: "json",
      servers: "mcpServers",
      entry: { command, args, env: { [KEY]: key ?? `$${KEY}` } },
    }),
    http: (connection) => ({
      format: "json",
      servers: "mcpServers",
      entry: { httpUrl: connection.url, headers: headers(connection, (variable) => `$${variable}`) },
    }),
    next: (connection, http) => [
      ...keyFromShell(connection),
      ...tokenFromShell(connection, http),
      `/mcp inside ${title} lists it.`,
    ],
  };
}

export const CLIENTS: Readonly<Record<string, Client>> = {
  "claude-desktop": {
    title: "Claude Desktop",
    file: (place) => join(settingsFolder(place), "Claude", "claude_desktop_config.json"),
    stdio: ({ command, args, key }) => ({
      format: "json",
      servers: "mcpServers",
      entry: { command, args, ...(key ? { env: { [KEY]: key } } : {}) },
    }),
    next: ({ key }) => [
      ...(key
        ? []
        : [
            `Claude Desktop hands on no variables of the shell. For the Readwise shelf add "env": { "${KEY}": "…" } to the entry, or let --with-key put in the one that is set here.`,
          ]),
      "Quit Claude Desktop and open it again.",
    ],
  },

  "claude-code": {
    title: "Claude Code",
    file: ({ cwd }) => join(cwd, ".mcp.json"),
    stdio: ({ command, args, key }) => ({
      format: "json",
      servers: "mcpServers",
      entry: { type: "stdio", command, args, env: { [KEY]: key ?? `\${${KEY}:-}` } },
    }),
    http: (connection) => ({
      format: "json",
      servers: "mcpServers",
      entry: { type: "http", url: connection.url, headers: headers(connection, (variable) => `\${${variable}:-}`) },
    }),
    next: (connection, http) => [
      "The file is this folder's, and waits for your approval: start claude there once and agree.",
      "For all folders, in a shell that has the key:",
      http
        ? `  claude mcp add --scope user --transport http ${SERVER_NAME} ${connection.url}${connection.needsToken ? ` --header "Authorization: Bearer $${TOKEN}"` : ""} --header "X-Readwise-Token: $${KEY}"`
        : `  claude mcp add --env ${KEY}="$${KEY}" --scope user ${SERVER_NAME} -- ${[connection.command, ...connection.args].map(shellWord).join(" ")}`,
      ...keyFromShell(connection),
      ...tokenFromShell(connection, http),
      "/mcp inside Claude Code shows whether it is connected.",
    ],
  },

  cursor: {
    title: "Cursor",
    file: ({ home }) => join(home, ".cursor", "mcp.json"),
    stdio: ({ command, args, key }) => ({
      format: "json",
      servers: "mcpServers",
      entry: { command, args, env: { [KEY]: key ?? `\${env:${KEY}}` } },
    }),
    http: (connection) => ({
      format: "json",
      servers: "mcpServers",
      entry: { url: connection.url, headers: headers(connection, (variable) => `\${env:${variable}}`) },
    }),
    next: (connection, http) => [...keyFromShell(connection), ...tokenFromShell(connection, http), "Restart Cursor."],
  },

  vscode: {
    title: "VS Code",
    file: (place) => join(settingsFolder(place), "Code", "User", "mcp.json"),
    stdio: ({ command, args, key }) => ({
      format: "json",
      servers: "servers",
      entry: { type: "stdio", command, args, env: { [KEY]: key ?? `\${input:${INPUTS[KEY].id}}` } },
      inputs: key ? [] : [INPUTS[KEY]],
    }),
    http: (connection) => ({
      format: "json",
      servers: "servers",
      entry: {
        type: "http",
        url: connection.url,
        headers: headers(connection, (variable) => `\${input:${INPUTS[variable].id}}`),
      },
      inputs: [...(connection.needsToken ? [INPUTS[TOKEN]] : []), ...(connection.key ? [] : [INPUTS[KEY]])],
    }),
    next: ({ key }) => [
      ...(key ? [] : ["VS Code asks for the key once and keeps it among its secrets."]),
      "The command 'MCP: List Servers' starts it. The same text in .vscode/mcp.json is for one folder.",
    ],
  },

  codex: {
    title: "Codex",
    file: ({ home }) => join(home, ".codex", "config.toml"),
    stdio: ({ command, args, key }) => ({
      format: "toml",
      table: `mcp_servers.${SERVER_NAME}`,
      text: [
        `[mcp_servers.${SERVER_NAME}]`,
        `command = ${tomlString(command)}`,
        `args = [${args.map(tomlString).join(", ")}]`,
        key ? `env = { ${KEY} = ${tomlString(key)} }` : `env_vars = [${tomlString(KEY)}]`,
      ].join("\n"),
    }),
    http: ({ url, needsToken, key }) => ({
      format: "toml",
      table: `mcp_servers.${SERVER_NAME}`,
      text: [
        `[mcp_servers.${SERVER_NAME}]`,
        `url = ${tomlString(url)}`,
        ...(needsToken ? [`bearer_token_env_var = ${tomlString(TOKEN)}`] : []),
        key
          ? `http_headers = { "X-Readwise-Token" = ${tomlString(key)} }`
          : `env_http_headers = { "X-Readwise-Token" = ${tomlString(KEY)} }`,
      ].join("\n"),
    }),
    next: (connection, http) => [
      ...keyFromShell(connection),
      ...tokenFromShell(connection, http),
      "/mcp inside Codex lists it.",
    ],
  },

  gemini: geminiLike("Gemini CLI", ".gemini"),
  qwen: geminiLike("Qwen Code", ".qwen"),

  copilot: {
    title: "Copilot CLI",
    file: ({ home }) => join(home, ".copilot", "mcp-config.json"),
    stdio: ({ command, args, key }) => ({
      format: "json",
      servers: "mcpServers",
      entry: { type: "local", command, args, env: { [KEY]: key ?? `\${${KEY}}` }, tools: ["*"] },
    }),
    http: (connection) => ({
      format: "json",
      servers: "mcpServers",
      entry: {
        type: "http",
        url: connection.url,
        headers: headers(connection, (variable) => `\${${variable}}`),
        tools: ["*"],
      },
    }),
    next: (connection, http) => [
      ...keyFromShell(connection),
      ...tokenFromShell(connection, http),
      "/mcp inside Copilot lists it.",
    ],
  },

  opencode: {
    title: "opencode",
    file: ({ home }) => join(home, ".config", "opencode", "opencode.json"),
    stdio: ({ command, args, key }) => ({
      format: "json",
      servers: "mcp",
      entry: {
        type: "local",
        command: [command, ...args],
        environment: { [KEY]: key ?? `{env:${KEY}}` },
        enabled: true,
      },
    }),
    http: (connection) => ({
      format: "json",
      servers: "mcp",
      entry: {
        type: "remote",
        url: connection.url,
        headers: headers(connection, (variable) => `{env:${variable}}`),
        enabled: true,
      },
    }),
    next: (connection, http) => [...keyFromShell(connection), ...tokenFromShell(connection, http)],
  },

  cline: {
    title: "Cline",
    file: ({ home }) => join(home, ".cline", "data", "settings", "cline_mcp_settings.json"),
    stdio: ({ command, args, key }) => ({
      format: "json",
      servers: "mcpServers",
      entry: { command, args, ...(key ? { env: { [KEY]: key } } : {}), disabled: false, autoApprove: [] },
    }),
    next: ({ key }) => [
      ...(key
        ? []
        : [
            `Cline hands on no variables of the shell. For the Readwise shelf add "env": { "${KEY}": "…" } to the entry, or let --with-key put in the one that is set here.`,
          ]),
      "In an editor the same text goes in under MCP Servers, Configure. A running server: cline mcp add bookwheel --transport http --yes URL",
    ],
  },

  continue: {
    title: "Continue",
    stdio: ({ command, args, key }) => ({
      format: "text",
      text: [
        "mcpServers:",
        `  - name: ${SERVER_NAME}`,
        `    command: ${JSON.stringify(command)}`,
        `    args: ${JSON.stringify(args)}`,
        "    env:",
        `      ${KEY}: ${JSON.stringify(key ?? `\${{ secrets.${KEY} }}`)}`,
      ].join("\n"),
    }),
    http: (connection) => ({
      format: "text",
      text: [
        "mcpServers:",
        `  - name: ${SERVER_NAME}`,
        "    type: streamable-http",
        `    url: ${JSON.stringify(connection.url)}`,
        "    requestOptions:",
        `      headers: ${JSON.stringify(headers(connection, (variable) => `\${{ secrets.${variable} }}`))}`,
      ].join("\n"),
    }),
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

/** A TOML basic string takes the escapes of JSON. */
const tomlString = (text: string) => JSON.stringify(text);

const shellWord = (word: string) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

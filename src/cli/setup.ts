import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { type Config, type Flags, isLoopback } from "../config/config.js";
import { flagOf, SETTING_NAMES, SETTINGS, type Setting } from "../config/settings.js";
import { CLIENTS, type Connection, type Place, SERVER_NAME, type Snippet } from "./clients.js";
import { type Console, misused } from "./console.js";
import { mergeSettings } from "./merge-settings.js";

/** The profiles that set-up enables; the default of the variable stays as in the contract. */
const USUAL_PROFILES = "readwise,reader,write";

export interface SetupDeps extends Console {
  config: Pick<Config, "HOST" | "PORT" | "READWISE_API_KEY" | "BOOKWHEEL_TOKEN" | "TLS_CERT_FILE">;
  place: Place;
  /** The Node that runs us, and the file it runs. */
  node: string;
  program: string;
}

/** `bookwheel setup CLIENT`: exit code 0, 1 if the file was not changed, 2 for wrong usage. */
export async function setupCommand(
  { positionals, flags }: { positionals: readonly string[]; flags: Flags },
  deps: SetupDeps,
): Promise<number> {
  const { print, complain, place } = deps;
  const client = CLIENTS[positionals[0] ?? ""];
  if (!client)
    return misused(
      deps,
      `Which client? There are: ${Object.keys(CLIENTS).join(", ")}. For example: bookwheel setup claude-code`,
    );
  if (flags["with-key"] && !deps.config.READWISE_API_KEY)
    return misused(deps, "--with-key puts READWISE_API_KEY into the configuration, but it is not set here.");
  const http = flags.http === true || !client.stdio;
  const connection = connectionOf(flags, deps);
  const snippet = http ? client.http?.(connection) : client.stdio?.(connection);
  if (!snippet)
    return misused(
      deps,
      `The settings file of ${client.title} names programs to start, not addresses: leave out --http. A server on the internet is added there under Settings, Connectors.`,
    );
  const file = client.file?.(place);
  if (flags.write) {
    if (snippet.format === "text" || !file)
      return misused(deps, `There is no file to write for ${client.title}: leave out --write.`);
    return await write(file, snippet, client.next(connection, http), flags.yes === true, deps);
  }
  print(shown(snippet));
  if (file) complain(`\nFor ${client.title}, in ${file}. With --write it is put there, beside what the file holds.`);
  for (const line of client.next(connection, http)) complain(line);
  return 0;
}

async function write(
  file: string,
  snippet: Exclude<Snippet, { format: "text" }>,
  next: readonly string[],
  agreed: boolean,
  { print, complain, ask }: SetupDeps,
): Promise<number> {
  const there = existsSync(file);
  const merge = mergeSettings(there ? readFileSync(file, "utf8") : "", snippet);
  if ("problem" in merge) {
    complain(`${file} was left alone: ${merge.problem}. Put this in by hand:\n`);
    print(shown(snippet));
    return 1;
  }
  if (merge.state === "unchanged") {
    complain(`${file} has it already.`);
    return 0;
  }
  complain(`${shown(snippet)}\n`);
  const deed = !there ? "Create" : merge.state === "replaced" ? `Replace '${SERVER_NAME}' in` : "Add this to";
  if (!agreed && !ask) {
    complain(`${file} was left alone: nobody is at a terminal to ask. --yes writes without asking.`);
    return 1;
  }
  if (!agreed && !(await ask?.(`${deed} ${file}? [y/N] `))) {
    complain("Nothing was written.");
    return 1;
  }
  const backup = replaceFile(file, merge.text);
  print(`Wrote ${file}${backup ? `; what it held before is in ${backup}` : ""}.`);
  for (const line of next) complain(line);
  return 0;
}

/** Writes atomically and keeps a copy of the old text. A symbolic link stays one. */
function replaceFile(file: string, text: string): string | undefined {
  mkdirSync(dirname(file), { recursive: true });
  const there = existsSync(file);
  const target = there ? realpathSync(file) : file;
  const stamp = new Date().toISOString().replace(/[:.]/g, "-");
  const backup = there ? `${target}.${stamp}.bak` : undefined;
  if (backup) copyFileSync(target, backup);
  const fresh = `${target}.${process.pid}.new`;
  // The file may contain keys of other servers: only its owner may read it.
  writeFileSync(fresh, text, { mode: 0o600 });
  if (there) chmodSync(fresh, statSync(target).mode & 0o777);
  renameSync(fresh, target);
  return backup;
}

function connectionOf(flags: Flags, { config, node, program }: SetupDeps): Connection {
  const handedOn = SETTING_NAMES.filter(
    (name) => !(SETTINGS[name] as Setting<unknown>).secret && !/^(PORT|HOST)$/.test(name),
  );
  const settings = [...handedOn.map(flagOf), "shelf"].flatMap((flag) => {
    const value = flags[flag];
    if (value === undefined) return [];
    if (typeof value === "boolean") return [value ? `--${flag}` : `--no-${flag}`];
    return [`--${flag}`, value];
  });
  // Without it only highlights are on offer, as contracted: no saved articles, and nothing can be written.
  const profiles =
    flags["readwise-profiles"] === undefined && (flags.shelf ?? "readwise") === "readwise"
      ? ["--readwise-profiles", USUAL_PROFILES]
      : [];
  // npx cache paths expire; use the package name.
  const unpacked = /[\\/]_npx[\\/]/.test(program);
  const host = config.HOST ?? "127.0.0.1";
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  const door = flags.shelf ? `/${flags.shelf}/mcp` : "/mcp";
  return {
    command: unpacked ? "npx" : node,
    args: [...(unpacked ? ["-y", SERVER_NAME] : [program]), "stdio", ...profiles, ...settings],
    url: `${config.TLS_CERT_FILE ? "https" : "http"}://${reachable}:${config.PORT}${door}`,
    needsToken: config.BOOKWHEEL_TOKEN !== undefined || !isLoopback(host),
    key: flags["with-key"] ? config.READWISE_API_KEY : undefined,
  };
}

function shown(snippet: Snippet): string {
  if (snippet.format !== "json") return snippet.text;
  const { servers, entry, inputs = [] } = snippet;
  return JSON.stringify({ ...(inputs.length ? { inputs } : {}), [servers]: { [SERVER_NAME]: entry } }, null, 2);
}

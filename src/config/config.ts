import { homedir } from "node:os";
import { join } from "node:path";
import { type ProfileName, resolveProfiles, SHELVES, type ShelfName } from "../catalog/profiles.js";
import { flagOf, SETTING_NAMES, SETTINGS, type Setting, type SettingName, type SettingValues } from "./settings.js";

export interface Config extends SettingValues {
  /** Where each value came from, for doctor. */
  readonly origins: Readonly<Record<SettingName, "flag" | "environment" | "default">>;
  readonly shelves: readonly ShelfName[];
  /** Whether a window can be opened on this machine. */
  readonly display: boolean;
  /** The search path for system programs, and tesseract's language folder if it is not the default. */
  readonly programs: { path: string; tessdata: string | undefined };
  readonly profiles: ReadonlySet<ProfileName>;
}

/** Everything that is wrong with the configuration, at once. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Bookwheel cannot start:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
/** Values of a command with lower priority than the environment (its defaults), and with higher priority (its requirements). */
export interface Layers {
  below?: Environment;
  above?: Environment;
}
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** The only reader of the environment. Flags win over it; bad values are reported together. */
export function readConfig(env: Environment = process.env, flags: Flags = {}, layers: Layers = {}): Config {
  const layered: Environment = { ...layers.below, ...env, ...layers.above };
  const problems: string[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  const origins = {} as Record<SettingName, "flag" | "environment" | "default">;
  for (const name of SETTING_NAMES) {
    const setting: Setting<unknown> = SETTINGS[name];
    const flag = flags[flagOf(name)];
    const text = flag === undefined ? layered[name] : String(flag);
    origins[name] = flag !== undefined ? "flag" : text ? "environment" : "default";
    values[name] = setting.fallback;
    if (text === undefined || text.trim() === "") continue;
    try {
      values[name] = setting.parse(text);
    } catch (error) {
      const shown = setting.secret ? "" : ` (it is '${text}')`;
      problems.push(`${origins[name] === "flag" ? `--${flagOf(name)}` : name} ${(error as Error).message}${shown}`);
    }
  }
  values.BOOKWHEEL_HOME ||= dataFolder(env);
  const settings = values as SettingValues;
  const shelves = SHELVES.filter((shelf) => settings.BOOKWHEEL_SHELVES.includes(shelf));
  if (settings.BOOKWHEEL_SHELVES.length === 0)
    problems.push(`BOOKWHEEL_SHELVES names no shelf; the shelves are ${SHELVES.join(", ")}`);
  for (const name of settings.BOOKWHEEL_SHELVES)
    if (!SHELVES.some((shelf) => shelf === name))
      problems.push(`BOOKWHEEL_SHELVES names '${name}'; the shelves are ${SHELVES.join(", ")}`);
  const profiles = new Set<ProfileName>();
  for (const shelf of shelves) {
    const setting = PROFILE_SETTING[shelf];
    if (settings[setting].length === 0) problems.push(`${setting} names no profile; leave it out for the usual ones`);
    const resolved = resolveProfiles(shelf, settings[setting]);
    problems.push(...resolved.problems.map((problem) => `${setting}: ${problem}`));
    for (const profile of resolved.profiles) profiles.add(profile);
  }
  problems.push(...contradictions(settings));
  if (problems.length) throw new ConfigError(problems);
  const display = process.platform !== "linux" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  const programs = { path: env.PATH ?? "", tessdata: env.TESSDATA_PREFIX };
  return { ...settings, origins, shelves, display, programs, profiles };
}

/** The setting that chooses the profiles of each shelf. */
export const PROFILE_SETTING = {
  readwise: "READWISE_PROFILES",
  notebooks: "NOTEBOOK_PROFILES",
  chunks: "CHUNK_PROFILES",
} as const;

function contradictions(settings: SettingValues): string[] {
  const problems: string[] = [];
  if (!settings.TLS_CERT_FILE !== !settings.TLS_KEY_FILE)
    problems.push("TLS_CERT_FILE and TLS_KEY_FILE belong together: set both or neither");
  if (settings.BOOKWHEEL_EMBED_URL && !settings.BOOKWHEEL_EMBED_MODEL)
    problems.push("BOOKWHEEL_EMBED_URL needs BOOKWHEEL_EMBED_MODEL, such as 'nomic-embed-text'");
  if (settings.BOOKWHEEL_EMBED_URL && settings.BOOKWHEEL_EMBED_MODEL_DIR)
    problems.push("BOOKWHEEL_EMBED_URL and BOOKWHEEL_EMBED_MODEL_DIR both choose a model: set one of them");
  return problems;
}

/** The platform's folder for application data. */
function dataFolder(env: Environment): string {
  if (process.platform === "win32") return join(env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "bookwheel");
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support", "bookwheel");
  return join(env.XDG_DATA_HOME ?? join(homedir(), ".local", "share"), "bookwheel");
}

/** The owner's shelves must not be public: checked before a socket is opened. */
export function refuseOpenShelves(config: Config): void {
  if (isLoopback(config.HOST ?? "127.0.0.1") || config.BOOKWHEEL_TOKEN) return;
  const own = config.shelves.filter((shelf) => shelf !== "readwise");
  if (own.length)
    throw new ConfigError([
      `HOST is ${config.HOST}, so others can reach the ${own.join(" and ")} shelf: set BOOKWHEEL_TOKEN, or HOST=127.0.0.1, or BOOKWHEEL_SHELVES=readwise`,
    ]);
}

/** An error of the machine at the start as a setting to change; undefined for any other error. */
export function asStartupError(error: unknown, config: Config): ConfigError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, path, hostname } = error as NodeJS.ErrnoException & { hostname?: string };
  const at = `${config.HOST}:${config.PORT}`;
  if (code === "EADDRINUSE")
    return new ConfigError([`${at} is taken by another program: end it, or choose another port with --port`]);
  if (syscall === "listen" || (syscall === "getaddrinfo" && hostname === config.HOST))
    return new ConfigError([`HOST and PORT: this machine cannot listen on ${at} (${code})`]);
  if (path?.startsWith(config.BOOKWHEEL_HOME) && /^(EACCES|EPERM|EROFS|ENOTDIR|ENOENT|EEXIST)$/.test(code ?? ""))
    return new ConfigError([`BOOKWHEEL_HOME: '${path}' cannot be written (${code}); choose a folder of your own`]);
  return undefined;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

export function secretsOf(config: Config): string[] {
  return SETTING_NAMES.filter((name) => (SETTINGS[name] as Setting<unknown>).secret)
    .map((name) => config[name])
    .filter((value): value is string => typeof value === "string");
}

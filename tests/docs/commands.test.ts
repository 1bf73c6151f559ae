import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TOOLS } from "../../src/app/tools.js";
import { parseArguments } from "../../src/cli/arguments.js";
import { CLIENTS } from "../../src/cli/clients.js";
import { COMMANDS } from "../../src/cli/commands.js";
import { readConfig } from "../../src/config/config.js";
import { ROOT } from "../support/peers.js";
import { markdown, markdownFiles, shellLines, shellWords } from "./markdown.js";

const makefile = readFileSync(join(ROOT, "Makefile"), "utf8");
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };

/** What is wrong with a command our docs show; undefined for those that are not ours to judge. */
function problemWith(line: string): string | undefined {
  const all = shellWords(line);
  const start = all.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const env = Object.fromEntries(all.slice(0, Math.max(0, start)).map((word) => word.split(/=(.*)/s).slice(0, 2)));
  const words = all.slice(Math.max(0, start));
  if (words[0] === "bookwheel") return problemWithProgram(words.slice(1), env);
  if (words[0] === "node" && words[1]?.endsWith("dist/main.js")) return problemWithProgram(words.slice(2), env);
  if (words[0] === "make")
    return words[1] && !new RegExp(`^${words[1]}:`, "m").test(makefile) ? `no target '${words[1]}'` : undefined;
  if (words[0] === "npm" && words[1] === "run") return scripts[words[2] ?? ""] ? undefined : `no script '${words[2]}'`;
  if (words[0] === "curl") return problemWithCurl(words.slice(1));
  return undefined;
}

function problemWithProgram(argv: readonly string[], env: Record<string, string>): string | undefined {
  const untilPipe = argv.slice(0, argv.findIndex((word) => /^[|>]/.test(word)) >>> 0);
  const { command, positionals, flags } = parseArguments(untilPipe);
  if (flags.help || flags.version) return undefined;
  if (!command || !COMMANDS[command]) return `no command '${command}'`;
  readConfig(env, flags);
  if (command === "setup" && !CLIENTS[positionals[0] ?? ""]) return `no client '${positionals[0]}'`;
  if (command === "call") return problemWithCall(positionals[0], JSON.parse(positionals[1] ?? "{}"));
  return undefined;
}

function problemWithCurl(words: readonly string[]): string | undefined {
  const data = words[words.indexOf("-d") + 1];
  if (!words.includes("-d")) return undefined;
  const { method, params } = JSON.parse(data!) as { method: string; params?: { name: string; arguments: unknown } };
  return method === "tools/call" ? problemWithCall(params?.name, params?.arguments) : undefined;
}

function problemWithCall(name: string | undefined, args: unknown): string | undefined {
  const tool = TOOLS.find((candidate) => candidate.name === name || candidate.doorName === name);
  if (!tool) return `no tool '${name}'`;
  const parsed = tool.input.safeParse(args);
  return parsed.success ? undefined : `${name}: ${parsed.error.message}`;
}

describe("commands in the docs", () => {
  const shown = markdownFiles().flatMap((page) => shellLines(markdown(page)).map((line) => [page, line] as const));

  it("are found", () => {
    expect(shown.length).toBeGreaterThan(15);
  });

  it.each(shown)("%s: %s", (_page, line) => {
    expect(problemWith(line)).toBeUndefined();
  });

  it("differ from those that do not exist", () => {
    expect(problemWith("make tea")).toBe("no target 'tea'");
    expect(problemWith("npm run away")).toBe("no script 'away'");
    expect(problemWith("bookwheel turn")).toBe("no command 'turn'");
    expect(() => problemWith("bookwheel serve --colour red")).toThrow(/colour/);
    expect(problemWith("bookwheel call no_tool '{}'")).toBe("no tool 'no_tool'");
    expect(problemWith(`bookwheel call cite '{"project":"p"}'`)).toMatch(/sources/);
  });
});

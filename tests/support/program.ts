import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./peers.js";

export const PROGRAM = join(ROOT, "dist", "main.js");

export interface Program {
  child: ChildProcess;
  url: string;
  home: string;
  stderr(): string;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
}

/** Settings of a test's own: nothing of the person who runs it leaks in, and nothing of it stays. */
export function cleanEnvironment(home: string, more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, TMPDIR, SystemRoot } = process.env;
  return { PATH, HOME, LANG, TMPDIR, SystemRoot, BOOKWHEEL_HOME: home, PORT: "0", ...more };
}

export const temporaryHome = () => mkdtemp(join(tmpdir(), "bookwheel-"));

/** Starts the built program and waits until it listens. */
export async function startProgram(args: readonly string[], env: Record<string, string> = {}): Promise<Program> {
  const home = await temporaryHome();
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: cleanEnvironment(home, env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr!.on("data", (part: Buffer) => {
      stderr += part;
      const listening = /"message":"listening","url":"([^"]+)"/.exec(stderr);
      if (listening) resolve(listening[1]!);
    });
    child.once("exit", (code) => reject(new Error(`the program ended with ${code}:\n${stderr}`)));
  });
  return {
    child,
    url,
    home,
    stderr: () => stderr,
    async stop() {
      const code = await exitOf(child, () => child.kill("SIGTERM"));
      await rm(home, { recursive: true, force: true });
      return code;
    },
  };
}

export const HELLO =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}\n';

/** The program as a client starts it, spoken to line by line. */
export function startStdio(home: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [PROGRAM, "stdio"], {
    env: cleanEnvironment(home, env),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (part: Buffer) => {
    stdout += part;
  });
  child.stderr.on("data", (part: Buffer) => {
    stderr += part;
  });
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    /** Waits until it has said `text`, or has ended. */
    async said(text: string): Promise<void> {
      while (!stdout.includes(text) && child.exitCode === null) await once(child.stdout, "data");
    },
  };
}

export function exitOf(child: ChildProcess, then: () => void): Promise<number | null> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once("exit", (code) => resolve(code));
    then();
  });
}

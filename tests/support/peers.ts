import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PEERS = join(ROOT, "tests", "peers", "node_modules");

/** A program of `tests/peers`, or undefined where those are not installed (`npm install --prefix tests/peers`). */
export function peer(path: string): string | undefined {
  const file = join(PEERS, path);
  return existsSync(file) ? file : undefined;
}

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end; a non-zero exit is an answer, not an exception. */
export function run(
  file: string,
  args: readonly string[],
  {
    env = {},
    cwd = ROOT,
    input,
    timeoutMs = 120_000,
    only = false,
  }: {
    env?: Record<string, string>;
    cwd?: string;
    input?: string;
    timeoutMs?: number;
    /** `env` is the whole environment. */
    only?: boolean;
  } = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(
      file,
      args,
      { cwd, env: only ? env : { ...process.env, ...env }, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error ? (typeof error.code === "number" ? error.code : 1) : 0;
        resolve({ code, stdout, stderr });
      },
    );
    if (input !== undefined) child.stdin?.end(input);
  });
}

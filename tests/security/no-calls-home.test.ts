import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { cleanEnvironment, PROGRAM } from "../support/program.js";

/** A network of its own without a route, and a trace of every system call about it: native code cannot hide there. */
const traceable = spawnSync("unshare", ["-n", "strace", "-V"], { stdio: "ignore" }).status === 0;
if (!traceable)
  console.log("skipped: tracing what is sent (needs Linux, strace, and the right to make a network namespace)");

const folder = mkdtempSync(join(tmpdir(), "bookwheel-traced-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program without a network and gives what it tried to reach, native code and started processes included. */
function reachedBy(...args: string[]): { stdout: string; tried: string[] } {
  const trace = join(folder, "trace");
  const stdout = execFileSync(
    "unshare",
    ["-n", "strace", "-f", "-qq", "-e", "trace=network", "-o", trace, process.execPath, PROGRAM, ...args],
    { encoding: "utf8", env: cleanEnvironment(folder), stdio: ["ignore", "pipe", "pipe"] },
  );
  const lines = readFileSync(trace, "utf8").split("\n");
  expect(lines.length).toBeGreaterThan(3); // processes talk to each other over sockets, so there is always something
  return { stdout, tried: lines.filter((line) => /\bAF_INET6?\b|\bAF_NETLINK\b.*connect/.test(line)) };
}

it.skipIf(!traceable)(
  "storing, embedding, reading a document and searching open no connection to anywhere",
  { timeout: 180_000 },
  () => {
    writeFileSync(join(folder, "tides.md"), "# Tides\n\nThe moon pulls first, and the shore answers later.\n");
    const ingested = reachedBy("ingest", "traced", join(folder, "tides.md"));
    expect(ingested.tried).toEqual([]);
    const found = reachedBy("call", "query_hybrid", '{"project":"traced","query":"what pulls the sea"}');
    expect(found.tried).toEqual([]);
    expect(found.stdout).toContain("The moon pulls first");
  },
);

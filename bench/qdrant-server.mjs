// A Qdrant of the benchmark's own on loopback, and what it takes; or the one at QDRANT_TEST_URL.
import { spawn, spawnSync } from "node:child_process";
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../tests/support/nginx.mjs";

const NEWLINE = 10;
const { QDRANT_TEST_URL, QDRANT_API_KEY } = process.env;
export const qdrantIsInstalled = spawnSync("qdrant", ["--version"]).status === 0;

/** Why there is none, as a sentence; undefined where there is one. */
export const missingQdrant = () =>
  qdrantIsInstalled || QDRANT_TEST_URL ? undefined : "no QDRANT_TEST_URL is set, and there is no qdrant on the PATH";

/** One request, its result parsed; a refusal is thrown. */
export function requester(url, apiKey) {
  const headers = {
    "content-type": "application/json",
    "accept-encoding": "identity",
    ...(apiKey ? { "api-key": apiKey } : {}),
  };
  return async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return JSON.parse(text).result;
  };
}

export async function openQdrant() {
  if (!qdrantIsInstalled) {
    const ask = requester(QDRANT_TEST_URL, QDRANT_API_KEY);
    return {
      url: QDRANT_TEST_URL,
      apiKey: QDRANT_API_KEY,
      ask,
      memory: () => undefined,
      disk: () => undefined,
      close: async () => {},
    };
  }
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-qdrant-bench-"));
  mkdirSync(join(folder, "snapshots"));
  const [http, grpc] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${http}`;
  const start = () =>
    spawn("qdrant", ["--disable-telemetry"], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        // With eatmydata before the command, writes to the disk are not waited for.
        ...(process.env.LD_PRELOAD && { LD_PRELOAD: process.env.LD_PRELOAD }),
        QDRANT__SERVICE__HOST: "127.0.0.1",
        QDRANT__SERVICE__HTTP_PORT: String(http),
        QDRANT__SERVICE__GRPC_PORT: String(grpc),
        QDRANT__STORAGE__STORAGE_PATH: join(folder, "storage"),
        QDRANT__STORAGE__SNAPSHOTS_PATH: join(folder, "snapshots"),
        QDRANT__TELEMETRY_DISABLED: "true",
        QDRANT__LOG_LEVEL: "WARN",
      },
      stdio: "ignore",
    });
  /** Seconds until it is ready; undefined where that takes longer than the limit. */
  const ready = async (limitSeconds) => {
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1000;
    while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`qdrant ended with ${child.exitCode ?? child.signalCode}`);
      if (seconds() > limitSeconds) return undefined;
      await delay(50);
    }
    return seconds();
  };
  const killed = async () => {
    const exit = child.exitCode === null && child.signalCode === null && new Promise((end) => child.once("exit", end));
    child.kill("SIGKILL");
    await exit;
  };
  let child = start();
  await ready(60);
  const field = (name) => {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
  };
  return {
    url,
    apiKey: undefined,
    ask: requester(url),
    /** MiB: all that is resident, and what of it is no file's. */
    memory: () => ({ resident: field("VmRSS"), anonymous: field("RssAnon") }),
    /** Seconds of processor time so far. */
    cpu() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    /** MiB of the storage folder. */
    disk: () => Number(/^\d+/.exec(spawnSync("du", ["-sm", folder], { encoding: "utf8" }).stdout)?.[0]),
    /** Memory maps and open files of the process. A list of millions of maps is longer than a string may be. */
    async handles() {
      let maps = 0;
      for await (const part of createReadStream(`/proc/${child.pid}/maps`))
        for (const byte of part) if (byte === NEWLINE) maps++;
      return { maps, files: readdirSync(`/proc/${child.pid}/fd`).length };
    },
    /** Killed and started again. */
    async restarted(limitSeconds) {
      await killed();
      child = start();
      return ready(limitSeconds);
    },
    async close() {
      await killed();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Seconds until nothing is left to index. */
export async function indexed(ask, collection, { limitSeconds = 900 } = {}) {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  for (let calm = 0; calm < 3 && seconds() < limitSeconds; ) {
    const { status, optimizer_status } = await ask("GET", `/collections/${collection}`);
    calm = status === "green" && optimizer_status === "ok" ? calm + 1 : 0;
    await delay(300);
  }
  return seconds();
}

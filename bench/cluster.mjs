// Several Bookwheel processes behind a real nginx, with one Redis and the Readwise simulator.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort, nginxIsInstalled, startNginx } from "../tests/support/nginx.mjs";

const PROGRAM = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const has = (program, ...args) => spawnSync(program, args).status === 0;

/** What is missing to run it, as a sentence; undefined where all is there. */
export function missing() {
  if (!nginxIsInstalled) return "nginx is not installed";
  if (!has("redis-server", "--version")) return "redis-server is not installed";
  if (!has("openssl", "version")) return "openssl is not installed";
  return undefined;
}

async function startRedis(folder) {
  const port = await freePort();
  const child = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"],
    { stdio: "ignore" },
  );
  while (!has("redis-cli", "-p", String(port), "ping")) await delay(50);
  const info = (section, name) => {
    const text = spawnSync("redis-cli", ["-p", String(port), "info", section], { encoding: "utf8" }).stdout;
    return Number(new RegExp(`^${name}:(\\d+)`, "m").exec(text)?.[1]);
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    memory: () => info("memory", "used_memory"),
    commands: () => info("stats", "total_commands_processed"),
    close: () => ended(child, "SIGKILL"),
  };
}

function ended(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  return exit;
}

const childrenOf = (pid) =>
  spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" })
    .stdout.trim()
    .split(/\s+/)
    .filter(Boolean);

/** One place behind nginx: its process may be killed and started again under the same address. */
async function openPlace(env) {
  const port = await freePort();
  const place = { port, address: `127.0.0.1:${port}`, up: false, child: undefined, stderr: "" };
  return Object.assign(place, {
    async start() {
      const child = spawn(process.execPath, [PROGRAM, "serve"], {
        env: { PATH: process.env.PATH, ...env, PORT: String(port) },
        stdio: ["ignore", "ignore", "pipe"],
      });
      place.child = child;
      child.stderr.on("data", (part) => {
        place.stderr = (place.stderr + part).slice(-20_000);
      });
      while (
        !(await fetch(`http://${place.address}/health`).then(
          ({ ok }) => ok,
          () => false,
        ))
      ) {
        if (child.exitCode !== null) throw new Error(`a replica ended with ${child.exitCode}:\n${place.stderr}`);
        await delay(50);
      }
      place.up = true;
    },
    async stop(signal) {
      place.up = false;
      await ended(place.child, signal);
    },
    /** Seconds of processor time that its children have used: the embedding model runs in one. */
    childCpu() {
      const seconds = (pid) => {
        const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
        return (Number(fields[11]) + Number(fields[12])) / 100;
      };
      return childrenOf(place.child.pid).reduce((sum, pid) => sum + seconds(pid), 0);
    },
    /** Bytes of memory that are the process's own, its children included. */
    memory() {
      const children = childrenOf(place.child.pid);
      const own = (pid) =>
        Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) * 1024;
      return [place.child.pid, ...children].reduce((sum, pid) => sum + own(pid), 0);
    },
    metrics: () => fetch(`http://${place.address}/metrics`).then((answer) => answer.text()),
  });
}

/**
 * @param {{ replicas?: number, readwiseUrl: string, env?: Record<string, string> }} options
 */
export async function openCluster({ replicas = 3, readwiseUrl, env = {} }) {
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-cluster-"));
  const certificate = { cert: join(folder, "tls.crt"), key: join(folder, "tls.key") };
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  spawnSync("openssl", [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-days",
    "2",
    "-keyout",
    certificate.key,
    "-out",
    certificate.cert,
    ...subject,
  ]);
  const redis = await startRedis(folder);
  const settings = {
    REDIS_URL: redis.url,
    READWISE_API_URL: readwiseUrl,
    READWISE_PROFILES: "all",
    BOOKWHEEL_HOME: join(folder, "home"),
    LOG_LEVEL: "warn",
    ...env,
  };
  const places = [];
  for (let i = 0; i < replicas; i++) places.push(await openPlace(settings));
  try {
    await Promise.all(places.map((place) => place.start()));
  } catch (error) {
    await Promise.all([...places.map((place) => place.stop("SIGKILL")), redis.close()]);
    throw error;
  }
  const nginx = await startNginx({
    upstreams: places.map(({ address }) => address),
    certificate,
    extra: "add_header X-Upstream $upstream_addr always;",
  });
  return {
    home: settings.BOOKWHEEL_HOME,
    url: nginx.url,
    ca: readFileSync(certificate.cert),
    places,
    redis,
    nginx,
    async close() {
      await Promise.all(places.map((place) => place.stop("SIGKILL")));
      await nginx.close();
      await redis.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

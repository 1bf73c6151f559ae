import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";

export const redisIsInstalled = spawnSync("redis-server", ["--version"]).status === 0;
if (!redisIsInstalled) console.log("skipped: what needs Redis (install redis-server)");

export interface RedisServer {
  url: string;
  /** A connection of the test's own, to look at what is there. */
  redis: Redis;
  /** Ends the process without a word; `start` brings it back on the same port, with what it had saved. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Alive but deaf. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), "bookwheel-redis-"));
  const port = await freePort();
  let child: ChildProcess;
  const start = async () => {
    const options = [
      "--port",
      String(port),
      "--bind",
      "127.0.0.1",
      "--dir",
      folder,
      "--save",
      "",
      "--appendonly",
      "yes",
    ];
    child = spawn("redis-server", [...options, "--appendfsync", "always"], { stdio: "ignore" });
    for (let i = 0; ; i++) {
      if (
        spawnSync("redis-cli", ["-p", String(port), "ping"])
          .stdout?.toString()
          .trim() === "PONG"
      )
        return;
      if (i > 100 || child.exitCode !== null) throw new Error("redis-server did not start");
      await delay(50);
    }
  };
  const kill = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once("exit", () => resolve());
      child.kill("SIGKILL");
    });
  await start();
  const redis = new Redis({ port, host: "127.0.0.1", retryStrategy: () => 50 });
  redis.on("error", () => {}); // it is killed on purpose
  return {
    url: `redis://127.0.0.1:${port}`,
    redis,
    kill,
    start,
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    async close() {
      redis.disconnect();
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo; // it listens on TCP
      probe.close(() => resolve(port));
    });
  });
}

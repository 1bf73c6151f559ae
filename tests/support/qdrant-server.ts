import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "./redis-server.js";

const { QDRANT_TEST_URL, QDRANT_API_KEY } = process.env;
export const qdrantIsInstalled = spawnSync("qdrant", ["--version"]).status === 0;
/** A server somebody else runs, for tests that only need one to talk to. */
export const givenQdrant = QDRANT_TEST_URL ? { url: QDRANT_TEST_URL, apiKey: QDRANT_API_KEY } : undefined;
if (!qdrantIsInstalled && !givenQdrant)
  console.log("skipped: what needs a real Qdrant (set QDRANT_TEST_URL, or put qdrant on the PATH)");
else if (!qdrantIsInstalled) console.log("skipped: what kills a Qdrant (put qdrant on the PATH)");

const STARTS_WITHIN_MS = 60_000;

export interface QdrantNode {
  url: string;
  /** Ends the process without a word; `start` brings it back on the same ports, with what it had written. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** One node on loopback with a folder of its own, or one of a cluster that `first` began. */
export async function startQdrant({
  cluster = false,
  first,
}: {
  cluster?: boolean;
  first?: string;
} = {}): Promise<QdrantNode & { peer: string }> {
  const folder = await mkdtemp(join(tmpdir(), "bookwheel-qdrant-"));
  const [http, grpc, p2p] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${http}`;
  const peer = `http://127.0.0.1:${p2p}`;
  await mkdir(join(folder, "snapshots"));
  const settings = {
    SERVICE__HOST: "127.0.0.1",
    SERVICE__HTTP_PORT: http,
    SERVICE__GRPC_PORT: grpc,
    STORAGE__STORAGE_PATH: join(folder, "storage"),
    STORAGE__SNAPSHOTS_PATH: join(folder, "snapshots"),
    CLUSTER__ENABLED: cluster,
    // As docs/DEPLOYMENT.md says for a cluster; the store itself leaves it to the server.
    ...(cluster
      ? { STORAGE__COLLECTION__REPLICATION_FACTOR: 2, STORAGE__COLLECTION__WRITE_CONSISTENCY_FACTOR: 2 }
      : {}),
    CLUSTER__P2P__PORT: p2p,
    TELEMETRY_DISABLED: true,
    LOG_LEVEL: "WARN",
  };
  const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`QDRANT__${name}`, String(value)]));
  const joining = cluster ? ["--uri", peer, ...(first ? ["--bootstrap", first] : [])] : [];
  let child: ChildProcess;
  const start = async () => {
    child = spawn("qdrant", ["--disable-telemetry", ...joining], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      stdio: "ignore",
    });
    const until = Date.now() + STARTS_WITHIN_MS;
    while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
      if (child.exitCode !== null || Date.now() > until) throw new Error("qdrant did not start");
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
  return {
    url,
    peer,
    kill,
    start,
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// Runs a real nginx with the configuration in deploy/, its paths and ports replaced by temporary ones.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const CONFIGURATION = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "deploy", "base", "nginx.conf");
const NGINX = ["nginx", "/usr/sbin/nginx"].find((path) => spawnSync(path, ["-v"]).status === 0);

export const nginxIsInstalled = NGINX !== undefined;
if (!nginxIsInstalled) console.log("skipped: what needs nginx (install nginx-light)");

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

/**
 * @param {{ upstreams: string[], certificate: { cert: string, key: string }, extra?: string }} options
 *   `upstreams` are host:port; `extra` is put into the location.
 */
export async function startNginx({ upstreams, certificate, extra = "" }) {
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-nginx-"));
  const port = await freePort();
  const log = join(folder, "error.log");
  const replaced = [
    ["listen 8443 ssl;", `listen 127.0.0.1:${port} ssl;`],
    ["/etc/tls/tls.crt", certificate.cert],
    ["/etc/tls/tls.key", certificate.key],
    ["error_log stderr", `error_log ${log}`],
    ["server 127.0.0.1:8080 max_fails=0;", upstreams.map((one) => `server ${one} max_fails=0;`).join("\n    ")],
    ["location / {", `location / {\n      ${extra}`],
  ];
  let text = readFileSync(CONFIGURATION, "utf8").replaceAll(/(?<= )\/tmp\//g, `${folder}/`);
  for (const [from = "", to = ""] of replaced) {
    if (!text.includes(from)) throw new Error(`nginx.conf no longer says '${from}'`);
    text = text.replace(from, to);
  }
  const file = join(folder, "nginx.conf");
  writeFileSync(file, process.getuid?.() === 0 ? `user root;\n${text}` : text);
  const child = spawn(NGINX ?? "nginx", ["-c", file, "-p", folder, "-e", log, "-g", "daemon off;"], {
    stdio: "ignore",
  });
  for (let i = 0; !(await listens(port)); i++) {
    if (i > 100 || child.exitCode !== null) throw new Error(`nginx did not start:\n${readFileSync(log, "utf8")}`);
    await delay(50);
  }
  return {
    port,
    url: `https://127.0.0.1:${port}`,
    errors: () => readFileSync(log, "utf8"),
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param {number} port @returns {Promise<boolean>} */
function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

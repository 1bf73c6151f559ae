// Deploys to the cluster that kubectl speaks to, as docs/DEPLOYMENT.md says, calls the tools from another pod, restarts everything
// under traffic, and deletes what it made.
//
//   node scripts/try-cluster.mjs [--overlay replicas] [--seconds 40]
//
// The image must be in the cluster already (make image, then the import of `make deploy`). Needs kubectl and openssl. It refuses
// where the namespace exists: somebody's data is in it.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pdfOf } from "../bench/made-up-pdf.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { values: asked } = parseArgs({
  options: { overlay: { type: "string" }, seconds: { type: "string", default: "40" } },
});
const NAMESPACE = "bookwheel";
const OVERLAY = asked.overlay ? `deploy/overlays/${asked.overlay}` : "deploy";
const WORKLOAD = asked.overlay === "replicas" ? "deployment/bookwheel" : "statefulset/bookwheel";
const CLIENTS = 8;

const run = (command, args, options = {}) => {
  const done = spawnSync(command, args, { cwd: root, encoding: "utf8", ...options });
  return { ok: done.status === 0, out: (done.stdout ?? "").trim(), err: (done.stderr ?? "").trim() };
};
const kubectl = (...args) => {
  const done = run("kubectl", args);
  if (!done.ok) throw new Error(`kubectl ${args.slice(0, 4).join(" ")} …: ${done.err}`);
  return done.out;
};
const failures = [];
const check = (what, holds, seen) => {
  console.log(`${what.padEnd(58)} ${holds ? "yes" : "NO"} (${seen})`);
  if (!holds) failures.push(what);
};

const server = run("kubectl", ["get", "--raw", "/version"]);
if (!server.ok) {
  console.log("skipped: deploying to a cluster (kubectl reaches none)");
  process.exit(0);
}
if (run("kubectl", ["get", "namespace", NAMESPACE]).ok) {
  console.error(`There is a namespace ${NAMESPACE} already. Delete it, or take another cluster.`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "bookwheel-cluster-"));
const token = randomBytes(32).toString("hex");
try {
  console.log(`Kubernetes ${JSON.parse(server.out).gitVersion}, ${OVERLAY}`);
  certificate();
  kubectl("apply", "-f", "deploy/base/namespace.yml");
  const secret = (name, key, value) =>
    kubectl("-n", NAMESPACE, "create", "secret", "generic", name, `--from-literal=${key}=${value}`);
  secret("bookwheel", "token", token);
  secret("bookwheel-redis", "password", randomBytes(16).toString("hex"));
  secret("bookwheel-qdrant", "api-key", randomBytes(16).toString("hex"));
  kubectl(
    ...["-n", NAMESPACE, "create", "secret", "tls", "bookwheel-tls", "--cert", at("tls.crt"), "--key", at("tls.key")],
  );
  const applied = run("kubectl", ["apply", "-k", OVERLAY]);
  check("every object is accepted, without a warning", applied.ok && applied.err === "", applied.err || "no word");
  check("it is ready", ...rolledOut());

  const project = { project: "thesis" };
  const first = await fromAPod({
    uploads: {
      "small.pdf": pdfOf(1, { pages: 20, pictureBytes: 0 }),
      "large.pdf": pdfOf(2, { pages: 2_000, pictureBytes: 0 }),
    },
    calls: [
      ["create_project", project],
      ["store_chunks", { ...project, items: [{ id: "a", text: "Tides follow the moon.", metadata: {} }] }],
      ["ingest_documents", { ...project, paths: ["small.pdf"] }],
      ["ingest_documents", { ...project, paths: ["large.pdf"] }],
      ["query_hybrid", { ...project, query: "What do tides follow?" }],
    ],
  });
  const [, stored, small, large, found] = first.answers;
  check("a passage is stored and found", !stored.isError && /moon/.test(short(found)), short(stored.structuredContent));
  check("a PDF of 20 pages is read", small.structuredContent?.read === 1, short(small.structuredContent));
  const { read, skipped, running } = large.structuredContent ?? {};
  const settled = read === 1 || running !== undefined || /memory/.test(short(skipped));
  check("one of 2,000 is read, goes on, or is refused for its size", settled, short(running ?? skipped));

  const traffic = fromAPod({ seconds: Number(asked.seconds) });
  await sleep(8_000);
  kubectl("-n", NAMESPACE, "rollout", "restart", WORKLOAD);
  check("it is ready again", ...rolledOut());
  const { seen = {} } = await traffic;
  const { 200: answered = 0, ...others } = seen;
  // One pod alone is away for a moment; what was begun is answered all the same.
  const allowed = asked.overlay === "replicas" ? ["closed while idle"] : ["closed while idle", "not reached"];
  const bad = Object.keys(others).filter((what) => !allowed.includes(what));
  check("no answer is lost in a restart", answered > 0 && bad.length === 0, JSON.stringify(seen));

  const last = await fromAPod({ calls: [["query_hybrid", { ...project, query: "What do tides follow?" }]] });
  check("the passage is found afterwards", /moon/.test(short(last.answers)), short(last.answers));
  console.log(kubectl("-n", NAMESPACE, "get", "pods"));
} catch (error) {
  failures.push(String(error));
  console.error(String(error));
} finally {
  run("kubectl", ["delete", "namespace", NAMESPACE, "--wait=true"]);
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures.length === 0 ? 0 : 1);

function at(name) {
  return join(folder, name);
}

function certificate() {
  const subject = ["-subj", "/CN=bookwheel", "-days", "2"];
  const made = run("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", at("tls.key"), "-out", at("tls.crt"), ...subject],
  ]);
  if (!made.ok) throw new Error(made.err);
}

function rolledOut() {
  const started = performance.now();
  const done = run("kubectl", ["-n", NAMESPACE, "rollout", "status", WORKLOAD, "--timeout=180s"]);
  return [done.ok, done.ok ? `${((performance.now() - started) / 1000).toFixed(1)} s` : done.err];
}

function short(value) {
  return (JSON.stringify(value) ?? "nothing").slice(0, 200);
}

/** Calls tools through the service from a pod of the same image; with seconds, many clients ask without a pause until then. */
async function fromAPod({ calls = [], uploads = {}, seconds = 0 }) {
  const name = `try-${randomBytes(4).toString("hex")}`;
  const image = `localhost/bookwheel:${version}`;
  const files = Object.entries(uploads).map(([file, bytes]) => [file, Buffer.from(bytes).toString("base64")]);
  const child = spawn(
    "kubectl",
    [
      ...["run", name, "--image", image, "--restart=Never", "--quiet", "-i", "--rm", "--command", "--"],
      ...["node", "--input-type=module", "-"],
    ],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  child.stdin.end(
    `(${inThePod})(${JSON.stringify({ calls, files, seconds, clients: CLIENTS, token, host: `bookwheel.${NAMESPACE}` })})`,
  );
  let out = "";
  for await (const part of child.stdout) out += part;
  return JSON.parse(out.trim().split("\n").at(-1) || "{}");
}

/** Runs in the pod, so it knows nothing of this file. */
async function inThePod({ calls, files, seconds, clients, token: bearer, host }) {
  const { Agent, request } = await import("node:https");
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const send = (method, path, body) =>
    new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${bearer}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      };
      const sent = request({ host, port: 8443, path, method, agent, headers, timeout: 180_000 }, (answer) => {
        let text = "";
        answer.on("data", (part) => {
          text += part;
        });
        answer.on("end", () => resolve({ kind: String(answer.statusCode), text }));
        answer.on("error", (error) => resolve({ kind: `cut short: ${error.code}` }));
      });
      let reached = true;
      sent.on("socket", (socket) => {
        if (!socket.connecting) return;
        reached = false;
        socket.once("secureConnect", () => {
          reached = true;
        });
      });
      sent.on("timeout", () => sent.destroy(new Error("timeout")));
      // nginx closes idle connections when it is asked to end; a request on its way then was never read.
      const kindOf = ({ code, message }) =>
        !reached ? "not reached" : sent.reusedSocket && code === "ECONNRESET" ? "closed while idle" : (code ?? message);
      sent.on("error", (error) => resolve({ kind: kindOf(error) }));
      sent.end(body);
    });
  const post = (tool, args) =>
    send(
      "POST",
      "/mcp",
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } }),
    );
  const paths = {};
  for (const [file, base64] of files) {
    const { text = "{}" } = await send("PUT", `/files/try/${file}`, Buffer.from(base64, "base64"));
    paths[file] = JSON.parse(text).path;
  }
  const answers = [];
  for (const [tool, args] of calls) {
    const named = args.paths ? { ...args, paths: args.paths.map((file) => paths[file]) } : args;
    const { kind, text = "" } = await post(tool, named);
    const line = text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "{}");
    answers.push(JSON.parse(line).result ?? { isError: true, kind });
  }
  const seen = {};
  const until = Date.now() + seconds * 1000;
  const client = async () => {
    while (Date.now() < until) {
      const { kind } = await post("list_projects", {});
      seen[kind] = (seen[kind] ?? 0) + 1;
      if (kind !== "200") await new Promise((resume) => setTimeout(resume, 50));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  console.log(JSON.stringify({ answers, seen }));
  process.exit(0);
}

// Builds the image and runs it as the manifests do: read-only, user 10001, no capabilities, 256 MiB and half a core.
//
//   node scripts/try-image.mjs [--base IMAGE] [--image NAME] [--no-build] [--pages 2000]
//
// --base names an image with Debian's glibc, node and npm, for machines that do not reach docker.io. Needs podman (and
// buildah, where podman cannot build), and prints what it saw. A limit this machine cannot set is named, not passed over.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pdfOf } from "../bench/made-up-pdf.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { values: asked } = parseArgs({
  options: {
    base: { type: "string" },
    image: { type: "string", default: `localhost/bookwheel:${version}` },
    "no-build": { type: "boolean", default: false },
    pages: { type: "string", default: "2000" },
  },
});

const run = (command, args, options = {}) => {
  const done = spawnSync(command, args, { encoding: "utf8", maxBuffer: 64 * 1024 ** 2, ...options });
  return { ok: done.status === 0, out: (done.stdout ?? "").trim(), err: (done.stderr ?? "").trim() };
};
const has = (command) => run(command, ["--version"]).ok;
const say = (what, value) => console.log(`${what.padEnd(44)} ${value}`);
const failures = [];
const check = (what, holds, seen) => {
  say(what, `${holds ? "yes" : "NO"}${seen === undefined ? "" : ` (${seen})`}`);
  if (!holds) failures.push(what);
};

if (!has("podman")) {
  console.log(
    "skipped: building and running the image (install podman, and buildah with runc where podman cannot build)",
  );
  process.exit(0);
}

if (!asked["no-build"]) {
  const started = performance.now();
  const arch = { x64: "amd64" }[process.arch] ?? process.arch;
  const builder = has("buildah") ? ["buildah", "bud", "--isolation", "chroot"] : ["podman", "build"];
  const args = ["--network", "host", "--format", "docker", "--build-arg", `BUILDPLATFORM=linux/${arch}`];
  if (asked.base) args.push("--build-arg", `BASE=${asked.base}`);
  const built = run(builder[0], [...builder.slice(1), ...args, "-t", asked.image, "-f", "Containerfile", "."], {
    cwd: root,
  });
  if (!built.ok) {
    console.error(built.err.split("\n").slice(-12).join("\n"));
    process.exit(1);
  }
  say("build", `${((performance.now() - started) / 1000).toFixed(0)} s`);
}
const sizeOf = (image) => Number(run("podman", ["image", "inspect", "--format", "{{.Size}}", image]).out) / 1e6;
say(
  "image",
  `${sizeOf(asked.image).toFixed(0)} MB${asked.base ? `, of them ${sizeOf(asked.base).toFixed(0)} MB the base` : ""}`,
);

const folder = mkdtempSync(join(tmpdir(), "bookwheel-image-"));
chmodSync(folder, 0o755);
mkdirSync(join(folder, "library"));
mkdirSync(join(folder, "data"));
chmodSync(join(folder, "data"), 0o777);
writeFileSync(join(folder, "library", "small.pdf"), pdfOf(1, { pages: 20, pictureBytes: 0 }));
writeFileSync(join(folder, "library", "large.pdf"), pdfOf(2, { pages: Number(asked.pages), pictureBytes: 0 }));

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const found = server.address().port;
    server.close(() => resolve(found));
  });
});
const token = randomBytes(16).toString("hex");
const name = `bookwheel-try-${process.pid}`;
const url = `http://127.0.0.1:${port}`;
const command = (limits) => [
  ...["run", "--detach", "--name", name, "--no-healthcheck", "--network", "host"],
  ...[
    "--read-only",
    "--tmpfs",
    "/tmp",
    "--user",
    "10001:10001",
    // Podman would add the user to the image's list of users; Kubernetes and Docker do not.
    "--passwd=false",
    "--cap-drop",
    "all",
    "--security-opt",
    "no-new-privileges",
  ],
  ...["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024"],
  ...limits,
  ...["-v", `${folder}/data:/data`, "-v", `${folder}/library:/library:ro`],
  ...["-e", `BOOKWHEEL_TOKEN=${token}`, "-e", "HOST=127.0.0.1", "-e", `PORT=${port}`],
  ...["-e", "BOOKWHEEL_INGEST_ROOTS=/library"],
  asked.image,
];

async function call(tool, args, authorization = `Bearer ${token}`) {
  const started = performance.now();
  const answer = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } }),
  });
  const text = await answer.text();
  const line = text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "{}");
  const result = answer.ok ? JSON.parse(line).result : undefined;
  return { status: answer.status, result, seconds: (performance.now() - started) / 1000, text };
}
const wordy = (n, characters) =>
  Array.from({ length: Math.ceil(characters / 36) }, (_, i) => `Sentence ${i} of passage ${n} tells of wheels.`)
    .join(" ")
    .slice(0, characters);
const items = (count, characters) =>
  Array.from({ length: count }, (_, n) => ({ id: `c-${characters}-${n}`, text: wordy(n, characters) }));

try {
  const limits = ["--memory", "256m", "--memory-swap", "256m", "--cpus", "0.5"];
  const started = performance.now();
  let begun = run("podman", command(limits));
  if (!begun.ok) {
    say("256 MiB and half a core", `cannot be set here: ${begun.err.split("\n").at(-1)}`);
    run("podman", ["rm", "--force", name]);
    begun = run("podman", command([]));
  }
  if (!begun.ok) throw new Error(begun.err);
  const ready = async () => (await fetch(`${url}/ready`).catch(() => undefined))?.ok;
  while (!(await ready())) {
    if (performance.now() - started > 60_000) throw new Error(run("podman", ["logs", name]).err.slice(-2_000));
    await sleep(100);
  }
  say("ready after", `${((performance.now() - started) / 1000).toFixed(1)} s`);
  const status = async (path, headers = {}) => (await fetch(`${url}${path}`, { headers })).status;
  check("/health answers 200", (await status("/health")) === 200);
  check("/metrics asks for the token", (await status("/metrics")) === 401);
  check("/metrics with the token", (await status("/metrics", { authorization: `Bearer ${token}` })) === 200);
  const wrong = await call("list_projects", {}, `Token ${token}`);
  check("a Token header is refused with what to send", wrong.status === 401 && /Bearer/.test(wrong.text));

  await call("create_project", { project: "try/image" });
  const first = await call("store_chunks", { project: "try/image", items: items(3, 400) });
  say("store_chunks, three items, model load", `${first.seconds.toFixed(1)} s`);
  const found = await call("query_hybrid", { project: "try/image", query: "wheels of passage 2" });
  check(
    "query_hybrid finds",
    found.result?.isError !== true && /passage 2/.test(found.text),
    `${found.seconds.toFixed(2)} s`,
  );
  for (const characters of [500, 1_000, 2_000, 4_000]) {
    const { seconds, result } = await call("store_chunks", { project: "try/image", items: items(100, characters) });
    const outcome = result?.isError
      ? JSON.stringify(result.structuredContent ?? result.content).slice(0, 160)
      : "stored";
    check(
      `100 items of ${characters} characters: no timeout`,
      !/TIMEOUT/.test(outcome),
      `${seconds.toFixed(1)} s, ${outcome}`,
    );
  }
  const memory = () => run("podman", ["stats", "--no-stream", "--format", "{{.MemUsage}}", name]).out;
  say("memory with the model", memory());

  const small = await call("ingest_documents", { project: "try/image", paths: ["/library/small.pdf"] });
  check("a PDF of 20 pages is read", small.result?.structuredContent?.read === 1, `${small.seconds.toFixed(1)} s`);
  const large = await call("ingest_documents", { project: "try/image", paths: ["/library/large.pdf"] });
  const said = large.result?.structuredContent?.skipped?.[0];
  check(
    `a PDF of ${asked.pages} pages is read, or refused for its size`,
    large.result?.structuredContent?.read === 1 || /memory/.test(JSON.stringify(said ?? "")),
    `${large.seconds.toFixed(1)} s, ${said ? JSON.stringify(said).slice(0, 220) : "read"}`,
  );
  writeFileSync(join(folder, "library", "after.pdf"), pdfOf(3, { pages: 20, pictureBytes: 0 }));
  const after = await call("ingest_documents", { project: "try/image", paths: ["/library/after.pdf"] });
  check("and a small one after it", after.result?.structuredContent?.read === 1, `${after.seconds.toFixed(1)} s`);
  const restarts = run("podman", ["inspect", "--format", "{{.State.Status}} {{.State.OOMKilled}}", name]).out;
  check("the container goes on", restarts.startsWith("running"), restarts);
  say("memory at the end", memory());

  const stopping = performance.now();
  run("podman", ["stop", "--time", "20", name]);
  const code = run("podman", ["inspect", "--format", "{{.State.ExitCode}}", name]).out;
  check(
    "stops on SIGTERM with 0",
    code === "0",
    `${((performance.now() - stopping) / 1000).toFixed(1)} s, exit ${code}`,
  );
} catch (error) {
  failures.push(String(error));
  console.error(String(error));
} finally {
  run("podman", ["rm", "--force", "--time", "0", name]);
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures.length === 0 ? 0 : 1);

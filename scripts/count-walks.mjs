// Counts the files on the four walks of CONTRIBUTING.md: those of which a function runs for the call, and not only when the
// program starts. `node scripts/count-walks.mjs [FOLDER] [--list]`; FOLDER is a built checkout, this one where unset.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
const root = resolve(folder ?? dirname(dirname(fileURLToPath(import.meta.url))));
const scratch = mkdtempSync(join(tmpdir(), "bookwheel-walks-"));
const dist = pathToFileURL(join(root, "dist/")).href;

const CALLS = {
  search_highlights: () => ({ query: "memory" }),
  query_hybrid: () => ({ project: "demo/reading", query: "how do tides change navigation?" }),
  ask: (notebook_id) => ({ question: "What did the book wheel make possible?", notebook_id }),
};

try {
  const idle = await whileServing("idle", async () => {});
  for (const [name, argsFor] of Object.entries(CALLS))
    report(name, await whileServing(name, (url, notebook) => callTool(url, name, argsFor(notebook))), idle);
  writeFileSync(join(scratch, "paper.pdf"), pdf("Ramelli drew a wheel for reading many books at one desk."));
  report("ingest of a PDF", whileRunning("ingest", "walks", join(scratch, "paper.pdf")), whileRunning("tools"));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function report(name, calls, before) {
  const files = new Set();
  for (const [key, count] of calls) if (count > (before.get(key) ?? 0)) files.add(key.slice(0, key.indexOf(" ")));
  console.log(`${name}: ${files.size} files`);
  if (process.argv.includes("--list")) for (const file of [...files].sort()) console.log(`  ${file}`);
}

/** How often each function of the program ran, by file, name and position, in the program and in its child processes. */
function callsIn(coverage) {
  const calls = new Map();
  for (const file of readdirSync(coverage))
    for (const { url, functions } of JSON.parse(readFileSync(join(coverage, file), "utf8")).result) {
      const path = url.startsWith(dist) ? url.slice(dist.length) : "";
      if (!path || /^(sandbox|program|node_modules)\//.test(path)) continue;
      for (const { functionName, ranges } of functions) {
        const [{ startOffset, count }] = ranges;
        // The module's own body begins at 0: importing a file does not put it on a walk.
        if (startOffset === 0 && functionName === "") continue;
        const key = `${path} ${functionName}@${startOffset}`;
        calls.set(key, (calls.get(key) ?? 0) + count);
      }
    }
  if (calls.size === 0) throw new Error(`Nothing ran from ${join(root, "dist")}: is it built?`);
  return calls;
}

function environment(name) {
  const [coverage, home] = [join(scratch, name, "coverage"), join(scratch, name, "home")];
  mkdirSync(home, { recursive: true });
  return { ...process.env, NODE_V8_COVERAGE: coverage, BOOKWHEEL_HOME: home, HOME: home };
}

async function whileServing(name, work) {
  const env = environment(name);
  const port = await freePort();
  const program = spawn(process.execPath, [join(root, "dist/program.js"), "demo", "--port", String(port)], {
    env,
    stdio: "ignore",
  });
  const ended = new Promise((done) => program.once("exit", done));
  try {
    const url = `http://127.0.0.1:${port}`;
    while (
      !(await fetch(`${url}/ready`).then(
        (answer) => answer.ok,
        () => false,
      ))
    ) {
      if (program.exitCode !== null) throw new Error(`The program ended with ${program.exitCode}.`);
      await new Promise((wait) => setTimeout(wait, 200));
    }
    // Every run lists the notebooks, the idle one too, so that this call is on no walk.
    const { notebooks } = await callTool(url, "list_notebooks", {});
    await work(url, notebooks[0].id);
  } finally {
    program.kill("SIGTERM");
    await ended;
  }
  return callsIn(env.NODE_V8_COVERAGE);
}

function whileRunning(...args) {
  const env = environment(args[0]);
  const { status, stderr } = spawnSync(process.execPath, [join(root, "dist/program.js"), ...args], { env });
  if (status !== 0) throw new Error(`bookwheel ${args[0]} ended with ${status}: ${stderr}`);
  return callsIn(env.NODE_V8_COVERAGE);
}

async function callTool(url, name, args) {
  const answer = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const text = await answer.text();
  if (!answer.ok || !text.includes('"structuredContent"') || text.includes('"error"'))
    throw new Error(`${name} failed: ${text.slice(0, 500)}`);
  return JSON.parse(text.slice(text.indexOf("{"))).result.structuredContent;
}

function freePort() {
  return new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}

/** A PDF of one page with one line. */
function pdf(line) {
  const content = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, "0");
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${offset} 00000 n \n`).join("")}`;
  return `${text}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}

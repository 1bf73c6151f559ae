// All benchmarks, one after the other, one table, and bench/RESULTS.md: `node bench/run.mjs` after a build.
//
//   --quick       smaller sizes and fewer rounds
//   --full        larger sizes, where a benchmark has them
//   --only a,b    these alone, by name; RESULTS.md is left as it is unless --write is said too
//   --minutes N   the most one benchmark may take (30; 6 with --quick)
//
// Each runs in a process of its own: one that fails, hangs or leaks spoils its own row and nothing else.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, cpus, loadavg, platform, release, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { toTable } from "./measure.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));

/** In the order they run: what others are measured against first. Those with `args` print a report of their own. */
const BENCHES = [
  { name: "limits" },
  { name: "calls" },
  { name: "growth" },
  { name: "readwise-search" },
  { name: "chunks-speed", args: ({ quick }) => (quick ? ["--chunks", "10000", "--queries", "60"] : []) },
  { name: "chunks-quality", args: ({ quick }) => (quick ? ["xquad-en"] : []) },
  { name: "embedding", args: ({ quick }) => [quick ? "3" : "10"] },
  { name: "ingest", args: () => [] },
  { name: "verify-quote", args: ({ quick }) => (quick ? ["--cases", "200", "--chunks", "5000"] : []) },
  { name: "notebooks-qa" },
  { name: "notebooks-speed" },
  { name: "notebooklm" },
  { name: "page" },
];

/** Others that came later run too, as long as they give rows. */
for (const file of readdirSync(HERE)
  .filter((file) => file.endsWith(".mjs"))
  .sort()) {
  const name = file.slice(0, -".mjs".length);
  const givesRows = /^export async function bench\b/m.test(readFileSync(join(HERE, file), "utf8"));
  if (givesRows && !BENCHES.some((bench) => bench.name === name)) BENCHES.push({ name });
}

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    full: { type: "boolean", default: false },
    only: { type: "string" },
    write: { type: "boolean", default: false },
    minutes: { type: "string" },
    // What this program asks of itself in a process of its own.
    one: { type: "string" },
    rows: { type: "string" },
  },
});

if (options.one) await runOne(options.one, options.rows);
else await runAll();

async function runOne(name, rowsFile) {
  const { bench } = await import(pathToFileURL(join(HERE, `${name}.mjs`)).href);
  const rows = await bench({ quick: options.quick, full: options.full });
  writeFileSync(rowsFile, JSON.stringify(rows));
  process.exit(0);
}

async function runAll() {
  const wanted = options.only?.split(",").map((name) => name.trim());
  const unknown = (wanted ?? []).filter((name) => !BENCHES.some((bench) => bench.name === name));
  if (unknown.length) {
    console.error(
      `There is no benchmark '${unknown.join("', '")}'. There are: ${BENCHES.map(({ name }) => name).join(", ")}.`,
    );
    process.exit(2);
  }
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-bench-"));
  const busyBefore = loadavg()[0];
  const rows = [];
  const reports = [];
  try {
    for (const bench of BENCHES.filter(({ name }) => wanted?.includes(name) ?? true)) {
      const result = await runApart(bench, folder);
      console.error(`${bench.name}: ${result.failure ?? "done"} after ${result.seconds.toFixed(0)} s`);
      rows.push(
        ...result.rows.map((row) => ({
          ...row,
          name: `${bench.name}: ${row.name}`,
          note: row.note && oneLine(row.note),
        })),
      );
      if (result.report) reports.push({ name: bench.name, text: result.report });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const document = toDocument(rows, reports, busyBefore);
  console.log(document);
  if (!wanted || options.write) writeFileSync(join(HERE, "RESULTS.md"), document);
  process.exitCode = rows.some(({ failed }) => failed) ? 1 : 0;
}

async function runApart({ name, args }, folder) {
  const rowsFile = join(folder, `${name}.json`);
  const flags = [...(options.quick ? ["--quick"] : []), ...(options.full ? ["--full"] : [])];
  const command = args
    ? [join(HERE, `${name}.mjs`), ...args(options)]
    : [join(HERE, "run.mjs"), "--one", name, "--rows", rowsFile, ...flags];
  const minutes = Number(options.minutes ?? (options.quick ? 6 : 30));
  const started = performance.now();
  const { code, stdout, stderr, late } = await finished(command, minutes * 60_000);
  const seconds = (performance.now() - started) / 1000;
  const last = oneLine(
    stderr
      .trim()
      .split("\n")
      .filter((line) => /error|cannot|missed/i.test(line))[0] ??
      stderr.trim().split("\n").at(-1) ??
      "",
  );
  const failure = late
    ? `stopped after ${minutes} minutes`
    : code === 0
      ? undefined
      : `ended with ${code}${last ? `: ${last}` : ""}`;
  const failedRow = { name: "did not finish", unit: "", note: failure, met: false, failed: true };
  if (!args) return { rows: failure ? [failedRow] : JSON.parse(readFileSync(rowsFile, "utf8")), failure, seconds };
  // A report that ends with another code than 0 has missed a goal of its own, and is worth reading all the more.
  const row =
    stdout.trim() && !late ? { name: "its own report, below", unit: "", goal: "its own", met: code === 0 } : failedRow;
  return { rows: [row], report: stdout.trim(), failure, seconds };
}

/** Runs to the end or to the limit; whatever the program started ends with it. */
function finished(command, limitMs) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr, late] = ["", "", false];
    const end = () => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // it has ended, and everything it started
      }
    };
    const limit = setTimeout(() => {
      late = true;
      end();
    }, limitMs);
    child.stdout.on("data", (part) => (stdout += part));
    child.stderr.on("data", (part) => {
      stderr = (stderr + part).slice(-100_000);
    });
    child.on("error", (error) => (stderr += error.message));
    child.on("close", (code, signal) => {
      clearTimeout(limit);
      end();
      resolve({ code: code ?? signal, stdout, stderr, late });
    });
    process.once("SIGINT", end);
  });
}

function toDocument(rows, reports, busyBefore) {
  const [cpu] = cpus();
  const how = [
    "node bench/run.mjs",
    options.quick && "--quick",
    options.full && "--full",
    options.only && `--only ${options.only}`,
  ]
    .filter(Boolean)
    .join(" ");
  return [
    "# Benchmarks",
    "",
    `Made by \`${how}\`. Sides that are compared ran in turn in the same run; figures are medians, the spread is half the`,
    "distance between the quartiles.",
    "",
    `- ${new Date().toISOString().slice(0, 10)}, commit ${commit()}`,
    `- ${cpu?.model ?? "unknown CPU"}, ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${platform()} ${release()} ${arch()}, Node ${process.version}`,
    `- load before the run: ${busyBefore.toFixed(1)}${busyBefore > cpus().length * 0.5 ? " (a busy machine: times are longer than they need be, ratios hold)" : ""}`,
    "",
    toTable(rows),
    "",
    ...reports.flatMap(({ name, text }) => [`## ${name}`, "", "```", text, "```", ""]),
  ].join("\n");
}

function commit() {
  const git = (...args) => execFileSync("git", args, { cwd: HERE, encoding: "utf8" }).trim();
  try {
    return (
      git("rev-parse", "--short", "HEAD") +
      (git("status", "--porcelain", "--untracked-files=no") ? " with changes" : "")
    );
  } catch {
    return "unknown"; // not a checkout
  }
}

/** A cell of a table holds one line and no bar. */
function oneLine(text) {
  return text.replace(/\s+/g, " ").replaceAll("|", "/").slice(0, 240);
}

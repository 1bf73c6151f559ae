// All benchmarks, one after the other, one table, and bench/RESULTS.md: `node bench/run.mjs` after a build.
//
//   --quick       smaller sizes and fewer rounds, to try it out: RESULTS.md is left as it is
//   --full        larger sizes, where a benchmark has them
//   --only a,b    these alone, by name; RESULTS.md is left as it is unless --write is said too
//   --write       puts the rows of these in place of their old ones in RESULTS.md; the others' stay
//   --minutes N   the most one benchmark may take
//
// Each runs in a process of its own: one that fails, hangs or leaks spoils its own rows and nothing else. A goal that is
// missed is a NO in the table; only a benchmark that does not finish makes the run fail.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, cpus, loadavg, platform, release, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { toTable } from "./measure.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const RESULTS = join(HERE, "RESULTS.md");

/** In this order, what others are measured against first; the rest follows by name. */
const ORDER = [
  "limits",
  "calls",
  "startup",
  "growth",
  "readwise-search",
  "readwise-filters",
  "highlights-meaning",
  "tasks",
  "answer-sizes",
  "word-search",
  "chunks-speed",
  "engines",
  "chunks-quality",
  "own-model",
  "embedding",
  "ingest",
  "verify-quote",
  "notebooks-qa",
  "ask-kinds",
  "notebooks-speed",
  "notebooklm",
  "page",
];
/** Too long for every run: only when named, with the minutes it may take. */
const ONLY_NAMED = { soak: 45, "qdrant-large": 120, "qdrant-tenants": 120 };

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
  const known = benchmarks();
  const wanted = options.only?.split(",").map((name) => name.trim());
  const unknown = (wanted ?? []).filter((name) => !known.includes(name));
  if (unknown.length) {
    console.error(`There is no benchmark '${unknown.join("', '")}'. There are: ${known.join(", ")}.`);
    process.exit(2);
  }
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-bench-"));
  const results = [];
  const writes = options.write || (!wanted && !options.quick);
  try {
    for (const name of known.filter((name) => (wanted ? wanted.includes(name) : !(name in ONLY_NAMED)))) {
      const result = await runApart(name, folder);
      console.error(`${name}: ${result.failure ?? "done"} after ${result.seconds.toFixed(0)} s`);
      results.push(result);
      if (writes) writeFileSync(RESULTS, merged(results, known));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(
    toTable(results.flatMap(({ name, rows }) => rows.map((row) => ({ ...row, name: `${name}: ${row.name}` })))),
  );
  const judged = results.flatMap(({ rows }) => rows).filter(({ met }) => met !== undefined);
  console.log(`\n${judged.filter(({ met }) => met).length} of ${judged.length} goals met.`);
  process.exitCode = results.some(({ failure }) => failure) ? 1 : 0;
}

/** Every file here that gives rows. */
function benchmarks() {
  const place = (name) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return readdirSync(HERE)
    .filter((file) => file.endsWith(".mjs") && !file.startsWith("run."))
    .filter((file) => /^export async function bench\b/m.test(readFileSync(join(HERE, file), "utf8")))
    .map((file) => file.slice(0, -".mjs".length))
    .sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}

async function runApart(name, folder) {
  const rowsFile = join(folder, `${name}.json`);
  const flags = [...(options.quick ? ["--quick"] : []), ...(options.full ? ["--full"] : [])];
  const minutes = Number(options.minutes ?? ONLY_NAMED[name] ?? (options.quick ? 6 : options.full ? 60 : 30));
  const load = loadavg()[0];
  const started = performance.now();
  const { code, stderr, late } = await finished(
    [join(HERE, "run.mjs"), "--one", name, "--rows", rowsFile, ...flags],
    minutes * 60_000,
  );
  const seconds = (performance.now() - started) / 1000;
  const about = { name, seconds, load, flags };
  if (code === 0) {
    const rows = JSON.parse(readFileSync(rowsFile, "utf8"));
    if (rows.length === 0) rows.push({ name: "skipped", unit: "", note: "what it reads is not on this machine" });
    return { ...about, rows: rows.map((row) => (row.note ? { ...row, note: oneLine(row.note) } : row)) };
  }
  const lines = stderr.trim().split("\n");
  const last = oneLine(lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? "");
  const failure = late ? `stopped after ${minutes} minutes` : `ended with ${code}${last ? `: ${last}` : ""}`;
  return { ...about, failure, rows: [{ name: "did not finish", unit: "", note: failure, met: false }] };
}

/** Runs to the end or to the limit; whatever the program started ends with it. */
function finished(command, limitMs) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { detached: true, stdio: ["ignore", "ignore", "pipe"] });
    let [stderr, late] = ["", false];
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
    const interrupted = () => {
      end();
      process.exit(130);
    };
    child.stderr.on("data", (part) => {
      stderr = (stderr + part).slice(-100_000);
    });
    child.on("error", (error) => {
      stderr += error.message;
    });
    child.on("close", (code, signal) => {
      clearTimeout(limit);
      end();
      process.removeListener("SIGINT", interrupted);
      resolve({ code: code ?? signal, stderr, late });
    });
    process.once("SIGINT", interrupted);
  });
}

/** RESULTS.md with these results in the place of their old ones: a section a benchmark, each with its day and commit. */
function merged(results, known) {
  const sections = new Map();
  if (existsSync(RESULTS))
    for (const text of readFileSync(RESULTS, "utf8").split(/^## /m).slice(1))
      sections.set(text.slice(0, text.indexOf("\n")), `## ${text.trim()}`);
  for (const result of results) sections.set(result.name, sectionOf(result));
  return `${[
    "# Benchmarks",
    [
      "Made by `make bench` (`node bench/run.mjs`); one of them again by `node bench/run.mjs --only NAME --write`. Sides that",
      "are compared ran in turn in the same run. Figures are medians, the spread is half the distance between the quartiles. A",
      "ratio to a peer above 1 says that ours is quicker, smaller or better; the share says how much of the machine's own",
      "limit is reached.",
    ].join("\n"),
    ...known.flatMap((name) => sections.get(name) ?? []),
  ].join("\n\n")}\n`;
}

function sectionOf({ name, rows, seconds, load, flags }) {
  const [cpu] = cpus();
  const busy = load > cpus().length * 0.5 ? ", a busy machine: times are longer than they need be, ratios hold" : "";
  const machine = `${cpu?.model ?? "unknown CPU"}, ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${platform()} ${release()} ${arch()}, Node ${process.version}`;
  return [
    `## ${name}`,
    "",
    `${new Date().toISOString().slice(0, 10)}, commit ${commit()}, ${[...flags, `${seconds.toFixed(0)} s`].join(", ")}; ${machine}; load before it ${load.toFixed(1)}${busy}.`,
    "",
    toTable(rows),
  ].join("\n");
}

function commit() {
  const git = (...args) => execFileSync("git", args, { cwd: HERE, encoding: "utf8" }).trim();
  try {
    const changed = git(
      "status",
      "--porcelain",
      "--untracked-files=no",
      "--",
      ".",
      ":!RESULTS.md",
      "../src",
      "../sandbox",
    );
    return git("rev-parse", "--short", "HEAD") + (changed ? " with changes" : "");
  } catch {
    return "unknown"; // not a checkout
  }
}

/** A cell of a table holds one line and no bar. */
function oneLine(text) {
  return text.replace(/\s+/g, " ").replaceAll("|", "/").slice(0, 300);
}

import { existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Assembled } from "../assembly.js";
import { type Config, isLoopback } from "../config/config.js";
import { ShelfError } from "../kernel/errors.js";
import { findBrowser } from "../shelves/notebooks/backends/find-browser.js";
import type { DoctorCheck, Finding } from "./doctor.js";

/** The checks of doctor for this configuration. */
export function doctorChecks(config: Config, open: () => Promise<Assembled>): DoctorCheck[] {
  const list: DoctorCheck[] = [
    { name: "Node", needed: true, examine: async () => nodeVersion() },
    { name: "port", needed: false, examine: () => portFree(config) },
    { name: "data folder", needed: false, examine: async () => dataFolder(config.BOOKWHEEL_HOME) },
    { name: "shelves", needed: true, examine: () => shelvesReady(open) },
  ];
  if (config.shelves.includes("readwise"))
    list.push({
      name: "Readwise",
      needed: config.READWISE_API_KEY !== undefined,
      examine: () => readwiseKey(config),
    });
  if (config.shelves.includes("notebooks"))
    list.push({
      name: "browser for NotebookLM",
      needed: config.NOTEBOOK_BACKEND === "google",
      examine: async () => browser(config),
    });
  if (config.shelves.includes("chunks"))
    list.push(
      { name: "bibliography", needed: false, examine: () => bibliography(config) },
      { name: "Zotero", needed: false, examine: () => reachable("ZOTERO_URL", config.ZOTERO_URL, "a running Zotero") },
    );
  if (config.shelves.includes("notebooks") && config.NOTEBOOK_BACKEND !== "google")
    list.push({
      name: "language model",
      needed: false,
      examine: () => reachable("BOOKWHEEL_LLM_URL", config.BOOKWHEEL_LLM_URL, "answers written by a language model"),
    });
  if (!isLoopback(config.HOST ?? "") && !config.BOOKWHEEL_TOKEN)
    list.push({
      name: "token",
      needed: config.shelves.some((shelf) => shelf !== "readwise"),
      examine: async () => ({ problem: `HOST is ${config.HOST}: set BOOKWHEEL_TOKEN` }),
    });
  return list;
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 20 || (major === 20 && minor >= 19)
    ? { found: process.version }
    : { problem: `${process.version} is too old; install Node 20.19 or newer` };
}

/** Our files are private to their owner, but the folder may have been created by another program. */
function dataFolder(folder: string): Finding {
  const open = [folder, ...["bookwheel.db", "bookwheel.db-wal", "projects.json"].map((name) => join(folder, name))]
    .map((path) => ({ path, mode: statSync(path, { throwIfNoEntry: false })?.mode ?? 0 }))
    .filter(({ path, mode }) => mode & (path === folder ? 0o022 : 0o077));
  if (process.platform === "win32" || open.length === 0) return { found: folder };
  return {
    problem: `other users can reach ${open.map(({ path, mode }) => `${path} (${(mode & 0o777).toString(8)})`).join(", ")}; chmod go-rwx it`,
  };
}

async function portFree(config: Config): Promise<Finding> {
  const problem = await portProblem(config);
  return problem ? { problem } : { found: `${config.HOST}:${config.PORT} is free` };
}

/** Why nothing can listen there, with what to do; undefined where something can. */
export function portProblem({ PORT, HOST }: Config): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) =>
      resolve(`${HOST}:${PORT} cannot be used (${error.code}); choose another with PORT`),
    );
    probe.listen(PORT, HOST, () => probe.close(() => resolve(undefined)));
  });
}

async function shelvesReady(open: () => Promise<Assembled>): Promise<Finding> {
  const shelves = await open().catch((error: unknown) => {
    if (error instanceof ShelfError) return error;
    throw error;
  });
  if (shelves instanceof ShelfError) return { problem: shelves.message };
  try {
    const states = await Promise.all(
      Object.entries(shelves.ready).map(async ([name, check]) => [name, await check()] as const),
    );
    const reported = states
      .filter(([, problem]) => problem !== undefined)
      .map(([name, problem]) => `${name}: ${problem}`);
    // A degraded store still works: it is reported as a warning.
    const broken = reported.filter((line) => !line.includes(": degraded:"));
    if (broken.length) return { problem: broken.join("; ") };
    return { found: [states.map(([name]) => name).join(", "), ...reported].join("; ") };
  } finally {
    await shelves.close();
  }
}

async function readwiseKey({ READWISE_API_URL, READWISE_API_KEY }: Config): Promise<Finding> {
  if (!READWISE_API_KEY)
    return {
      problem:
        "no READWISE_API_KEY; stdio and the command line need one (readwise.io/access_token), HTTP clients send their own",
    };
  const answer = await fetch(`${READWISE_API_URL}/api/v2/auth/`, {
    headers: { authorization: `Token ${READWISE_API_KEY}` },
    signal: AbortSignal.timeout(10_000),
  }).catch((error: Error) => error);
  if (answer instanceof Error)
    return {
      problem: `${READWISE_API_URL} cannot be reached (${answer.cause instanceof Error ? answer.cause.message : answer.message})`,
    };
  if (answer.status === 204) return { found: "the key works" };
  return {
    problem:
      answer.status === 401
        ? "Readwise refuses the key; make a new one at readwise.io/access_token"
        : `Readwise answered ${answer.status}; try again later`,
  };
}

function browser({ NOTEBOOKLM_BROWSER }: Config): Finding {
  const path = NOTEBOOKLM_BROWSER ?? findBrowser();
  return path
    ? { found: path }
    : { problem: "no Chrome or Chromium found; install one, or name it with NOTEBOOKLM_BROWSER" };
}

async function bibliography({ BOOKWHEEL_BIBLIOGRAPHY }: Config): Promise<Finding> {
  if (BOOKWHEEL_BIBLIOGRAPHY.length === 0)
    return { problem: "none named; BOOKWHEEL_BIBLIOGRAPHY=library.bib gives documents their own citation keys" };
  const gone = BOOKWHEEL_BIBLIOGRAPHY.filter((file) => !existsSync(file));
  return gone.length > 0
    ? { problem: `${gone.join(", ")} cannot be read; correct BOOKWHEEL_BIBLIOGRAPHY` }
    : { found: BOOKWHEEL_BIBLIOGRAPHY.join(", ") };
}

/** Any answer will do: it is there. */
async function reachable(name: string, url: string | undefined, purpose: string): Promise<Finding> {
  if (!url) return { problem: `not set; ${name} is for ${purpose}` };
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch((error: Error) => error);
  return answer instanceof Error
    ? { problem: `${url} does not answer; start it, or correct ${name}` }
    : { found: `${url} answers` };
}

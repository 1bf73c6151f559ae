import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { startNotebookSandbox } from "./server.js";
import { SEED } from "./state.js";

const run = promisify(execFile);
const VERSION = "0.8.5";

/** A Python with the published client, or null where there is no Python or no registry. */
async function pythonWithClient(folder: string): Promise<string | null> {
  const python = join(folder, "venv", process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  try {
    await run("python3", ["-m", "venv", join(folder, "venv")], { timeout: 60_000 });
    const install = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--retries", "0"];
    await run(python, [...install, `notebooklm-py==${VERSION}`], { timeout: 150_000 });
    return python;
  } catch {
    return null;
  }
}

it(`notebooklm-py ${VERSION}, which works with the real service, lists, reads, adds and asks here (needs Python and PyPI)`, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "bookwheel-notebooklm-py-"));
  const sandbox = await startNotebookSandbox();
  try {
    const python = await pythonWithClient(folder);
    if (!python) return context.skip(`skipped: notebooklm-py ${VERSION} could not be installed`);
    const { state, url } = sandbox;
    const script = fileURLToPath(new URL("notebooklm-py-client.py", import.meta.url));
    const session = [state.sid, [...state.psidts][0] ?? "", state.csrf, state.sessionId];
    const { stdout, stderr } = await run(python, [script, new URL(url).port, ...session, SEED.ocean], {
      timeout: 60_000,
      env: { ...process.env, NOTEBOOKLM_HOME: folder },
    });
    const seen = JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}");
    expect(seen).toMatchObject({
      title: "Ocean notes",
      text: "Spring tides follow the full Moon.",
      added: [expect.any(String), "Tides"],
      url: [expect.any(String), "Page at example.org/page"],
      conversation: expect.any(String),
    });
    expect(seen.listed).toContainEqual([SEED.ocean, "Ocean notes"]);
    expect(seen.sources).toContainEqual([SEED.tides, "Tides primer"]);
    expect(seen.answer).toContain("Spring tides follow the full and the new Moon");
    expect(seen.references[0]).toEqual([SEED.tides, expect.stringContaining("Spring tides follow")]);
    expect(seen.again).toContain("Neap tides follow the quarter Moons");
    expect(stderr).not.toMatch(/WARNING|ERROR/);
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}, 300_000);

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silentLog } from "../tests/support/silent-log.js";
import { assemble } from "./assembly.js";
import { readConfig } from "./config/config.js";
import { createMetrics } from "./kernel/metrics.js";

it("a project declared in projects.json has its settings though `bookwheel ingest` names it first", async () => {
  const home = await mkdtemp(join(tmpdir(), "bookwheel-assembly-"));
  const declared = { project: "thesis", hybrid_enabled: false, description: "From a file" };
  await writeFile(join(home, "projects.json"), JSON.stringify({ projects: [declared] }));
  const program = await assemble(readConfig({ BOOKWHEEL_HOME: home }), silentLog, createMetrics());
  try {
    await program.services.ingestion.ensureProject("thesis");
    expect(await program.services.retrieval.list()).toMatchObject([
      { id: "thesis", hybrid_enabled: false, description: "From a file" },
    ]);
  } finally {
    await program.close();
    await rm(home, { recursive: true, force: true });
  }
});

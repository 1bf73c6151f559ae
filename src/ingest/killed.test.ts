import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOCUMENTS, hasDocuments, lines, makePdf, tempFolder } from "../../tests/support/ingest-files.js";
import { ROOT } from "../../tests/support/peers.js";
import { sqliteChunkStore } from "../shelves/chunks/stores/sqlite.js";

const KILLS = Number(process.env.BOOKWHEEL_KILLS ?? 5);

/** Runs an ingest in a process of its own, and kills it without warning after `ms`. */
function ingest(
  folder: string,
  file: string,
  killAfterMs?: number,
): Promise<{ killed: boolean; code: number | null; complaint: string }> {
  return new Promise((resolve) => {
    const child = fork(join(ROOT, "bench", "ingest-run.mjs"), [folder, file], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let complaint = "";
    child.stderr?.on("data", (data: Buffer) => {
      complaint += data.toString();
    });
    const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ killed: signal === "SIGKILL", code, complaint });
    });
  });
}

/** Everything that is stored, without the times of day. */
async function contents(file: string) {
  const store = sqliteChunkStore({ file });
  const documents = (await store.documents("bench")).sort((a, b) => (a.id < b.id ? -1 : 1));
  const whole = await Promise.all(
    documents.map(async ({ id }) => {
      const { added_at: _added, updated_at: _updated, ...document } = (await store.document("bench", id))!;
      return { document, chunks: await store.chunks("bench", { doc_id: id }) };
    }),
  );
  const found = await store.byMeaning("bench", new Float32Array(16).fill(0.25), { limit: 20 });
  const result = { whole, count: await store.count("bench"), found: found.map(({ id }) => id).sort() };
  await store.close();
  return result;
}

describe("an ingest that was killed", () => {
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  beforeAll(async () => {
    if (!existsSync(join(ROOT, "dist", "ingest", "ingestion.js")))
      throw new Error("The ingest runs compiled code: npm run build first.");
    folder = await tempFolder();
    await mkdir(join(folder.path, "in"));
    for (let i = 0; i < 7; i++) {
      await writeFile(
        join(folder.path, "in", `note-${i}.md`),
        `# Note ${i}\n\n${`Sentence ${i} about many things, and more. `.repeat(60 + i * 20)}`,
      );
      await writeFile(
        join(folder.path, "in", `paper-${i}.pdf`),
        makePdf(
          Array.from({ length: 3 }, (_, k) =>
            lines([`Paper ${i} on page ${k} has a first line here.`, "And then a second one follows."]),
          ),
        ),
      );
    }
    if (hasDocuments) await cp(join(DOCUMENTS, "pdf", "multi_page.pdf"), join(folder.path, "in", "real.pdf"));
  });
  afterAll(() => folder.remove());

  it(`at ${KILLS} random moments leaves, once it is run again, what an undisturbed run leaves`, {
    timeout: 30_000 + KILLS * 20_000,
  }, async () => {
    const input = join(folder.path, "in");
    const calm = join(folder.path, "calm.db");
    const started = performance.now();
    expect(await ingest(input, calm)).toEqual({ killed: false, code: 0, complaint: "" });
    const usual = performance.now() - started;
    const expected = await contents(calm);
    expect(expected.whole.length).toBeGreaterThanOrEqual(14);

    let killed = 0;
    for (let i = 0; i < KILLS; i++) {
      const file = join(folder.path, `killed-${i}.db`);
      // From start-up on; the first moments only load code, the rest is spread over the run.
      const outcome = await ingest(input, file, usual * (0.25 + 0.75 * Math.random()));
      if (outcome.killed) killed++;
      expect(await ingest(input, file)).toEqual({ killed: false, code: 0, complaint: "" });
      expect(await contents(file)).toEqual(expected);
    }
    console.log(`${killed} of ${KILLS} runs were killed on the way; a run takes ${Math.round(usual)} ms.`);
  });
});

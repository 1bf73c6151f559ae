import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { sqliteChunkStore } from "../../src/shelves/chunks/stores/sqlite.js";
import { lines, makePdf } from "../support/ingest-files.js";
import { run } from "../support/peers.js";
import { cleanEnvironment, exitOf, PROGRAM } from "../support/program.js";
import { canRecognise, scanOf } from "../support/scanned-pdf.js";
import { cleanUp, newFolder } from "./folders.js";

const ROUNDS = Math.max(1, Math.ceil(Number(process.env.BOOKWHEEL_KILLS ?? 0) / 20));
const PROJECT = "killed";

function start(home: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: cleanEnvironment(home), stdio: "ignore" });
  cleanUp.push(() => kill(child));
  return child;
}
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await exitOf(child, () => child.kill("SIGKILL"));
}

/** Every document by the name of its file: its hash, its text, and its chunks in order. */
async function stored(home: string): Promise<Record<string, unknown>> {
  const store = sqliteChunkStore({ file: join(home, "bookwheel.db") });
  try {
    if (!(await store.project(PROJECT))) return {};
    const documents = await store.documents(PROJECT);
    const rows = await Promise.all(
      documents.map(async ({ id, origin, sha256 }) => {
        const chunks = await store.chunks(PROJECT, { doc_id: id });
        const vectors = await store.vectors?.(
          PROJECT,
          chunks.map((chunk) => chunk.id),
        );
        const { text } = (await store.document(PROJECT, id))!;
        return [origin, { sha256, text, chunks: chunks.map((chunk) => chunk.text), vectors: vectors?.size }] as const;
      }),
    );
    expect(new Set(rows.map(([origin]) => origin)).size).toBe(rows.length);
    return Object.fromEntries(rows);
  } finally {
    await store.close();
  }
}

it("a watched folder is in the project as it is, however often the watching was killed", {
  timeout: 180_000 + ROUNDS * 30_000,
}, async () => {
  const [home, folder, undisturbed] = [await newFolder(), await newFolder(), await newFolder()];
  const note = (name: string, words: string) =>
    writeFile(join(folder, `${name}.md`), `# ${name}\n\n${`Note ${name} says: ${words}. `.repeat(80)}`);
  for (let i = 0; i < 12; i++) await note(`n${i}`, "the tide turns");

  for (let round = 0; round < ROUNDS; round++) {
    const watching = start(home, "watch", PROJECT, folder);
    await delay(500 + Math.random() * 2_500);
    // Killed while it reads the first ones, and while it follows what changes below.
    await note(`new${round}`, "the moon pulls");
    await note("n0", `round ${round}`);
    await rm(join(folder, `n${round + 1}.md`), { force: true });
    await delay(Math.random() * 3_000);
    await kill(watching);
  }
  expect(
    (await run(process.execPath, [PROGRAM, "ingest", PROJECT, folder], { env: { BOOKWHEEL_HOME: undisturbed } })).code,
  ).toBe(0);
  const expected = await stored(undisturbed);
  expect(Object.keys(expected)).toHaveLength((await readdir(folder)).length);

  start(home, "watch", PROJECT, folder);
  await expect.poll(() => stored(home), { timeout: 120_000, interval: 2_000 }).toEqual(expected);
});

const able = process.platform === "linux" && canRecognise();
if (!able) console.log("skipped: text recognition that is killed (needs Linux, tesseract and pdftoppm)");

it.skipIf(!able)(
  "text recognition that was killed goes on with the pages it had not read, and leaves no process",
  {
    timeout: 180_000 + ROUNDS * 40_000,
  },
  async () => {
    const pages = [
      ["The wheelwright seasons his timber", "for seven winters before he cuts it."],
      ["A felloe is a curved piece of wood", "that forms part of the outer rim."],
      ["Six of them together make one wheel", "when the spokes are driven home."],
      ["The tyre is heated in a ring of fire", "and shrinks upon the rim as it cools."],
    ];
    const scan = scanOf(makePdf(pages.map((texts) => lines(texts, { size: 16, leading: 24 })))).pdf;
    const [home, folder] = [await newFolder(), await newFolder()];
    const file = join(folder, "ledger.pdf");
    await writeFile(file, scan);
    await mkdir(home, { recursive: true });
    const ingest = ["ingest", PROJECT, file, "--ocr", "eng"];

    let most = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const reading = start(home, ...ingest);
      const before = await pagesKept(home);
      // Until it has read at least one page more, and then into the middle of the next.
      while ((await pagesKept(home)) <= before && reading.exitCode === null) await delay(20);
      await delay(Math.random() * 300);
      const family = descendants(reading.pid!);
      await kill(reading);
      await expect.poll(() => family.filter(isAlive), { timeout: 30_000, interval: 100 }).toEqual([]);
      most = Math.max(most, await pagesKept(home));
      if (Object.keys(await stored(home)).length > 0) break;
    }
    expect(most).toBeGreaterThan(0);
    const last = await run(process.execPath, [PROGRAM, ...ingest], { env: { BOOKWHEEL_HOME: home } });
    expect(last.code, last.stderr).toBe(0);
    const [document] = Object.values(await stored(home)) as { text: string }[];
    // Which letters stand close enough to be one word depends on the fonts of the machine that drew the pages.
    const letters = (text = "") => text.replace(/\s/g, "");
    for (const [first] of pages) expect(letters(document?.text)).toContain(letters(first));
    expect(await pagesKept(home)).toBe(0);
  },
);

/** Pages that were recognised and wait for their document. */
async function pagesKept(home: string): Promise<number> {
  const names = await readdir(home, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith(".tsv")).length;
}

function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each)))
    try {
      const status = readFileSync(`/proc/${name}/stat`, "latin1");
      parents.set(Number(name), Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // it has ended
    }
  const found = [pid];
  for (const each of found) for (const [child, parent] of parents) if (parent === each) found.push(child);
  return found.slice(1);
}

function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

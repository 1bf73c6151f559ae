import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createModelQueue, type QueueOptions } from "./model-queue.js";

const folder = mkdtempSync(join(tmpdir(), "model-queue-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Stands in for the model: a vector is the first id and how many texts this process has answered. */
function program(name: string, body: string): URL {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(
    file,
    `import { existsSync, writeFileSync } from "node:fs";
     process.on("disconnect", () => process.exit(0));
     let answered = 0;
     const answer = (id) => process.send({ vectors: [Float32Array.of(id, ++answered)] });
     process.on("message", ({ ids: [id] = [], texts }) => { ${body} });`,
  );
  return pathToFileURL(file);
}
const obliging = () => program("obliging", "setTimeout(answer, 2, id);");

const open: ReturnType<typeof createModelQueue>[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((queue) => queue.close()));
});
function start(url: URL, options: Partial<QueueOptions> = {}) {
  const queue = createModelQueue({ program: url, args: [], ...options });
  open.push(queue);
  return queue;
}
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
const HOURS = { afterQueryMs: 3_600_000, activeMs: 3_600_000, gap: 1 };
const batch = (from: number, count: number) => Array.from({ length: count }, (_, i) => [from + i]);
const firsts = (vectors: Float32Array[]) => vectors.map(([id]) => id);

describe("the queue in front of the model", () => {
  it("answers in the order of the texts", async () => {
    const queue = start(obliging());
    const [a, b] = await Promise.all([
      queue.run(batch(0, 5), { as: "passage" }),
      queue.run(batch(10, 3), { as: "passage" }),
    ]);
    expect(firsts(a)).toEqual([0, 1, 2, 3, 4]);
    expect(firsts(b)).toEqual([10, 11, 12]);
    expect(await queue.run([], { as: "query" })).toEqual([]);
  });

  it("lets a query go before passages that wait", async () => {
    const queue = start(obliging());
    const passages = queue.run(batch(0, 30), { as: "passage" });
    const [query] = await queue.run([[99]], { as: "query" });
    expect(query?.[1]).toBe(2); // after the one passage that was under way
    expect(await passages).toHaveLength(30);
  });

  it("lets background work rest after a query, and other passages go before it", async () => {
    const queue = start(obliging(), { rests: { ...HOURS, atMostMs: 3_600_000 } });
    const background = queue.run(batch(0, 3), { as: "background" });
    background.catch(() => {}); // ends with the queue
    const [query] = await queue.run([[99]], { as: "query" });
    const passages = await queue.run(batch(50, 3), { as: "passage" });
    expect(query?.[1]).toBe(2); // after the one text that was under way
    expect(passages.map(([, place]) => place)).toEqual([3, 4, 5]);
  });

  it("does not let background work rest for ever", async () => {
    const queue = start(obliging(), { rests: { ...HOURS, atMostMs: 5 } });
    await queue.run([[98]], { as: "query" });
    const background = queue.run(batch(0, 3), { as: "background" });
    await queue.run([[99]], { as: "query" });
    expect(firsts(await background)).toEqual([0, 1, 2]);
  });

  it("takes the texts of a query in one message, before passages that wait", async () => {
    const queue = start(
      program(
        "texts",
        "texts ? process.send({ vectors: texts.map((text) => Float32Array.of(text.length)) }) : setTimeout(answer, 2, id);",
      ),
    );
    const passages = queue.run(batch(0, 30), { as: "passage" });
    expect(firsts(await queue.runTexts(["abc", "d"]))).toEqual([3, 1]);
    expect(await queue.runTexts([])).toEqual([]);
    expect(await passages).toHaveLength(30);
  });

  it("drops what is cancelled and goes on with the rest", async () => {
    const queue = start(obliging());
    const cancel = new AbortController();
    const dropped = queue.run(batch(0, 1000), { as: "passage", signal: cancel.signal });
    const kept = queue.run(batch(5000, 2), { as: "passage" });
    cancel.abort(new Error("no longer wanted"));
    await expect(dropped).rejects.toThrow("no longer wanted");
    const vectors = await kept;
    expect(firsts(vectors)).toEqual([5000, 5001]);
    expect(vectors[0]?.[1]).toBe(2);
    await expect(queue.run([[1]], { as: "query", signal: cancel.signal })).rejects.toThrow("no longer wanted");
  });

  it("refuses more than it has room for, and says when to come again", async () => {
    const queue = start(obliging(), { maxPassages: 10, maxQueries: 2 });
    const waiting = queue.run(batch(0, 8), { as: "passage" });
    await expect(queue.run(batch(0, 3), { as: "passage" })).rejects.toMatchObject({
      code: "INDEX_UNAVAILABLE",
      retry_after: 1,
      details: { waiting: 8, room: 10 },
    });
    await expect(queue.run(batch(0, 11), { as: "passage" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(await queue.run(batch(0, 2), { as: "query" })).toHaveLength(2);
    await waiting;
    expect(await queue.run(batch(0, 10), { as: "passage" })).toHaveLength(10);
  });

  it("starts a process that died again, and loses nothing", async () => {
    const mark = JSON.stringify(join(folder, "died-once"));
    const queue = start(
      program(
        "dies-once",
        `if (id === 3 && !existsSync(${mark})) { writeFileSync(${mark}, ""); process.exit(7); } answer(id);`,
      ),
    );
    const vectors = await queue.run(batch(0, 6), { as: "passage" });
    expect(vectors.map((vector) => [...vector])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 1],
      [4, 2],
      [5, 3],
    ]);
  });

  it("gives up on what kills it twice, and still serves others", async () => {
    const queue = start(program("dies", "if (id === 13) process.exit(1); answer(id);"));
    await expect(queue.run([[13]], { as: "passage" })).rejects.toMatchObject({
      code: "INDEX_UNAVAILABLE",
      message: expect.stringContaining("ended twice"),
    });
    expect(firsts(await queue.run([[14]], { as: "passage" }))).toEqual([14]);
    expect(queue.unusable).toBeUndefined();
  });

  it("works on text beside the vectors, and again where the process died", async () => {
    const mark = JSON.stringify(join(folder, "died-tokenizing"));
    const file = join(folder, "texts.mjs");
    writeFileSync(
      file,
      `import { existsSync, writeFileSync } from "node:fs";
       process.on("disconnect", () => process.exit(0));
       process.on("message", ({ id, encode, ids }) => {
         if (ids) return; // a vector that never comes
         if (encode[0] === "deadly") process.exit(1);
         if (!existsSync(${mark})) { writeFileSync(${mark}, ""); process.exit(7); }
         process.send({ id, encoded: encode.map((text) => [text.length]) });
       });`,
    );
    const queue = start(pathToFileURL(file));
    const vector = queue.run([[1]], { as: "passage" });
    expect(await queue.encode(["abc", "d"])).toEqual([[3], [1]]);
    const given = expect(vector).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
    await expect(queue.encode(["deadly"])).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
    await given;
    expect(await queue.encode(["ab"])).toEqual([[2]]);
  });

  it("is not surprised when the process dies with nothing to do", async () => {
    const note = join(folder, "dying");
    const dies = `writeFileSync(${JSON.stringify(note)}, String(process.pid)); answer(id); setTimeout(() => process.exit(1), 1);`;
    const queue = start(program("dies-idle", dies));
    for (let i = 0; i < 4; i++) {
      expect(firsts(await queue.run([[i]], { as: "query" }))).toEqual([i]);
      const pid = Number(readFileSync(note, "utf8"));
      await expect.poll(() => isRunning(pid), { timeout: 60_000 }).toBe(false);
    }
  });

  it("remembers why the model cannot be loaded", async () => {
    const queue = start(program("unusable", `process.send({ failed: "no such library", unusable: true });`));
    const both = await Promise.allSettled([queue.run([[1]], { as: "passage" }), queue.run([[2]], { as: "query" })]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(queue.unusable).toBe("no such library");
    await expect(queue.run([[3]], { as: "query" })).rejects.toMatchObject({
      code: "INDEX_UNAVAILABLE",
      message: expect.stringContaining("no such library"),
    });
  });

  it("fails only the text the model could not read", async () => {
    const queue = start(
      program("picky", `id === 2 ? process.send({ failed: "cannot read", unusable: false }) : answer(id);`),
    );
    const [bad, good] = await Promise.allSettled([
      queue.run([[2], [3]], { as: "passage" }),
      queue.run([[4]], { as: "passage" }),
    ]);
    expect(bad).toMatchObject({ status: "rejected", reason: { code: "INDEX_UNAVAILABLE" } });
    expect(good.status).toBe("fulfilled");
  });

  it("ends its process when closed and answers what waits with an error", async () => {
    const queue = start(program("silent", ""));
    const waiting = queue.run([[1]], { as: "passage" });
    const refused = expect(waiting).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
    await queue.close();
    await refused;
    await expect(queue.run([[1]], { as: "query" })).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
    await queue.close();
  });
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HEAPS as SHIPPED } from "../../bench/soak.mjs";
import { ROOT } from "../support/peers.js";
import { startProgram } from "../support/program.js";
import { HOSTILE, LARGEST, post } from "./hostile-bodies.js";
import { callProgram, items, PROJECT } from "./program-calls.js";

it("is tried with the heap that the shipped image and the shipped systemd unit set", async () => {
  expect(await readFile(join(ROOT, "Containerfile"), "utf8")).toContain(`NODE_OPTIONS="${SHIPPED.image}"`);
  const unit = await readFile(join(ROOT, "deploy", "systemd", "bookwheel.service"), "utf8");
  expect(unit).toContain(`NODE_OPTIONS=${SHIPPED.unit}`);
});

describe.each(Object.entries(SHIPPED))("with the heap of the %s", (_where, NODE_OPTIONS) => {
  it("no body kills the program, one after the other or many at once", { timeout: 240_000 }, async () => {
    const program = await startProgram(["serve"], { NODE_OPTIONS, BOOKWHEEL_SHELVES: "chunks", CHUNK_PROFILES: "all" });
    try {
      const answers: Record<string, number> = {};
      for (const [kind, make] of Object.entries(HOSTILE)) {
        const answer = await post(program.url, make(LARGEST));
        await answer.text();
        answers[kind] = answer.status;
      }
      expect(answers).toMatchObject({
        "empty objects": 413,
        "empty arrays": 413,
        "nested arrays": 413,
        "nested objects": 413,
        "distinct keys": 413,
        "a batch of pings": 413,
        "an argument of another tool": 413,
        "no JSON": 413,
      });
      const bodies = Object.values(HOSTILE).map((make) => make(LARGEST));
      const together = await Promise.all(
        bodies.map(async (body) => {
          const answer = await post(program.url, body);
          await answer.text();
          return answer.status;
        }),
      );
      expect(together.filter((status) => status >= 500 && status !== 503)).toEqual([]);
      expect(program.child.exitCode).toBeNull();
      await callProgram(program.url, "create_project", { project: PROJECT });
      const stored = await callProgram(program.url, "store_chunks", { project: PROJECT, items: items("good", 500) });
      expect(stored).toMatchObject({ chunks_written: 500 });
    } finally {
      await program.stop();
    }
  });
});

import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { missing } from "../../bench/cluster.mjs";
import { runReplicas } from "../../bench/replicas.mjs";
import { PROGRAM } from "../support/program.js";

const problem = existsSync(PROGRAM) ? missing() : "the program is not built";
if (problem) console.log(`skipped: replicas (${problem})`);

it.skipIf(problem)(
  "three processes behind nginx lose no call but those on a killed one, mix up no keys and fetch every export once",
  async () => {
    const keys = 20;
    const { failures, foreign, exports, nginxErrors, warnings, ...figures } = await runReplicas({
      seconds: 12,
      clients: 200,
      keys,
    });
    console.log(JSON.stringify({ ...figures, exports }));
    expect(failures, nginxErrors.slice(-2_000)).toEqual([]);
    expect(foreign).toEqual([]);
    expect(exports.twice, warnings.filter((line) => line.includes("Redis")).join("\n")).toEqual([]);
    expect(exports.populations).toBe(keys);
    expect(figures.kills).toBeGreaterThan(0);
    expect(figures.calls).toBeGreaterThan(100);
  },
  120_000,
);

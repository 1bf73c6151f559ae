import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../src/app/tools.js";
import { ROOT, run } from "../support/peers.js";
import { type Program, startProgram } from "../support/program.js";
import { type ProtocolProxy, startProtocolProxy } from "./protocol-proxy.js";
import { offNetwork } from "./real-clients.js";

const HERE = join(ROOT, "tests", "clients");
const python = join(HERE, ".venv", "bin", "python");
const installed = existsSync(python);
if (!installed) console.log("skipped: the Python SDK's client (run `make clients` where Python 3.10 or newer is)");

/** Every tool wrongly once, then one answer. */
const PLAN = [
  ...TOOLS.map(({ name }) => ({ tool: name, args: { no_such_thing: 1 } })),
  { tool: "list_projects", args: {} },
];

describe.skipIf(!installed)("the Python SDK's client", () => {
  let demo: Program;
  let proxy: ProtocolProxy;
  beforeAll(async () => {
    demo = await startProgram(["demo"]);
    proxy = await startProtocolProxy(demo.url);
  }, 120_000);
  afterAll(async () => {
    proxy?.close();
    await demo?.stop();
  });

  it("lists every tool, reads why each was not called, and reads an answer", { timeout: 120_000 }, async () => {
    const { code, stdout, stderr } = await run(python, [join(HERE, "drivers", "python-sdk.py")], {
      env: { ...offNetwork(demo.home), MCP_URL: `${proxy.url}/mcp`, PLAN: JSON.stringify(PLAN) },
      only: true,
    });
    expect(code, stderr).toBe(0);
    const [{ tools }, ...results] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)) as [{ tools: string[] }, ...{ text?: string; is_error?: boolean }[]];
    expect(tools.sort()).toEqual(TOOLS.map(({ name }) => name).sort());
    expect(results).toHaveLength(PLAN.length);
    for (const [index, result] of results.slice(0, -1).entries()) {
      expect(result, PLAN[index]!.tool).toMatchObject({ is_error: true });
      expect(result.text).toContain("no_such_thing: unknown parameter");
    }
    expect(results.at(-1)).toMatchObject({ is_error: false, text: expect.stringContaining("demo/reading") });
    if (process.env.BOOKWHEEL_RECORD_CLIENTS) {
      await mkdir(join(HERE, "seen"), { recursive: true });
      const version = await run(python, ["-c", "import importlib.metadata as m; print(m.version('mcp'))"]);
      await writeFile(
        join(HERE, "seen", "python-sdk.md"),
        `# Python SDK ${version.stdout.trim()}\n\nProtocol ${proxy.spoken()}. Tools listed: ${tools.length}. Every tool was called with a parameter it does not know; what the client handed on of the first:\n\n\`\`\`\n${results[0]!.text}\n\`\`\`\n`,
      );
    }
  });
});

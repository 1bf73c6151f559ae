import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caller } from "../../scripts/example-calls.mjs";
import { TOOLS } from "../../src/app/tools.js";
import { ROOT, run } from "../support/peers.js";
import { type Program, startProgram } from "../support/program.js";
import { type ProtocolProxy, startProtocolProxy } from "./protocol-proxy.js";
import { isInstalled, offNetwork, REAL_CLIENTS, type RealClient, versionOf, writeHome } from "./real-clients.js";
import { type Given, type ScriptedModel, type Step, startScriptedModel } from "./scripted-model.js";
import { recordOf } from "./what-was-given.js";

for (const client of REAL_CLIENTS)
  if (!isInstalled(client)) console.log(`skipped: ${client.name} (run \`make clients\`)`);

/** Where `make clients` keeps what each model was given; a plain test run leaves it as it is. */
const SEEN = process.env.BOOKWHEEL_RECORD_CLIENTS ? join(ROOT, "tests", "clients", "seen") : undefined;

let demo: Program;
let proxy: ProtocolProxy;
let model: ScriptedModel;
let plan: Step[];
/** What the server answers to each step of the plan, asked directly. */
let answers: string[];

beforeAll(async () => {
  demo = await startProgram(["demo"]);
  proxy = await startProtocolProxy(demo.url);
  model = await startScriptedModel();
  const call = caller(demo.url);
  const { results } = (await call("list_highlights", { page_size: 1 })) as { results: { id: number }[] };
  plan = [
    { tool: "search_library", args: { query: "memory", limit: 3 } },
    { tool: "ask", args: { notebook_id: "nope", question: "What is a bookwheel?" } },
    { tool: "list_documents", args: {} },
    // As the answer has it: a number.
    { tool: "get_highlight", args: { id: results[0]!.id } },
  ];
  answers = [];
  for (const { tool, args } of plan) answers.push(JSON.stringify(await call(tool, args)));
}, 120_000);
afterAll(async () => {
  proxy?.close();
  await demo?.stop();
  await model?.close();
});

async function turn(client: RealClient): Promise<{ given: Given; said: string; protocol: string | undefined }> {
  const home = await mkdtemp(join(tmpdir(), "bookwheel-client-"));
  try {
    const at = { mcp: `${proxy.url}/mcp`, model: model.url };
    await writeHome(home, client.files?.(at) ?? {});
    await mkdir(join(home, "work"), { recursive: true });
    const { file, args, env } = client.command(at);
    model.follow([...(client.before ?? []), ...plan]);
    const cwd = client.files ? home : join(ROOT, "tests", "clients");
    const ended = await run(file, args, {
      env: { ...offNetwork(home), ...env },
      only: true,
      cwd,
      timeoutMs: 150_000,
      input: "",
    });
    return { protocol: proxy.spoken(), given: model.given(), said: ended.stdout + ended.stderr };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

describe.each(REAL_CLIENTS.map((client) => [client.name, client] as const))("%s", (name, client) => {
  it.skipIf(!isInstalled(client))(
    "shows the model our tools, an answer, an error, a list and a thing asked for by its number",
    {
      timeout: 180_000,
    },
    async () => {
      const { given, said, protocol } = await turn(client);
      const results = given.results.slice(client.before?.length ?? 0);
      if (SEEN) {
        await mkdir(SEEN, { recursive: true });
        const record = recordOf({
          name,
          version: versionOf(client),
          protocol,
          given: { ...given, results },
          plan,
          answers,
        });
        await writeFile(join(SEEN, `${name.toLowerCase().replaceAll(/[^a-z]+/g, "-")}.md`), record);
      }
      expect(protocol).toMatch(/^202\d-\d\d-\d\d$/);
      const known = given.tools.map((tool) => tool.name).join(" ") + given.prompt;
      expect(TOOLS.filter((tool) => !known.includes(tool.name)).map((tool) => tool.name)).toEqual([]);
      if (results.length < plan.length) console.log(said.slice(0, 3_000));
      expect(results).toHaveLength(plan.length);
      const [found, refused, listed, highlight] = results as [string, string, string, string];
      // The library goes on being indexed meanwhile, so that its answer may differ a little from one call to the next.
      expect(unescaped(found)).toContain('"results":[{');
      expect(found.length).toBeGreaterThan(answers[0]!.length * 0.9);
      expect(unescaped(refused)).toContain((JSON.parse(answers[1]!) as { error: { message: string } }).error.message);
      if (client.cutsAt) expect(answers[2]!.length).toBeGreaterThan(client.cutsAt);
      else expect(arrived(listed, answers[2]!)).toBe("whole");
      expect(arrived(highlight, answers[3]!)).toBe("whole");
    },
  );
});

/** Clients write a JSON text into another one, some of them twice. */
function unescaped(text: string): string {
  return text.replaceAll(/\\+"/g, '"').replaceAll(/\\\\/g, "\\");
}

function arrived(text: string, answer: string): "whole" | string {
  return unescaped(text).includes(unescaped(answer)) ? "whole" : text.slice(0, 2_000);
}

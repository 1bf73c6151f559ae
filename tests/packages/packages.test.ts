import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SETTING_NAMES } from "../../src/config/settings.js";
import { lines, makeEpub, makePdf, xhtml } from "../support/ingest-files.js";
import { peer, ROOT, run } from "../support/peers.js";
import { cleanEnvironment, exitOf, HELLO, PROGRAM, temporaryHome } from "../support/program.js";

const folders: string[] = [];
async function folder(): Promise<string> {
  const made = await temporaryHome();
  folders.push(made);
  return made;
}
afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true, force: true }))));

const json = async (path: string) => JSON.parse(await readFile(join(ROOT, path), "utf8"));

/** What a program lists and answers over stdio, far from this repository. */
async function overStdio(node: string, args: readonly string[], env: Record<string, string> = {}) {
  const home = await folder();
  const child = spawn(node, [...args], {
    cwd: home,
    env: cleanEnvironment(home, env),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  let complained = "";
  child.stdout.on("data", (part: Buffer) => {
    said += part;
  });
  child.stderr.on("data", (part: Buffer) => {
    complained += part;
  });
  const ended = once(child, "exit");
  const answer = async (id: number): Promise<{ result: Record<string, unknown> }> => {
    const line = () => said.split("\n").find((each) => each.endsWith("}") && each.includes(`"id":${id}`));
    while (!line()) {
      await Promise.race([once(child.stdout, "data"), ended]);
      if (child.exitCode !== null && !line()) throw new Error(complained);
    }
    return JSON.parse(line()!);
  };
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "0" } },
  });
  await answer(1);
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/list" });
  send({ id: 3, method: "tools/call", params: { name: "create_notebook", arguments: { name: "Margins" } } });
  const tools = (await answer(2)).result.tools as { name: string }[];
  const { structuredContent } = (await answer(3)).result;
  await exitOf(child, () => child.stdin.end());
  return { tools: tools.map(({ name }) => name), notebook: structuredContent };
}

describe("the program", () => {
  it("starts with a handful of files, and with no package that only some calls need", async () => {
    const home = await folder();
    const tellFiles = join(home, "tell-files.cjs");
    await writeFile(tellFiles, `process.on("exit", () => console.error(JSON.stringify(Object.keys(require.cache))));`);
    const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n`;
    const { stdout, stderr } = await run(process.execPath, ["--require", tellFiles, PROGRAM, "stdio"], {
      env: { BOOKWHEEL_HOME: home },
      input: HELLO + list,
    });
    expect(stdout).toContain('"search_highlights"');
    const files: string[] = JSON.parse(stderr.trim().split("\n").at(-1)!);
    const packages = files
      .map((file) => /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1])
      .filter(Boolean);
    expect(new Set(packages)).toEqual(new Set([join("@photostructure", "sqlite"), "node-gyp-build"]));
    expect(files.length).toBeLessThan(50);
  });

  const parts = async () => {
    const made = join(ROOT, "dist", "program");
    return Promise.all((await readdir(made)).map((name) => readFile(join(made, name), "utf8")));
  };

  it("requires no package that only a newer Node could load so", async () => {
    const required = (await parts()).flatMap((text) =>
      [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, id]) => id),
    );
    const packages = [...new Set(required)].filter((id) => !id!.startsWith(".") && !id!.startsWith("node:"));
    expect(packages).toContain("playwright-core");
    const load = `for (const id of ${JSON.stringify(packages)}) require(id)`;
    expect(await run(process.execPath, ["--no-experimental-require-module", "-e", load])).toMatchObject({ code: 0 });
  });

  it("carries the licences of what it is made of", async () => {
    const licences = await readFile(join(ROOT, "dist", "program", "LICENSES.md"), "utf8");
    for (const name of ["zod", "@modelcontextprotocol/server", "prom-client", "marked"])
      expect(licences).toContain(name);
  });

  it("names no folder of the machine that made it", async () => {
    expect((await parts()).some((text) => text.includes(ROOT))).toBe(false);
  });
});

describe("server.json", () => {
  it("names the package as it is, with settings that exist", async () => {
    const [server, { name, version, mcpName }] = [await json("server.json"), await json("package.json")];
    expect(server).toMatchObject({
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      name: mcpName,
      version,
      packages: [{ registryType: "npm", identifier: name, version, transport: { type: "stdio" } }],
    });
    // Bounds of the registry's schema.
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(server.description.length).toBeLessThanOrEqual(100);
    for (const variable of server.packages[0].environmentVariables) expect(SETTING_NAMES).toContain(variable.name);
  });
});

describe("the bundle", () => {
  let unpacked: string;
  beforeAll(async () => {
    const made = await folder();
    const bundled = await run(process.execPath, [join(ROOT, "scripts", "bundle.mjs"), made]);
    expect(bundled.code, bundled.stderr).toBe(0);
    const [file] = await readdir(made);
    unpacked = join(made, "unpacked");
    for (const [path, bytes] of Object.entries(unzipSync(await readFile(join(made, file!))))) {
      await mkdir(dirname(join(unpacked, path)), { recursive: true });
      await writeFile(join(unpacked, path), bytes);
    }
  }, 240_000);

  const mcpb = peer("@anthropic-ai/mcpb/dist/cli/cli.js");
  if (!mcpb) console.log("skipped: mcpb validate (run `npm install --prefix tests/peers`)");
  it.skipIf(!mcpb)("has a manifest that the official tool finds valid", async () => {
    const checked = await run(process.execPath, [mcpb!, "validate", join(unpacked, "manifest.json")]);
    expect(checked, checked.stdout).toMatchObject({ code: 0, stdout: expect.stringContaining("passes") });
  });

  it("starts as its manifest says, with nothing configured", async () => {
    const { server, user_config } = JSON.parse(await readFile(join(unpacked, "manifest.json"), "utf8")) as {
      server: { mcp_config: { args: string[]; env: Record<string, string> } };
      user_config: Record<string, { default: unknown }>;
    };
    const filled = (text: string) =>
      text
        .replace(/\$\{__dirname\}/g, unpacked)
        .replace(/\$\{user_config\.(\w+)\}/g, (_all, name: string) => String(user_config[name]!.default));
    const env = Object.fromEntries(Object.entries(server.mcp_config.env).map(([name, value]) => [name, filled(value)]));
    const { tools, notebook } = await overStdio(process.execPath, server.mcp_config.args.map(filled), env);
    expect(tools).toEqual(expect.arrayContaining(["search_highlights", "list_documents", "ask", "verify_quote"]));
    expect(tools).not.toContain("delete_document");
    expect(notebook).toMatchObject({ name: "Margins" });
  }, 60_000);

  it("has what reading files by words and by meaning takes, and checking and citing them", async () => {
    const home = await folder();
    const env = { BOOKWHEEL_HOME: home };
    const program = join(unpacked, "dist", "main.js");
    await writeFile(join(home, "note.html"), "<h1>On margins</h1><p>A margin is a place to answer back.</p>");
    await writeFile(join(home, "note.md"), "# The Wheel and the Index\n\nA gutter is where two pages meet.");
    await writeFile(
      join(home, "note.pdf"),
      makePdf([lines(["On the first page there are some words.", "A footer is where a page ends."])]),
    );
    await writeFile(
      join(home, "note.epub"),
      makeEpub({ chapters: { "a.xhtml": xhtml("<h1>Spines</h1><p>A spine holds the leaves.</p>") } }),
    );
    await writeFile(
      join(home, "works.bib"),
      "@book{wheel, title={The Wheel and the Index}, author={Marlowe, Ines}, year={2025}}",
    );
    const files = ["html", "md", "pdf", "epub"].map((kind) => join(home, `note.${kind}`));
    const flags = ["--bookwheel-bibliography", join(home, "works.bib"), "--json"];
    const ingested = await run(process.execPath, [program, "ingest", "p", ...files, ...flags], { env });
    expect(JSON.parse(ingested.stdout), ingested.stderr).toMatchObject({ read: 4, skipped: [] });
    expect(ingested.stderr).not.toMatch(/canvas|polyfill/i);
    const quoted = await run(process.execPath, [program, "quote", "A footer is where a page ends."], { env });
    expect(JSON.parse(quoted.stdout), quoted.stderr).toMatchObject({
      verdict: "exact",
      matches: [{ page_span: [1, 1] }],
    });
    const cited = await run(process.execPath, [program, "cite", "p", "wheel", "--style", "apa"], { env });
    expect(JSON.parse(cited.stdout), cited.stderr).toMatchObject({ citation: "(Marlowe, 2025)" });
  }, 60_000);
});

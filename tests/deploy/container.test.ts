import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, sep } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../support/peers.js";
import { exitOf, PROGRAM } from "../support/program.js";
import { type Copy, copiesOf, environmentOf, stagesOf } from "./containerfile.js";

const text = readFileSync(join(ROOT, "Containerfile"), "utf8");
const stages = stagesOf(text);
const runtime = stages.at(-1)!;
const every = (name: string) => runtime.instructions.filter((one) => one.name === name).map(({ text }) => text);

describe("the Containerfile", () => {
  it("copies only what exists and what the ignore files let through", () => {
    const allowed = readFileSync(join(ROOT, ".containerignore"), "utf8");
    expect(readFileSync(join(ROOT, ".dockerignore"), "utf8")).toBe(allowed);
    const patterns = allowed.split("\n").filter((line) => line.startsWith("!"));
    for (const { from, sources } of stages.flatMap(copiesOf)) {
      if (from !== undefined) {
        expect(stages.map(({ name }) => name)).toContain(from);
        continue;
      }
      for (const source of sources) {
        expect(existsSync(join(ROOT, source)), source).toBe(true);
        const isAllowed = patterns.some((pattern) => matches(pattern.slice(1), source));
        expect(isAllowed, `${source} in .containerignore`).toBe(true);
      }
    }
  });

  it("ends in a stage that builds nothing, runs as nobody in particular and hears SIGTERM itself", () => {
    expect(stages.length).toBeGreaterThan(1);
    for (const { from } of stages) expect(from).toMatch(/^\$\{BASE\}$/);
    expect(text).toMatch(/^ARG BASE=docker\.io\/library\/node:\d+-bookworm-slim$/m);
    expect(every("RUN")).toEqual([]);
    expect(every("USER")).toEqual(["10001:10001"]);
    expect(every("ENTRYPOINT")).toEqual(['["node", "dist/main.js"]']);
    expect(every("STOPSIGNAL")).toEqual(["SIGTERM"]);
    expect(every("HEALTHCHECK").join()).toMatch(/CMD \["node", "healthcheck\.mjs"\]/);
    expect(every("VOLUME")).toEqual(["/data"]);
  });
});

const matches = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`).test(path);

describe.skipIf(!existsSync(PROGRAM))("what the image and the package hold (needs a build)", () => {
  let folder: string;
  const installed = () => join(folder, "installed", "node_modules");

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "bookwheel-image-"));
    mkdirSync(join(folder, "installed"));
    // Without it npm installs into the nearest folder above that has one.
    writeFileSync(join(folder, "installed", "package.json"), "{}");
    const npm = (cwd: string, ...args: string[]) => {
      const done = spawnSync("npm", [...args, "--no-audit", "--no-fund"], { cwd, encoding: "utf8" });
      if (done.status !== 0) throw new Error(`npm ${args.join(" ")}: ${done.stderr.slice(-2_000)}`);
      return done.stdout.trim();
    };
    const tarball = basename(npm(ROOT, "pack", "--silent", "--pack-destination", folder).split("\n").at(-1)!);
    const packed = join(folder, tarball);
    npm(join(folder, "installed"), "install", "--ignore-scripts", "--omit=dev", "--prefer-offline", packed);
    // What the tarball carries lies inside the package; in the image, whose packages npm installs itself, it lies beside it.
    const carried = join(installed(), "bookwheel", "node_modules");
    for (const name of readdirSync(carried))
      if (!existsSync(join(installed(), name))) symlinkSync(join(carried, name), join(installed(), name));
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The last stage by hand: its files in a bare folder, its environment and nothing else. */
  function unpack(): string {
    const app = join(folder, "app");
    mkdirSync(app);
    const place = ({ from, sources, target }: Copy) => {
      for (const source of sources) {
        if (source.endsWith("/node_modules")) symlinkSync(installed(), join(app, target));
        else if (target !== "/data")
          cpSync(
            join(ROOT, from ? source.replace(/^\/app\//, "") : source),
            join(app, target.endsWith("/") ? join(target, basename(source)) : target),
            { recursive: true },
          );
      }
    };
    for (const copy of copiesOf(runtime)) place(copy);
    return app;
  }

  async function serve(command: string, args: string[], cwd: string, extra: Record<string, string>) {
    const home = mkdtempSync(join(folder, "home-"));
    const child = spawn(command, args, {
      cwd,
      env: {
        PATH: process.env.PATH,
        ...environmentOf(runtime),
        BOOKWHEEL_HOME: home,
        PORT: "0",
        HOST: "127.0.0.1",
        ...extra,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    const url = await new Promise<string>((resolve, reject) => {
      child.stderr.on("data", (part: Buffer) => {
        stderr += part;
        const listening = /"message":"listening","url":"([^"]+)"/.exec(stderr);
        if (listening) resolve(listening[1]!);
      });
      child.once("exit", (code) => reject(new Error(`it ended with ${code}:\n${stderr}`)));
    });
    return { url, child, stop: () => exitOf(child, () => child.kill("SIGTERM")) };
  }
  async function search(url: string) {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_projects", arguments: {} } };
    const answer = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify(call),
    });
    return answer.text();
  }

  it("the runtime stage's files serve from a bare, read-only folder, are healthy, and stop when asked", async () => {
    const app = unpack();
    if (process.getuid?.() !== 0) chmodSync(app, 0o555);
    const { url, stop } = await serve(process.execPath, ["dist/main.js", "serve"], app, {});
    const port = new URL(url).port;
    const health = (env: Record<string, string>) =>
      new Promise((resolve) => spawn(process.execPath, ["healthcheck.mjs"], { cwd: app, env }).once("exit", resolve));
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: "ok" });
    expect(await (await fetch(`${url}/ready`)).json()).toMatchObject({
      ready: true,
      checks: { store: "ok", model: "ok" },
    });
    expect(await search(url)).toContain('"projects"');
    expect(await health({ PORT: port })).toBe(0);
    expect(await stop()).toBe(0);
    expect(await health({ PORT: port })).toBe(1);
  }, 60_000);

  it("the package from npm pack holds nothing that only a compiler, a debugger or a test reads", () => {
    const inside = readdirSync(join(installed(), "bookwheel"), { recursive: true, encoding: "utf8" }).map((path) =>
      path.split(sep).join("/"),
    );
    expect(inside.filter((path) => /\.(map|c|cc|cpp|h|hpp|gyp|gypi)$|(^|\/)sandbox\/|\.test\./.test(path))).toEqual([]);
    // One package serves every platform.
    const driver = "node_modules/@photostructure/sqlite";
    const binaries = inside.filter((path) => path.startsWith(`${driver}/prebuilds/`) && path.endsWith(".node"));
    for (const platform of ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64"])
      expect(binaries.some((path) => path.includes(platform))).toBe(true);
    expect(inside).toContain(`${driver}/LICENSE`);
  });

  it("the package from npm pack is the same program", async () => {
    const bin = join(installed(), ".bin", "bookwheel");
    const version = spawnSync(bin, ["--version"], { encoding: "utf8" });
    const { version: expected } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
    expect(version.stdout.trim()).toBe(expected);
    const tools = (program: string[]) =>
      spawnSync(program[0]!, [...program.slice(1), "tools", "--json"], {
        encoding: "utf8",
        env: { PATH: process.env.PATH },
      }).stdout;
    expect(tools([bin])).toBe(tools([process.execPath, PROGRAM]));
    const { url, stop } = await serve(bin, ["serve"], folder, {});
    expect(await search(url)).toContain('"projects"');
    expect(await stop()).toBe(0);
  }, 60_000);
});

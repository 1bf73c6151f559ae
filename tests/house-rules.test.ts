import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { TOOLS } from "../src/app/tools.js";
import { listTools } from "../src/catalog/doors.js";
import { PROFILE_NAMES } from "../src/catalog/profiles.js";
import type { JsonSchema } from "../src/catalog/wire-schema.js";
import { clientHints } from "../src/mcp/tool-search.js";
import { fileCycles, mutualRooms, packagesLoadedBy } from "./support/import-graph.js";
import { ROOT } from "./support/peers.js";
import { type Finding, notPlainIn } from "./support/plain-words.js";
import { type SourceFile, sourceFiles } from "./support/source-files.js";
import { unusedExports } from "./support/unused-exports.js";

const kebab = (name: string) => name.replaceAll("_", "-");
const costOf = (tool: (typeof TOOLS)[number]) =>
  JSON.stringify({ name: tool.name, title: tool.title, description: tool.description, inputSchema: tool.inputSchema })
    .length / 4;

describe("every tool", () => {
  it("has a name of its own, in snake_case, short enough for every client", () => {
    const names = TOOLS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{2,47}$/);
  });

  for (const tool of TOOLS) {
    it(`${tool.name} lies in the file of its name, is described for a model, and has whole annotations`, () => {
      const file = join(ROOT, "src", "shelves", tool.shelf, "tools", `${kebab(tool.name)}.ts`);
      expect(existsSync(file), file).toBe(true);
      expect(tool.title.length).toBeLessThanOrEqual(60);
      expect(tool.description).toMatch(/^[A-Z].*\.$/s);
      expect(tool.description.length).toBeGreaterThan(40);
      expect(tool.description.length).toBeLessThan(800);
      expect(tool.description).not.toMatch(/[A-Z]{2,}!|IMPORTANT|MUST|NEVER/);
      for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const)
        expect(typeof tool.annotations[hint]).toBe("boolean");
      expect(tool.annotations.readOnlyHint && tool.annotations.destructiveHint).toBe(false);
      // What removes a thing by name is switched on by itself; what writes over one only says so.
      const removes = /^(delete|remove)_/.test(tool.name);
      expect(tool.profiles.some((profile) => profile.endsWith("destructive"))).toBe(removes);
      if (removes || /^(update|store|sync|ingest)_/.test(tool.name))
        expect([tool.name, tool.annotations.destructiveHint]).toEqual([
          tool.name,
          tool.name !== "update_video_position",
        ]);
    });

    it(`${tool.name} has a flat object in, with every field described, and one or an error out`, () => {
      expect(tool.inputSchema.type).toBe("object");
      expect(Object.keys(tool.inputSchema)).not.toContain("anyOf");
      expect(tool.outputSchema).toEqual({
        type: "object",
        anyOf: [
          expect.objectContaining({ type: "object", properties: expect.any(Object) }),
          { type: "object", properties: { error: { type: "object" } }, required: ["error"] },
        ],
      });
      expect(Object.keys((tool.outputSchema.anyOf as object[])[0]!)).not.toContain("anyOf");
      expect(undescribed(tool.inputSchema)).toEqual([]);
      expect(unsaid(tool.inputSchema)).toEqual([]);
      expect(JSON.stringify([tool.inputSchema, tool.outputSchema])).not.toContain('"propertyNames"');
    });

    it(`${tool.name} says how long each text and list it takes may be`, () => {
      expect(endless(z.toJSONSchema(tool.input, { io: "input", unrepresentable: "any" }))).toEqual([]);
    });

    it(`${tool.name} keeps the schema in its snapshot`, async () => {
      const { name, doorName, title, description, profiles, annotations, timeoutMs, inputSchema } = tool;
      const [answerSchema] = tool.outputSchema.anyOf as JsonSchema[];
      const snapshot = JSON.stringify(
        { name, doorName, title, description, profiles, annotations, timeoutMs, inputSchema, answerSchema },
        null,
        2,
      );
      await expect(`${snapshot}\n`).toMatchFileSnapshot(`toolsnaps/${name}.json`);
    });
  }

  it("is found by the words people use: src/mcp/tool-search.ts has a line for it", () => {
    const silent = TOOLS.filter((tool) => {
      const hints = clientHints(tool);
      return !hints["anthropic/alwaysLoad"] && !hints["anthropic/searchHint"];
    });
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it("has no snapshot without a tool", () => {
    const stale = readdirSync(join(ROOT, "tests", "toolsnaps")).filter(
      (file) => !TOOLS.some(({ name }) => `${name}.json` === file),
    );
    expect(stale).toEqual([]);
  });

  it("costs a model little: all of them together stay under 9,000 tokens", () => {
    const rows = TOOLS.map((tool) => [tool.name, Math.round(costOf(tool))] as const).sort((a, b) => b[1] - a[1]);
    const total = Math.round(TOOLS.reduce((sum, tool) => sum + costOf(tool), 0));
    console.log(
      [
        ...rows.map(([name, tokens]) => `${String(tokens).padStart(5)}  ${name}`),
        `${String(total).padStart(5)}  total of ${TOOLS.length} tools`,
      ].join("\n"),
    );
    expect(total).toBeLessThan(9_000);
  });

  it("appears under its contract's names on each shelf's door", () => {
    const enabled = { profiles: new Set(PROFILE_NAMES), readOnly: false };
    expect(listTools(TOOLS, "readwise", enabled)).toHaveLength(29);
    const basic = { profiles: new Set(["reader", "write"] as const), readOnly: false };
    expect(listTools(TOOLS, "readwise", basic).map(({ name }) => name)).toEqual([
      "list_documents",
      "get_document",
      "list_reader_tags",
      "search_documents",
      "save_document",
      "update_document",
    ]);
    const notebooks = listTools(TOOLS, "notebooks", enabled).map(({ name }) => name);
    expect(notebooks).toEqual(
      expect.arrayContaining(["health_check", "list_notebooks", "get_notebook", "list_sources", "add_source", "ask"]),
    );
    const chunks = listTools(TOOLS, "chunks", enabled).map(({ name }) => name);
    expect(chunks).toEqual(
      expect.arrayContaining(["store_chunks", "find_chunks", "query_hybrid", "inspect_collection", "list_projects"]),
    );
  });
});

describe("the code flows one way", () => {
  const files = sourceFiles("src");
  const offenders = (rule: (file: SourceFile, target: string, typeOnly: boolean) => boolean) =>
    files.flatMap((file) =>
      file.imports
        .filter(({ target, typeOnly }) => rule(file, target, typeOnly))
        .map(({ target }) => `${file.path} imports ${target}`),
    );
  const inside = (path: string, ...folders: string[]) => folders.some((folder) => path.startsWith(`src/${folder}/`));
  const shelfOf = (path: string) => /^src\/shelves\/(\w+)\//.exec(path)?.[1];

  it("the SDK is known to mcp/ and transports/ alone", () => {
    expect(
      offenders(
        ({ path }, target) => target.startsWith("@modelcontextprotocol/") && !inside(path, "mcp", "transports", "web"),
      ),
    ).toEqual([]);
  });

  it("rules and stores know nothing of how a call arrives", () => {
    expect(
      offenders(
        ({ path }, target) =>
          inside(path, "shelves", "ingest", "citations", "text") && inside(target, "transports", "mcp", "cli", "web"),
      ),
    ).toEqual([]);
    expect(
      offenders(
        ({ path }, target, typeOnly) =>
          inside(path, "shelves", "ingest", "citations", "text") &&
          !typeOnly &&
          ["src/config/config.ts", "src/config/settings.ts", "src/program.ts"].includes(target),
      ),
    ).toEqual([]);
  });

  it("a shelf reaches another one only through a service it is handed", () => {
    expect(
      offenders(
        ({ path }, target, typeOnly) =>
          !typeOnly &&
          shelfOf(path) !== undefined &&
          shelfOf(target) !== undefined &&
          shelfOf(path) !== shelfOf(target),
      ),
    ).toEqual([]);
  });

  it("a tool holds its schema and a short handler: no backend, no store", () => {
    expect(
      offenders(
        ({ path }, target, typeOnly) =>
          /\/tools\//.test(path) && !typeOnly && /\/(backends|stores|embedding)\//.test(target),
      ),
    ).toEqual([]);
  });

  it("a service does not know its adapters", () => {
    const service = (path: string) => /^src\/shelves\/\w+\/[\w-]+\.ts$/.test(path);
    expect(
      offenders(({ path }, target, typeOnly) => service(path) && !typeOnly && /\/(backends|stores)\//.test(target)),
    ).toEqual([]);
  });

  it("no two rooms import each other, types included, but for these", () => {
    expect(mutualRooms(files)).toEqual([
      // A tool's context is made of every service, and the list of all tools is made of the catalog's kind.
      "app <-> catalog",
      // Tools of the chunks shelf show what citations and ingestion make of its store.
      "citations <-> shelves/chunks",
      "ingest <-> shelves/chunks",
      // The library search reads highlights; search by meaning over them uses the models and a table of the store.
      "shelves/chunks <-> shelves/readwise",
    ]);
  });

  it("a start loads few packages; others are loaded by the first call that needs them", () => {
    expect(packagesLoadedBy("src/assembly.ts", files)).toEqual(["@photostructure/sqlite", "lru-cache", "zod"]);
  });

  it("no files import each other in a circle, types included", () => {
    expect(fileCycles(files)).toEqual([]);
    expect(fileCycles(sourceFiles("sandbox"))).toEqual([]);
  });

  it("exports only what another file imports", () => {
    const others = ["tests", "sandbox", "bench", "scripts"].flatMap((folder) => sourceFiles(folder, { tests: true }));
    const configs = (name: string) => !name.includes("vite.config.ts");
    const unused = unusedExports(files, [...sourceFiles("src", { tests: true }), ...others]);
    expect(unused.filter(configs)).toEqual([]);
  });

  it("nobody imports the program", () => {
    expect(offenders((_file, target) => target === "src/program.ts")).toEqual([]);
  });

  it("the environment is read in one place", () => {
    const readers = files
      .filter(({ path, text }) => /process\.env\b/.test(text) && path !== "src/config/config.ts")
      .map(({ path }) => path);
    expect(readers).toEqual([]);
  });

  it("only the embedded store knows its driver", () => {
    expect(
      offenders(
        ({ path }, target) => target === "@photostructure/sqlite" && !path.startsWith("src/shelves/chunks/stores/"),
      ),
    ).toEqual([]);
  });

  it("the sandbox imports nothing from the product", () => {
    const leaks = sourceFiles("sandbox", { tests: true }).flatMap(({ path, imports }) =>
      imports.filter(({ target }) => target.startsWith("src/")).map(({ target }) => `${path} imports ${target}`),
    );
    expect(leaks).toEqual([]);
  });

  it("no folder is a drawer for everything, and no file only re-exports", () => {
    expect(
      files.filter(({ path }) => /\/(utils?|helpers?|common|misc)(\/|\.ts$)/.test(path)).map(({ path }) => path),
    ).toEqual([]);
    expect(
      files
        .filter(
          ({ path, text }) =>
            path.endsWith("/index.ts") && text.split("\n").every((line) => !line.trim() || line.startsWith("export *")),
        )
        .map(({ path }) => path),
    ).toEqual([]);
  });
});

it("every file that CONTRIBUTING names is there", () => {
  const text = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const named = [...text.matchAll(/`((?:src|tests|scripts|bench|docs)\/[\w./-]+\.\w+)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !path.includes("SHELF") && !existsSync(join(ROOT, path)))).toEqual([]);
});

it("the words are plain everywhere", () => {
  const show = ({ path, line, found, instead }: Finding) => `${path}:${line} says "${found}"; write: ${instead}`;
  const findings = notPlainIn("src", "tests", "docs", "scripts", "bench", "sandbox", "README.md", "CONTRIBUTING.md");
  expect(findings.map(show)).toEqual([]);
});

/** Paths of fields without a description, nested objects and list items included. */
function undescribed(schema: JsonSchema | Record<string, unknown>, path = ""): string[] {
  const properties = (schema.properties ?? {}) as Record<string, Record<string, unknown>>;
  return Object.entries(properties).flatMap(([name, field]) => {
    const here = path ? `${path}.${name}` : name;
    const items = field.items as Record<string, unknown> | undefined;
    return [
      ...(field.description ? [] : [here]),
      ...undescribed(field, here),
      ...(items ? undescribed(items, `${here}[]`) : []),
    ];
  });
}

/** Defaults and limits that no words mention: several clients strip the keywords before the model sees them. */
function unsaid(schema: JsonSchema | Record<string, unknown>, path = ""): string[] {
  const properties = (schema.properties ?? {}) as Record<string, Record<string, unknown>>;
  return Object.entries(properties).flatMap(([name, field]) => {
    const here = path ? `${path}.${name}` : name;
    const limits = ["default", "minimum", "maximum", "maxLength", "maxItems"].filter(
      (keyword) =>
        field[keyword] !== undefined &&
        !(keyword === "minimum" && field[keyword] === 0) &&
        !String(field.description).includes(String(field[keyword])),
    );
    const items = field.items as Record<string, unknown> | undefined;
    return [
      ...limits.map((keyword) => `${here}: ${keyword}`),
      ...unsaid(field, here),
      ...(items ? [...unsaid({ properties: { "[]": items } }, here), ...unsaid(items, `${here}[]`)] : []),
    ];
  });
}

/** Text without a largest length and lists without a largest number; a closed pattern without * and + is a length too. */
function endless(schema: Record<string, unknown>, path = ""): string[] {
  const types = [schema.type].flat();
  const closed = typeof schema.pattern === "string" && /^\^[^*+]*\$$/.test(schema.pattern);
  const bounded =
    (!types.includes("string") || "maxLength" in schema || "enum" in schema || "const" in schema || closed) &&
    (!types.includes("array") || "maxItems" in schema);
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>);
  const inner = [schema.items ?? [], schema.anyOf ?? [], schema.oneOf ?? []].flat() as Record<string, unknown>[];
  return [
    ...(bounded ? [] : [path]),
    ...fields.flatMap(([name, field]) => endless(field, path ? `${path}.${name}` : name)),
    ...inner.flatMap((each) => endless(each, `${path}[]`)),
  ];
}

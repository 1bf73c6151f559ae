// Writes the docs that come from the code; with --check it only tells whether they are up to date.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { TOOLS } from "../dist/app/tools.js";
import { PROFILE_NAMES, PROFILES, SHORTCUTS } from "../dist/catalog/profiles.js";
import { usageOf } from "../dist/cli/command.js";
import { COMMANDS } from "../dist/cli/commands.js";
import { flagOf, SETTING_NAMES, SETTINGS } from "../dist/config/settings.js";
import { ERRORS } from "../dist/kernel/errors.js";
import { getPrompt, listPrompts } from "../dist/mcp/prompts.js";
import { resourceTemplates } from "../dist/mcp/resources.js";
import { Declared } from "../dist/shelves/chunks/project-file.js";

const PROJECT_FILE = {
  projects: [
    { project: "thesis", description: "Papers on reading" },
    { project: "scans", hybrid_enabled: false },
  ],
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const note = "<!-- Made from the code by `npm run docs`; do not edit. -->\n\n";
const cell = (text) => String(text).replaceAll("|", "\\|").replaceAll("\n", " ");
const table = (head, rows) =>
  [
    `| ${head.join(" | ")} |`,
    `| ${head.map(() => "---").join(" | ")} |`,
    ...rows.map((row) => `| ${row.map(cell).join(" | ")} |`),
  ].join("\n");
const SHELF_TITLES = { readwise: "Readwise shelf", notebooks: "Notebooks shelf", chunks: "Chunks shelf" };

function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(", ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  return Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "any");
}

function fields(schema, prefix = "") {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const required = (schema.required ?? []).includes(name) && field.default === undefined;
    const row = [`\`${prefix}${name}\`${required ? " (required)" : ""}`, typeOf(field), field.description ?? ""];
    const inner = field.type === "array" ? field.items : field;
    return [row, ...(inner?.properties ? fields(inner, `${prefix}${name}${field.type === "array" ? "[]" : ""}.`) : [])];
  });
}

function exampleOf(tool) {
  const file = join(root, "docs", "examples", `${tool.name}.json`);
  if (!existsSync(file)) return "";
  const { request, answer } = JSON.parse(readFileSync(file, "utf8"));
  return `\n\n\`\`\`json\n${JSON.stringify({ name: tool.name, arguments: request })}\n\`\`\`\n\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\``;
}

function toolSection(tool) {
  const door = tool.doorName === tool.name ? "" : ` On the shelf's own door it is \`${tool.doorName}\`.`;
  const rows = fields(tool.inputSchema);
  const input = rows.length ? table(["Parameter", "Type", "Meaning"], rows) : "No parameters.";
  const out = Object.keys(tool.output.shape)
    .map((name) => `\`${name}\``)
    .join(", ");
  return `### ${tool.name}\n\n${tool.description}${door}\n\n*${kindOf(tool)}; profile ${tool.profiles.join(" + ")}; deadline ${tool.timeoutMs / 1000} s*\n\n${input}\n\nAnswers with ${out}.${exampleOf(tool)}`;
}

const kindOf = ({ annotations }) =>
  annotations.readOnlyHint ? "reads" : annotations.destructiveHint ? "changes or deletes" : "adds";

/** Every tool in a line, by shelf, so that a reader need not scroll through all of them. */
const toolsIndex = () =>
  Object.entries(SHELF_TITLES)
    .map(
      ([shelf, title]) =>
        `**${title}**\n\n${table(
          ["Tool", "Does", ""],
          TOOLS.filter((tool) => tool.shelf === shelf).map((tool) => [
            `[\`${tool.name}\`](#${tool.name})`,
            tool.title,
            kindOf(tool),
          ]),
        )}`,
    )
    .join("\n\n");

const toolsPage = () =>
  `# Tools\n\n${note}${toolsIndex()}\n\n${Object.entries(SHELF_TITLES)
    .map(
      ([shelf, title]) =>
        `## ${title}\n\n${TOOLS.filter((tool) => tool.shelf === shelf)
          .map(toolSection)
          .join("\n\n")}`,
    )
    .join("\n\n")}\n`;

const everything = new Map(TOOLS.map((tool) => [tool.name, tool]));
const promptsPage = () =>
  `# Prompts and resources\n\n${note}Prompts are ready-made requests: in Claude Code they are commands (\`/mcp__bookwheel__draft_paragraph\`), in other clients a menu. A client that has neither can be given the text below. Each is on offer where the tools it needs are.\n\n${listPrompts(
    everything,
  )
    .map(({ name, title, description, arguments: args }) => {
      const values = Object.fromEntries(args.map((arg) => [arg.name, `{${arg.name}}`]));
      const [message] = getPrompt(name, values, everything).messages;
      const list = args.map((arg) => `- \`${arg.name}\`${arg.required ? " (required)" : ""}: ${arg.description}`);
      return `## ${name}\n\n**${title}.** ${description}\n\n${list.length ? `${list.join("\n")}\n\n` : ""}> ${message.content.text.replaceAll("\n", "\n> ")}`;
    })
    .join(
      "\n\n",
    )}\n\n## Resources\n\nWhat a client can attach to a conversation without calling a tool, as JSON:\n\n${table(
    ["Address", "What it is", "Meaning"],
    resourceTemplates(everything).map(({ uriTemplate, title, description }) => [
      `\`${uriTemplate}\``,
      title,
      description,
    ]),
  )}\n`;

const errorsPage = () =>
  `# Errors\n\n${note}Every error has the same form on every shelf, as structured content and as text, with \`isError: true\`:\n\n\`\`\`json\n{ "error": { "type": "api_error", "code": "rate_limited", "message": "…", "details": {}, "recoverable": true, "retry_after": 16 } }\n\`\`\`\n\nCodes are each contract's own: lower case on the Readwise shelf, upper case on the other two.\n\n${table(
    ["Code", "Type", "Status", "Worth a retry", "Meaning", "What to do"],
    Object.entries(ERRORS).map(([code, row]) => [
      `\`${code}\``,
      row.type,
      row.status,
      row.recoverable ? "yes" : "no",
      row.meaning,
      row.remedy,
    ]),
  )}\n`;

const profilesPage = () =>
  `# Profiles\n\n${note}A profile is a group of tools that is switched on together. A tool appears only when every profile it asks for is on.\n\n${table(
    ["Profile", "Shelf", "Needs", "What it is for", "Tools"],
    PROFILE_NAMES.map((name) => [
      `\`${name}\``,
      PROFILES[name].shelf,
      PROFILES[name].needs.join(" or ") || "–",
      PROFILES[name].about,
      TOOLS.filter((tool) => tool.profiles[0] === name)
        .map((tool) =>
          tool.profiles.length > 1 ? `${tool.name} (with ${tool.profiles.slice(1).join(", ")})` : tool.name,
        )
        .join(", "),
    ]),
  )}\n\n## Switching them on\n\n\`READWISE_PROFILES\`, \`NOTEBOOK_PROFILES\` and \`CHUNK_PROFILES\` take names separated by commas, or a shortcut:\n\n${table(
    ["Setting", "Shortcut", "Is"],
    Object.entries(SHORTCUTS).flatMap(([shelf, shortcuts]) =>
      Object.entries(shortcuts).map(([name, profiles]) => [
        `\`${shelf === "readwise" ? "READWISE" : shelf === "chunks" ? "CHUNK" : "NOTEBOOK"}_PROFILES\``,
        `\`${name}\``,
        profiles.join(", "),
      ]),
    ),
  )}\n\nAn unknown name, or a profile without what it needs, stops the start with a message that says what to write instead.\n\n## Narrowing a single connection\n\nA client can ask for less than the server offers, never for more: \`/mcp?profiles=readwise,chunks\` or the header \`X-Bookwheel-Profiles: readwise,chunks\`. Both together are the intersection. An unknown name is answered with HTTP 400 and the names there are.\n\n\`--read-only\` (\`READ_ONLY=true\`) leaves only tools that change nothing.\n\n## Doors\n\n\`/mcp\` shows every enabled shelf; \`/readwise/mcp\`, \`/notebooks/mcp\` and \`/chunks/mcp\` show one each, under exactly its contract's names. Two contracts have a \`list_sources\`: on \`/mcp\` it is Readwise's, and the notebooks' is \`list_notebook_sources\`. On stdio, \`--shelf NAME\` is the same choice.\n`;

const shown = (value) =>
  value === undefined || value === "" ? "–" : Array.isArray(value) ? value.join(",") || "–" : String(value);
const configurationPage = () =>
  `# Commands and settings\n\n${note}## Commands\n\n${table(
    ["Command", "What it does"],
    Object.entries(COMMANDS).map(([name, command]) => [`\`bookwheel ${usageOf(name, command)}\``, command.about]),
  )}\n\n## Settings\n\nEvery setting is an environment variable and a flag; the flag wins. Bad values stop the start, all of them named at once.\n\n${table(
    ["Variable", "Flag", "Default", "Form", "Meaning"],
    SETTING_NAMES.map((name) => [
      `\`${name}\``,
      `\`--${flagOf(name)}\``,
      shown(SETTINGS[name].fallback),
      SETTINGS[name].form,
      SETTINGS[name].about,
    ]),
  )}\n\n## Projects declared in a file\n\n\`projects.json\` in the data folder (\`BOOKWHEEL_HOME\`) declares projects ahead of their first use. They are made with these settings whichever command names them first; a project that exists already is left as it is. A file that cannot be used stops the start.\n\n\`\`\`json\n${JSON.stringify(PROJECT_FILE, null, 2)}\n\`\`\`\n\n${table(
    ["Field", "Type", "Meaning"],
    Object.entries(z.toJSONSchema(Declared).properties).map(([name, field]) => [
      `\`${name}\``,
      typeOf(field),
      field.description,
    ]),
  )}\n`;

const pages = {
  "TOOLS.md": toolsPage,
  "PROMPTS.md": promptsPage,
  "ERRORS.md": errorsPage,
  "PROFILES.md": profilesPage,
  "CONFIGURATION.md": configurationPage,
};
const check = process.argv.includes("--check");
let stale = 0;
for (const [name, make] of Object.entries(pages)) {
  const file = join(root, "docs", name);
  const text = make();
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  if (check) console.error(`docs/${name} is out of date: run \`npm run docs\``);
  else writeFileSync(file, text);
  stale++;
}
if (check && stale) process.exit(1);

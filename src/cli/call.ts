import type { Services } from "../app/services.js";
import { TOOLS } from "../app/tools.js";
import { callTool } from "../catalog/call-tool.js";
import type { Progress } from "../catalog/context.js";
import { inNamesOf, type Listing, listTools } from "../catalog/doors.js";
import { nearest } from "../kernel/edit-distance.js";
import { jsonOrUndefined } from "../kernel/json.js";
import { doorOf, enabledIn, type Run } from "./command.js";
import { misused, progressLines } from "./console.js";

/** The tools on offer to a shell. */
export const offeredTools = ({ args, config }: Pick<Run, "args" | "config">): Listing[] =>
  listTools(TOOLS, doorOf(args, config), enabledIn(config));

export function printTools(run: Run): void {
  const listings = offeredTools(run);
  if (run.args.flags.json === true) {
    const shown = listings.map(({ name, tool: { title, description, inputSchema } }) => ({
      name,
      title,
      description,
      inputSchema,
    }));
    return run.print(JSON.stringify(shown, null, 2));
  }
  const width = Math.max(0, ...listings.map(({ name }) => name.length));
  for (const { name, tool } of listings) run.print(`${name.padEnd(width)}  ${tool.title}`);
  run.print(`\n${listings.length} tools. More with READWISE_PROFILES=all, NOTEBOOK_PROFILES=all, CHUNK_PROFILES=all.`);
}

/** Calls tools for the person at the shell. */
export const callerFor =
  ({ config, signal }: Pick<Run, "config" | "signal">, services: Services, listings: readonly Listing[]) =>
  ({ name, tool }: Listing, args: unknown, progress: Progress = () => {}) =>
    callTool(tool, args, {
      services,
      calledAs: name,
      inNames: inNamesOf(listings),
      caller: { readwiseKey: config.READWISE_API_KEY },
      signal,
      progress,
    });

/** Calls one tool from the shell; exit code 0 for an answer, 1 for an error envelope, 2 for wrong usage. */
export async function callFromShell(run: Run, services: Services): Promise<number> {
  const [name, ...words] = run.args.positionals;
  const listings = offeredTools(run);
  const listing = listings.find((candidate) => candidate.name === name);
  if (!listing) {
    const names = listings.map((tool) => tool.name);
    const [near] = nearest(name ?? "", names, 1);
    return misused(
      run,
      name
        ? `No tool '${name}' is on offer.${near ? ` Did you mean '${near}'?` : ""} 'bookwheel tools' lists them.`
        : "Which tool? For example: bookwheel call list_projects",
    );
  }
  let args: unknown;
  try {
    args = argumentsIn(words);
  } catch (error) {
    return misused(run, (error as Error).message);
  }
  const outcome = await callerFor(run, services, listings)(listing, args, progressLines(run));
  run.print(JSON.stringify(outcome.ok ? outcome.data : { error: outcome.error }, null, 2));
  // Work that outlasts its call would end with this process.
  if (listing.tool.name === "ingest_documents") await services.ingestJobs.settled();
  return outcome.ok ? 0 : 1;
}

/** One JSON object, or KEY=VALUE words: a value that is not JSON is text; a repeated key is a list. */
function argumentsIn(words: readonly string[]): Record<string, unknown> {
  const [first = "{}"] = words;
  if (first.trimStart().startsWith("{")) {
    if (words.length > 1) throw new Error("The arguments are one quoted word of JSON, or KEY=VALUE words; not both.");
    try {
      return JSON.parse(first) as Record<string, unknown>;
    } catch (error) {
      throw new Error(
        `The arguments are not JSON (${(error as Error).message}). Write them as one quoted word: '{"query":"memory"}'`,
      );
    }
  }
  const args: Record<string, unknown> = {};
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 1) throw new Error(`'${word}' is not KEY=VALUE. For example: query=memory`);
    const [key, value] = [word.slice(0, at), jsonOrText(word.slice(at + 1))];
    const before = args[key];
    args[key] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return args;
}

const jsonOrText = (text: string): unknown => jsonOrUndefined(text) ?? text;

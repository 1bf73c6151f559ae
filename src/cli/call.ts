import type { Services } from "../app/services.js";
import { callTool } from "../catalog/call-tool.js";
import type { Tool } from "../catalog/define-tool.js";
import { type DoorName, type Enabled, inNamesOf, listTools } from "../catalog/doors.js";
import { nearest } from "../kernel/edit-distance.js";
import { jsonOrUndefined } from "../kernel/json.js";
import { type Console, misused, progressLines } from "./console.js";

interface Offer {
  tools: readonly Tool[];
  door: DoorName;
  enabled: Enabled;
}

export function printTools({ tools, door, enabled }: Offer, print: Console["print"], asJson: boolean): void {
  const listings = listTools(tools, door, enabled);
  if (asJson)
    return print(
      JSON.stringify(
        listings.map(({ name, tool }) => ({
          name,
          title: tool.title,
          description: tool.description,
          inputSchema: tool.inputSchema,
        })),
        null,
        2,
      ),
    );
  const width = Math.max(0, ...listings.map(({ name }) => name.length));
  for (const { name, tool } of listings) print(`${name.padEnd(width)}  ${tool.title}`);
  print(`\n${listings.length} tools. More with READWISE_PROFILES=all, NOTEBOOK_PROFILES=all, CHUNK_PROFILES=all.`);
}

/** Calls one tool from the shell; exit code 0 for an answer, 1 for an error envelope, 2 for wrong usage. */
export async function callFromShell(
  [name, ...words]: readonly string[],
  shell: Offer & Console & { services: Services; readwiseKey: string | undefined; signal: AbortSignal },
): Promise<number> {
  const { tools, door, enabled, services, readwiseKey, signal, print } = shell;
  const listings = listTools(tools, door, enabled);
  const listing = listings.find((candidate) => candidate.name === name);
  if (!listing) {
    const [near] = nearest(
      name ?? "",
      listings.map((tool) => tool.name),
      1,
    );
    return misused(
      shell,
      name
        ? `No tool '${name}' is on offer.${near ? ` Did you mean '${near}'?` : ""} 'bookwheel tools' lists them.`
        : "Which tool? For example: bookwheel call list_projects",
    );
  }
  let args: unknown;
  try {
    args = argumentsIn(words);
  } catch (error) {
    return misused(shell, (error as Error).message);
  }
  const outcome = await callTool(listing.tool, args, {
    services,
    calledAs: listing.name,
    inNames: inNamesOf(listings),
    caller: { readwiseKey },
    signal,
    progress: progressLines(shell),
  });
  print(JSON.stringify(outcome.ok ? outcome.data : { error: outcome.error }, null, 2));
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

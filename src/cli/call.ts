import type { Services } from "../app/services.js";
import { callTool } from "../catalog/call-tool.js";
import type { Tool } from "../catalog/define-tool.js";
import type { DoorName, Enabled } from "../catalog/doors.js";
import { inNamesOf, listTools } from "../catalog/doors.js";

type Print = (line: string) => void;

export function printTools(
  tools: readonly Tool[],
  door: DoorName,
  enabled: Enabled,
  print: Print,
  asJson: boolean,
): void {
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

/** Calls one tool from the shell; exit code 0 for an answer, 1 for an error envelope, 2 for a call that makes no sense. */
export async function callFromShell(
  {
    tools,
    door,
    enabled,
    services,
    readwiseKey,
    signal,
    print,
    complain,
  }: {
    tools: readonly Tool[];
    door: DoorName;
    enabled: Enabled;
    services: Services;
    readwiseKey: string | undefined;
    /** Cancels the call. */
    signal: AbortSignal;
    print: Print;
    complain: Print;
  },
  name: string | undefined,
  argumentText: string | undefined,
): Promise<number> {
  const listings = listTools(tools, door, enabled);
  const listing = listings.find((candidate) => candidate.name === name);
  if (!listing) {
    complain(
      name
        ? `No tool '${name}' is on offer. 'bookwheel tools' lists them.`
        : `Which tool? For example: bookwheel call list_projects`,
    );
    return 2;
  }
  let args: unknown;
  try {
    args = argumentText ? JSON.parse(argumentText) : {};
  } catch (error) {
    complain(
      `The arguments are not JSON (${(error as Error).message}). Write them as one quoted word: '{"query":"memory"}'`,
    );
    return 2;
  }
  const progress = (done: number, total?: number, message?: string) =>
    complain(`${done}${total ? `/${total}` : ""} ${message ?? ""}`);
  const outcome = await callTool(listing.tool, args, {
    services,
    calledAs: listing.name,
    inNames: inNamesOf(listings),
    caller: { readwiseKey },
    signal,
    progress,
  });
  print(JSON.stringify(outcome.ok ? outcome.data : { error: outcome.error }, null, 2));
  return outcome.ok ? 0 : 1;
}

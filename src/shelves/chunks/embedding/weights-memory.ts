import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { jsonOrUndefined } from "../../../kernel/json.js";
import { stampOf, weightsHash } from "./model-files.js";

const Known = z.record(z.string(), z.object({ stamp: z.string(), sha256: z.string() }));
const MOST_REMEMBERED = 100;

/**
 * SHA-256 of a graph's weights. A file that has the size and time it had when it was hashed is not read again: hundreds
 * of megabytes would hold up every start. `remembered` is where that is kept.
 */
export async function weightsOf(graph: string, remembered?: string): Promise<string> {
  if (remembered === undefined) return weightsHash(graph);
  const known = Known.safeParse(jsonOrUndefined(textOf(remembered))).data ?? {};
  const stamp = stampOf(graph);
  if (known[graph]?.stamp === stamp) return known[graph].sha256;
  const sha256 = await weightsHash(graph);
  const rest = Object.entries(known).filter(([path]) => path !== graph);
  remember(remembered, Object.fromEntries([...rest.slice(1 - MOST_REMEMBERED), [graph, { stamp, sha256 }]]));
  return sha256;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function remember(file: string, known: z.infer<typeof Known>): void {
  const written = `${file}.${process.pid}`;
  try {
    writeFileSync(written, JSON.stringify(known, undefined, 2), { mode: 0o600 });
    renameSync(written, file);
  } catch {
    // a folder that cannot be written to costs time at the next start, nothing else
  }
}

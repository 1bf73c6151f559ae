import { createHash } from "node:crypto";
import { createReadStream, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** SHA-256 of a graph and of the files beside it that hold its weights: a large graph keeps them outside. */
export async function weightsHash(graph: string): Promise<string> {
  const hash = createHash("sha256");
  for (const file of filesOf(graph))
    for await (const part of createReadStream(file, { highWaterMark: 2 ** 18 })) hash.update(part as Buffer);
  return hash.digest("hex");
}

/** Size and time of change of the same files; another value where any of them was written to. */
export function stampOf(graph: string): string {
  return filesOf(graph)
    .map((file) => statSync(file, { bigint: true }))
    .map(({ size, mtimeNs, ino }) => `${size} ${mtimeNs} ${ino}`)
    .join("; ");
}

function filesOf(graph: string): string[] {
  const [folder, name] = [dirname(graph), basename(graph)];
  const weights = readdirSync(folder).filter((file) => isWeightsOf(name, file));
  return [graph, ...weights.sort().map((file) => join(folder, file))];
}

/** Large graphs have their weights in separate files beside them. */
export const isWeightsOf = (graph: string, file: string) =>
  file.startsWith(`${graph}_data`) || file === `${graph}.data` || /^Constant_.*_value$/.test(file);

import { createHash } from "node:crypto";
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** SHA-256 of a graph and of the files beside it that hold its weights: a large graph keeps them outside. */
export function weightsHash(graph: string): string {
  const hash = createHash("sha256");
  for (const file of [graph, ...outside(graph)]) addFile(hash, file);
  return hash.digest("hex");
}

function outside(graph: string): string[] {
  const [folder, name] = [dirname(graph), basename(graph)];
  const beside = readdirSync(folder).filter((file) => file.startsWith(`${name}_data`) || file === `${name}.data`);
  return beside.sort().map((file) => join(folder, file));
}

/** Piece by piece: read at once, the file would stay in memory beside the graph made of it. */
function addFile(hash: ReturnType<typeof createHash>, file: string) {
  const piece = Buffer.allocUnsafe(2 ** 18);
  const opened = openSync(file, "r");
  try {
    for (let read = readSync(opened, piece); read > 0; read = readSync(opened, piece))
      hash.update(piece.subarray(0, read));
  } finally {
    closeSync(opened);
  }
}

import { fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
let stores = 0;
/**
 * Ingests `from` into a new store in `folder`, in a process of its own: what it says of itself, and its memory after each
 * document. `bench` is the folder of the benchmarks of the build that is measured.
 */
export function ingest(folder, from, flags, bench = HERE) {
  const file = join(folder, `bench-${stores++}.db`);
  return new Promise((resolve, reject) => {
    const child = fork(join(bench, "ingest-run.mjs"), [from, file, ...flags], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    const rss = [];
    let out = "";
    child.stdout.on("data", (data) => {
      out += data;
    });
    child.on("message", (message) => rss.push(message.rss));
    child.on("close", (code) =>
      code === 0 ? resolve({ summary: JSON.parse(out), rss }) : reject(new Error(`The ingest ended with ${code}.`)),
    );
  });
}

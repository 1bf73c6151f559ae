import { fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const RUN = fileURLToPath(new URL("ingest-run.mjs", import.meta.url));
let stores = 0;
/**
 * Ingests `from` into a new store in `folder`, in a process of its own: what it says of itself, and its memory after each
 * document.
 */
export function ingest(folder, from, flags) {
  const file = join(folder, `bench-${stores++}.db`);
  return new Promise((resolve, reject) => {
    const child = fork(RUN, [from, file, ...flags], {
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

// Programs started again, and how long it takes until they have said something.
import { spawn } from "node:child_process";

/** What a client writes to a server over stdio: the greeting, then one request with the id 2. */
export const greetingThen = (request) => [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "0" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, ...request },
];

/** Milliseconds from starting Node with these arguments to the first time it says `text`; then it is ended. */
export async function untilSaid(args, settings, text, asked = [], meanwhile = async () => {}) {
  // Where it is set, Node reads a whole list of certificates at every start: as long as all the rest of its own start.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = { ...process.env, ...settings };
  const began = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const patience = setTimeout(() => child.kill("SIGKILL"), 30_000).unref();
  for (const message of asked) child.stdin.write(`${JSON.stringify(message)}\n`);
  let said = "";
  await new Promise((resolve, reject) => {
    const hear = (part) => {
      said += part;
      if (said.includes(text)) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", () => (said.includes(text) ? resolve() : reject(new Error(said))));
  });
  const ms = performance.now() - began;
  await meanwhile(child.pid);
  clearTimeout(patience);
  child.kill("SIGKILL");
  await ended;
  return ms;
}

import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What the wire does to what comes back; requests go through untouched. */
export type Trouble =
  | { kind: "none" }
  /** Every piece comes so much later. */
  | { kind: "delay"; ms: number }
  /** The connection is reset after so many bytes of an answer. */
  | { kind: "cut"; afterBytes: number }
  /** Marks that hold JSON together are replaced, lengths stay: nothing of it can be taken for an answer. */
  | { kind: "corrupt" }
  /** So many bytes, then a pause, and so on. */
  | { kind: "throttle"; bytes: number; everyMs: number }
  /** Nobody answers the phone. */
  | { kind: "refuse" };

export interface BadWire {
  url: string;
  trouble: Trouble;
  close(): Promise<void>;
}

/** A proxy between the server and one upstream, at the level of TCP. */
export async function badWire(upstream: string): Promise<BadWire> {
  const { hostname, port } = new URL(upstream);
  const open = new Set<Socket>();
  const wire: BadWire = { url: "", trouble: { kind: "none" }, close: async () => {} };

  const server = createServer((near) => {
    if (wire.trouble.kind === "refuse") return near.resetAndDestroy();
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => {}).on("close", () => open.delete(socket));
    }
    near.pipe(far);
    near.on("close", () => far.destroy());
    let passed = 0;
    let writing = Promise.resolve();
    far.on("data", (piece: Buffer) => {
      const trouble = wire.trouble;
      writing = writing.then(() => pass(near, piece, trouble, passed));
      passed += piece.length;
    });
    far.on("close", () => void writing.then(() => near.end()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  wire.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  wire.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
  return wire;
}

async function pass(near: Socket, piece: Buffer, trouble: Trouble, passed: number): Promise<void> {
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  if (near.destroyed) return;
  switch (trouble.kind) {
    case "delay":
      await sleep(trouble.ms);
      near.write(piece);
      return;
    case "cut":
      if (passed + piece.length < trouble.afterBytes) near.write(piece);
      else near.write(piece.subarray(0, Math.max(0, trouble.afterBytes - passed)), () => near.resetAndDestroy());
      return;
    case "corrupt":
      near.write(garbled(piece));
      return;
    case "throttle":
      for (let at = 0; at < piece.length && !near.destroyed; at += trouble.bytes) {
        near.write(piece.subarray(at, at + trouble.bytes));
        await sleep(trouble.everyMs);
      }
      return;
    default:
      near.write(piece);
  }
}

/** The head of an answer stays readable; of its body every brace, bracket and quotation mark is lost. */
function garbled(piece: Buffer): Buffer {
  const start = piece.toString("latin1").startsWith("HTTP/") ? piece.indexOf("\r\n\r\n") + 4 : 0;
  const copy = Buffer.from(piece);
  for (let i = start; i < copy.length; i++) if ('{}[]"'.includes(String.fromCharCode(copy[i]!))) copy[i] = 0x23;
  return copy;
}

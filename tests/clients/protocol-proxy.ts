import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";

export interface ProtocolProxy {
  url: string;
  /** The protocol version of the last request that named one; forgets it. */
  spoken(): string | undefined;
  close(): void;
}

/** Passes requests on to a server, and notes which version of the protocol a client speaks. */
export async function startProtocolProxy(target: string): Promise<ProtocolProxy> {
  let version: string | undefined;
  const server = createServer((incoming, outgoing) => {
    const named = incoming.headers["mcp-protocol-version"];
    if (typeof named === "string") version = named;
    const { method, headers, url } = incoming;
    const onward = forward(
      new URL(url ?? "/", target),
      { method, headers: { ...headers, host: new URL(target).host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        // Some clients never name it again: it is what the server answers to their greeting.
        answer.on("data", (part: Buffer) => {
          version ??= /"protocolVersion":"([\d-]+)"/.exec(part.toString())?.[1];
        });
        answer.pipe(outgoing);
      },
    );
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spoken() {
      const last = version;
      version = undefined;
      return last;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

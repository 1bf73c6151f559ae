import { readdirSync } from "node:fs";
import {
  type ReadwiseSandbox,
  type ReadwiseSandboxOptions,
  startReadwiseSandbox,
} from "../../sandbox/readwise/server.js";
import type { Tool } from "../../src/catalog/define-tool.js";
import { httpReadwise } from "../../src/shelves/readwise/backends/http.js";
import { memoryCacheStore } from "../../src/shelves/readwise/cache/stores/memory.js";
import {
  createReadwiseShelf,
  type ReadwiseShelf,
  type ReadwiseShelfOptions,
} from "../../src/shelves/readwise/library/library.js";
import { type Connected, connect } from "./connect.js";

export interface Fixture {
  sandbox: ReadwiseSandbox;
  shelf: ReadwiseShelf;
  /** The official client in the name of a key. */
  as(key: string | undefined): Promise<Connected>;
  /** Both clocks. */
  advance(ms: number): void;
  close(): Promise<void>;
}

export interface FixtureOptions extends ReadwiseSandboxOptions {
  cache?: Partial<ReadwiseShelfOptions["cache"]>;
  timeoutMs?: number;
  tools?: readonly Tool[];
  store?: ReadwiseShelfOptions["store"];
  meaning?: ReadwiseShelfOptions["meaning"];
  log?: ReadwiseShelfOptions["log"];
}

export const NOON = Date.UTC(2026, 5, 15, 12);

/** The simulator, the shelf over HTTP and MCP clients, under one clock that stands until it is moved. */
export async function readwiseFixture({
  cache,
  // As in the product: a machine under load may take seconds for one request.
  timeoutMs = 30_000,
  tools,
  store = memoryCacheStore,
  meaning,
  log,
  ...options
}: FixtureOptions = {}): Promise<Fixture> {
  let now = NOON;
  const clock = () => now;
  const sandbox = await startReadwiseSandbox({ clock, ...options });
  const shelf = createReadwiseShelf({
    api: httpReadwise({ baseUrl: sandbox.url, timeoutMs, clock }),
    cache: { enabled: true, maxBytes: 64 * 1024 * 1024, ttlMs: 300_000, ...cache },
    clock,
    store,
    meaning,
    log,
  });
  const connections: Connected[] = [];
  return {
    sandbox,
    shelf,
    async as(key) {
      const connected = await connect({
        services: { readwise: shelf },
        tools: tools ?? (await readwiseTools()),
        ...(key === undefined ? {} : { readwiseKey: key }),
      });
      connections.push(connected);
      return connected;
    },
    advance(ms) {
      now += ms;
    },
    async close() {
      for (const connection of connections) await connection.close();
      await shelf.close();
      await sandbox.close();
    },
  };
}

const FOLDER = new URL("../../src/shelves/readwise/tools/", import.meta.url);

/** Every tool of the shelf, whether or not the catalog lists it yet. */
export async function readwiseTools(): Promise<Tool[]> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, FOLDER).href) as Promise<Record<string, Tool>>),
  );
  return modules.flatMap((module) => Object.values(module));
}

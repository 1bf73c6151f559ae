import { fileURLToPath } from "node:url";
import type { Library } from "../../sandbox/readwise/library.js";
import { type ReadwiseSandbox, startReadwiseSandbox } from "../../sandbox/readwise/server.js";
import type { Services } from "../../src/app/services.js";
import { readConfig } from "../../src/config/config.js";
import { createLog } from "../../src/kernel/log.js";
import { createMetrics } from "../../src/kernel/metrics.js";
import { createCatalogServer } from "../../src/mcp/server.js";
import { httpReadwise } from "../../src/shelves/readwise/backends/http.js";
import { memoryCacheStore } from "../../src/shelves/readwise/cache/stores/memory.js";
import { createReadwiseShelf } from "../../src/shelves/readwise/library/library.js";
import { startHttp } from "../../src/transports/http.js";
import { pageFiles } from "../../src/web/page-files.js";
import { readwiseTools } from "../support/readwise.js";

const PAGE = fileURLToPath(new URL("../../dist/web/page", import.meta.url));

export interface ServedPage {
  url: string;
  sandbox: ReadwiseSandbox;
  close(): Promise<void>;
}

/** The page over the Readwise shelf alone, in this process: quick to start, and its upstream can be made to fail. */
export async function servePage(
  libraries: Record<string, Library>,
  env: Record<string, string> = {},
  guestKey?: string,
): Promise<ServedPage> {
  const sandbox = await startReadwiseSandbox({ libraries });
  const shelf = createReadwiseShelf({
    api: httpReadwise({ baseUrl: sandbox.url, timeoutMs: 5_000 }),
    cache: { enabled: true, maxBytes: 1e7, ttlMs: 300_000 },
    store: memoryCacheStore,
  });
  const config = readConfig({ PORT: "0", BOOKWHEEL_SHELVES: "readwise", READWISE_PROFILES: "all", ...env });
  const metrics = createMetrics();
  const log = createLog("error");
  const services = { readwise: shelf, log, observe: metrics.call } as unknown as Services;
  const server = createCatalogServer({ tools: await readwiseTools(), services, version: "0" });
  const page = pageFiles(PAGE);
  const http = await startHttp({
    config,
    server,
    metrics,
    log,
    ready: {},
    ...(page ? { page } : {}),
    ...(guestKey ? { guestKey } : {}),
  });
  return {
    url: http.url,
    sandbox,
    async close() {
      await http.close();
      await shelf.close();
      await sandbox.close();
    },
  };
}

import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startReadwiseSandbox } from "../../sandbox/readwise/server.js";
import { memoryRateLimiter } from "../../src/shelves/notebooks/limits/rate-limiter.js";
import { httpReadwise } from "../../src/shelves/readwise/backends/http.js";
import { memoryCacheStore } from "../../src/shelves/readwise/cache/stores/memory.js";
import { createReadwiseShelf } from "../../src/shelves/readwise/library/library.js";
import { connect } from "../support/connect.js";
import { NOON, readwiseTools } from "../support/readwise.js";
import { smallLibrary } from "../support/small-library.js";

const KEY = "clock-readwise-key";
const TTL_MS = 100;
const WINDOW_MS = 1_000;
const DAY_MS = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each([
  ["a day back", -DAY_MS],
  ["ten years ahead", 3_650 * DAY_MS],
])("a machine's clock that is set %s", (_jump, ms) => {
  it("neither freezes nor empties what is remembered of Readwise", async () => {
    const { library, tides } = smallLibrary();
    const sandbox = await startReadwiseSandbox({ libraries: { [KEY]: library }, limits: false, clock: () => NOON });
    const shelf = createReadwiseShelf({
      api: httpReadwise({ baseUrl: sandbox.url, timeoutMs: 5_000 }),
      cache: { enabled: true, maxBytes: 16 * 1024 * 1024, ttlMs: TTL_MS },
      store: memoryCacheStore,
    });
    const client = await connect({ services: { readwise: shelf }, tools: await readwiseTools(), readwiseKey: KEY });
    const found = async () => (await client.call("search_highlights", { query: "springtide" })).results;
    expect(await found()).toEqual([]);

    vi.setSystemTime(Date.now() + ms);
    library.addHighlight(tides, { text: "A springtide follows the new moon." }, NOON);
    await delay(TTL_MS * 2);
    expect(await found()).toHaveLength(1);
    await client.close();
    await shelf.close();
    await sandbox.close();
  });

  it("neither lifts a limit nor keeps it for ever", async () => {
    const limits = memoryRateLimiter();
    const take = () => limits.take([{ bucket: "any", limit: 1 }], WINDOW_MS);
    expect(await take()).toMatchObject({ allowed: true });
    vi.setSystemTime(Date.now() + ms);
    expect(await take()).toMatchObject({ allowed: false });
    await delay(WINDOW_MS * 1.5);
    expect(await take()).toMatchObject({ allowed: true });
  });
});

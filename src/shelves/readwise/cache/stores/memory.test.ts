import { cacheStoreContract } from "../../../../../tests/support/cache-store.contract.js";
import { createMemoryLimit } from "../memory-limit.js";
import { memoryCacheStore } from "./memory.js";

cacheStoreContract("memory", () =>
  memoryCacheStore({ limit: createMemoryLimit(10_000_000, Date.now), clock: Date.now }),
);

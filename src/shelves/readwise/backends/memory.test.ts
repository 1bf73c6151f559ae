import { readwiseApiContract } from "../../../../tests/support/readwise-api.contract.js";
import type { ReadwiseApi } from "../readwise-api.js";
import { memoryReadwise } from "./memory.js";

readwiseApiContract("memory", async () => {
  let now = Date.UTC(2026, 5, 15, 12);
  const accounts = new Map<string, ReadwiseApi>();
  return {
    api(key) {
      const account = accounts.get(key) ?? memoryReadwise({ clock: () => now, exportPageSize: 2 });
      accounts.set(key, account);
      return account;
    },
    advance(ms) {
      now += ms;
    },
    close: async () => {},
  };
});

import { createHash } from "node:crypto";
import { type CacheStore, placeIn } from "./cache-store.js";
import type { Flights } from "./single-flight.js";

/** The cached endpoints, with the names of the contract. */
export const BOOKS = "/api/v2/books/";
export const EXPORT = "/api/v2/export/";
export const LIST = "/api/v3/list/";
export const READER_TAGS = "/api/v3/tags/";

export type Params = Record<string, string | number | boolean | undefined>;
export type CacheResult = "hit" | "miss" | "shared";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
export const hashOfKey = (apiKey: string) => sha256(apiKey);

/** SHA-256 of the key's own hash, the endpoint and the sorted parameters: two keys never share an entry. */
export function cacheKey(keyHash: string, endpoint: string, params: Params = {}): string {
  const sorted = Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return sha256(`${keyHash}${endpoint}?${sorted.join("&")}`);
}

/** The journal of one key's writes that affect an endpoint. */
export const journalName = (keyHash: string, endpoint: string) => sha256(`${keyHash}${endpoint}`);

export interface Remembering {
  store: CacheStore;
  flights: Flights;
  observe: (result: CacheResult) => void;
}

/** The cached answer if it is younger than `ttlMs` and nothing was written since; otherwise fetched, once for all concurrent callers. */
export async function remembered<T>(
  { store, flights, observe }: Remembering,
  { keyHash, endpoint, params, ttlMs }: { keyHash: string; endpoint: string; params: Params; ttlMs: number },
  signal: AbortSignal,
  fetch: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const key = cacheKey(keyHash, endpoint, params);
  const place = placeIn(await store.journal(journalName(keyHash, endpoint)));
  const kept = async () => {
    const entry = await store.read(key);
    if (entry?.head !== place || !entry.parts[0]) return undefined;
    return { value: JSON.parse(Buffer.from(entry.parts[0]).toString()) as T }; // written below, by the same caller
  };
  const known = await kept();
  if (known) {
    observe("hit");
    return known.value;
  }
  return flights.share(`${key}@${place}`, signal, async (shared) => {
    const fetchAndKeep = async () => {
      observe("miss");
      const value = await fetch(shared);
      await store.write(key, { head: place, parts: [Buffer.from(JSON.stringify(value))] }, ttlMs);
      return value;
    };
    // Another process that shares the store may be fetching the same answer now.
    return store.local ? fetchAndKeep() : store.alone(key, shared, async () => (await kept())?.value ?? fetchAndKeep());
  });
}

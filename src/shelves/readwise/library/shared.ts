import type { Params } from "../cache/cache.js";
import type { Datasets } from "../cache/datasets.js";
import type { Meaning } from "../meaning/meaning.js";
import type { ReadwiseApi } from "../readwise-api.js";

/** What the parts of a library share. */
export interface Shared {
  api: ReadwiseApi;
  keyHash: string;
  datasets: Datasets;
  meaning?: Pick<Meaning, "expect" | "near" | "trouble"> | undefined;
  htmlText(html: string, signal: AbortSignal): Promise<string>;
  htmlMarkdown(html: string, signal: AbortSignal): Promise<string>;
  now(): number;
  /** Remembers a value of this key for a day, if there is a cache. */
  keep(name: string, value: unknown): Promise<void>;
  recall<T>(name: string): Promise<T | undefined>;
  cached<T>(
    endpoint: string,
    params: Params,
    signal: AbortSignal,
    fetch: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Records a write that affects these endpoints: data read before is out of date. */
  written(endpoints: readonly string[], note?: string): Promise<void>;
}

import { createHash } from "node:crypto";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Log } from "../../../kernel/log.js";
import { steadyNow } from "../../../kernel/time.js";
import { signsOf } from "../../../kernel/vector.js";
import { contentOf, subjectOf } from "../../../text/filler-words.js";
import { isLegible, queryVector } from "../../../text/query-vector.js";
import type { Embedder, Embedders } from "../../chunks/embedding/embedder.js";
import type { ItemSet } from "../cache/facts.js";
import type { MeaningStore, Space } from "./meaning-store.js";
import { type BitKernel, createSignTable, eachSigns, encodeVectors, similarityTo } from "./sign-table.js";

interface MeaningOptions {
  embedders: Embedders;
  store: MeaningStore;
  kernelFor: (rowBytes: number) => BitKernel;
  log?: Log | undefined;
}

/** Items to search by meaning. */
interface Data {
  /** What the vectors of the same items are held under. */
  name: string;
  space: Omit<Space, "model">;
  view: Pick<ItemSet, "itemCount" | "liveCount" | "isAlive">;
  passages(item: number): readonly Passage[];
  /** Whether the view is all there is of its kind, so that rows of anything else may go. */
  whole: boolean;
}
export interface Passage {
  text: string;
  /** Stands in front of the text: a passage seldom names its subject. */
  lead: string;
}

interface MeaningRequest {
  query: string;
  limit: number;
  /** Items that are compared whether or not they are near: what words have found. */
  also: readonly number[];
  filter?: ((item: number) => boolean) | undefined;
  signal: AbortSignal;
}
export interface Near {
  /** The nearest items and the requested ones, with their cosine. */
  similarity: ReadonlyMap<number, number>;
  model: string;
  /** Whether the model knows the words of the query. */
  legible: boolean;
  /** How many of the items have vectors so far. */
  covered: number;
}

export interface Meaning {
  /** A search for this begins: the model reads the query while words are searched. Resolves as soon as it was sent. */
  expect(query: string): Promise<void>;
  /** Undefined where there is no model, or nothing has a vector yet. Starts the work that is still to do, and does not wait for it. */
  near(data: Data, request: MeaningRequest): Promise<Near | undefined>;
  /** Why no vectors are being computed now; undefined if they are, or if none is missing. */
  readonly trouble: string | undefined;
  /** Resolves when every item that was seen has its vectors. */
  settled(): Promise<void>;
  forget(keyHash?: string): Promise<number>;
  /** Lets go of what is in memory for a dataset. */
  drop(name: string): void;
  byteSize(name: string): number;
  close(): Promise<void>;
}

/** Candidates by signs that are compared exactly. */
const CANDIDATES = 200;
const ITEMS_PER_READ = 256;
const ITEMS_PER_EMBEDDING = 16;
/** How long a search waits for stored vectors to be read; it never waits for new ones. */
const PATIENCE_MS = 1_000;
const RETRY_MS = 30_000;
/** How often to check for vectors that another process on the same folder has computed. */
const LOOK_AGAIN_MS = 1_000;
const MAX_PASSAGES = 5;
const REMEMBERED_QUERIES = 256;
/** Of all datasets together; each holds the nearest few hundred items. */
const REMEMBERED_ANSWERS = 256;
const DATASETS_IN_MEMORY = 64;

export function createMeaning({ embedders, store, kernelFor, log }: MeaningOptions): Meaning {
  const closing = new AbortController();
  const indexes = new LRUCache<string, Index>({ max: DATASETS_IN_MEMORY });
  const waiting = new Set<Index>();
  const queries = new LRUCache<string, Promise<Question>>({ max: REMEMBERED_QUERIES });
  const answers: Answers = new LRUCache({ max: REMEMBERED_ANSWERS });
  let working: Promise<void> | undefined;
  let restUntil = 0;

  const wake = (index: Index) => {
    if (closing.signal.aborted || index.missing.length === 0 || steadyNow() < restUntil) return;
    waiting.add(index);
    working ??= work().finally(() => {
      working = undefined;
    });
  };

  /** Makes what is missing, a little for each dataset in turn. */
  async function work(): Promise<void> {
    while (waiting.size > 0 && !closing.signal.aborted) {
      let worked = false;
      for (const index of [...waiting]) {
        try {
          worked = (await index.embedSome(closing.signal)) || worked;
        } catch (error) {
          if (closing.signal.aborted) return;
          // The next search after a while tries again; until then words answer.
          restUntil = steadyNow() + RETRY_MS;
          for (const each of waiting) await store.release(each.space);
          waiting.clear();
          log?.warn("highlights are searched by words until the embedding model answers again", {
            reason: error instanceof Error ? error.message : String(error),
          });
          return;
        }
        if (index.missing.length === 0 || index.dropped) {
          waiting.delete(index);
          await store.release(index.space);
        }
      }
      if (!worked && waiting.size > 0) await pause(closing.signal);
    }
  }

  /** Shared by all callers with the same request, so no single abort ends it. */
  function read(embedder: Embedder, model: string, query: string): Promise<Question> {
    const name = `${model}\n${query}`;
    const known = queries.get(name);
    if (known) return known;
    const plain = query.replace(/["“”„«»*]/g, " ").trim();
    const made = Promise.all([
      queryVector(embedder, [plain, contentOf(subjectOf(plain))]),
      isLegible(embedder, plain),
    ]).then(([vector, legible]) => ({ vector, legible }));
    queries.set(name, made);
    made.catch(() => queries.delete(name));
    return made;
  }

  function current(): { embedder: Embedder; model: string; id: string } | undefined {
    const identity = embedders.preferred;
    const embedder = identity && embedders.get(identity);
    if (!identity || !embedder || closing.signal.aborted) return undefined;
    return {
      embedder,
      id: identity.id,
      model: `${identity.id} ${identity.weights_sha256 ?? ""} ${identity.dimension}`,
    };
  }

  return {
    async expect(query) {
      const now = current();
      // Without vectors to compare with nobody will need it.
      if (!now || ![...indexes.values()].some(({ covered }) => covered > 0)) return;
      read(now.embedder, now.model, query).catch(() => {}); // the search itself reports the error
      await nextTurn();
    },
    async near({ name, whole, ...data }, request) {
      const now = current();
      if (!now) return undefined;
      const { embedder, model } = now;
      let index = indexes.get(name);
      if (index?.view !== data.view || index.space.model !== model || index.stale) {
        if (index) index.dropped = true;
        index = createIndex({ embedder, store, kernelFor, answers, ...data, space: { ...data.space, model } });
        indexes.set(name, index);
      }
      index.whole = whole;
      await Promise.race([index.load(), delay(PATIENCE_MS, undefined, { signal: request.signal, ref: false })]);
      wake(index);
      if (index.covered === 0) return undefined;
      const { vector, legible } = await read(embedder, model, request.query);
      const similarity = await index.nearest(vector, request);
      return { similarity, legible, model: now.id, covered: index.covered };
    },
    get trouble() {
      if (!embedders.preferred) return embedders.unavailable ?? "No embedding model is available.";
      if (steadyNow() < restUntil) return "The embedding model does not answer.";
      return [...indexes.values()].some(({ isFull }) => isFull)
        ? "There is no room for more vectors (READWISE_MEANING_MAX_MB)."
        : undefined;
    },
    async settled() {
      await Promise.all([...indexes.values()].map((index) => index.load()));
      for (const index of indexes.values()) wake(index);
      await working;
    },
    async forget(keyHash) {
      for (const [name, index] of [...indexes.entries()])
        if (keyHash === undefined || index.space.keyHash === keyHash) {
          index.dropped = true;
          indexes.delete(name);
        }
      return store.forget(keyHash);
    },
    drop(name) {
      const index = indexes.get(name);
      if (index) index.dropped = true;
      indexes.delete(name);
    },
    byteSize: (name) => indexes.get(name)?.byteSize() ?? 0,
    async close() {
      closing.abort();
      await working;
      await store.close();
    },
  };
}

/** Ends early, without an error, where the server stops. */
const pause = (signal: AbortSignal) => delay(LOOK_AGAIN_MS, undefined, { signal, ref: false }).catch(() => {});

interface Question {
  vector: Float32Array;
  legible: boolean;
}

/** By index and query; valid for the state of the index it was computed with. */
type Answers = LRUCache<string, { version: string; similarity: ReadonlyMap<number, number> }>;

interface Index {
  readonly view: Data["view"];
  readonly space: Space;
  readonly covered: number;
  /** Items without a vector, in the order they are embedded. */
  readonly missing: number[];
  whole: boolean;
  dropped: boolean;
  /** Rows it knows of are gone: forgotten by a command, or dropped to make room. */
  stale: boolean;
  /** The store had no room for the rest. */
  isFull: boolean;
  /** Reads what is kept for items that were not seen yet. */
  load(): Promise<void>;
  /** Computes some of the missing vectors, or reads those of another process; false if only that process works on it. */
  embedSome(signal: AbortSignal): Promise<boolean>;
  nearest(unit: Float32Array, request: MeaningRequest): Promise<ReadonlyMap<number, number>>;
  byteSize(): number;
}

let lastIndex = 0;

function createIndex({
  embedder,
  store,
  kernelFor,
  view,
  passages,
  answers,
  space,
}: Pick<MeaningOptions, "store" | "kernelFor"> &
  Pick<Data, "view" | "passages"> & { embedder: Embedder; answers: Answers; space: Space }): Index {
  const number = ++lastIndex;
  const { dimension } = embedder.identity;
  const table = createSignTable(dimension, kernelFor);
  const missing: number[] = [];
  /** Content hashes by item, 16 bytes each: what its row is kept under. */
  let hashes = Buffer.alloc(1024 * HASH_BYTES);
  let seen = 0;
  let covered = 0;
  let swept = false;
  let loading: Promise<void> | undefined;

  const hashOf = (item: number) => hashes.toString("hex", item * HASH_BYTES, (item + 1) * HASH_BYTES);
  const add = (item: number, row: Uint8Array) => {
    eachSigns(row, dimension, (signs) => table.add(item, signs));
    covered++;
  };

  async function readKept(): Promise<void> {
    while (seen < view.itemCount && !index.dropped) {
      const until = Math.min(view.itemCount, seen + ITEMS_PER_READ);
      if (until * HASH_BYTES > hashes.length) hashes = Buffer.concat([hashes, Buffer.alloc(hashes.length)]);
      const lot: number[] = [];
      for (let item = seen; item < until; item++) {
        if (!view.isAlive(item)) continue;
        contentHash(space, passages(item)).copy(hashes, item * HASH_BYTES);
        lot.push(item);
      }
      seen = until;
      const kept = await store.read(space, lot.map(hashOf));
      for (const item of lot) {
        const row = kept.get(hashOf(item));
        if (row) add(item, row);
        else missing.push(item);
      }
      await nextTurn();
    }
  }

  /** The items without a row; another process may have computed some in the meantime. */
  async function notMade(items: readonly number[]): Promise<number[]> {
    const kept = await store.read(space, items.map(hashOf));
    return items.filter((item) => {
      const row = kept.get(hashOf(item));
      if (row) add(item, row);
      return !row && view.isAlive(item);
    });
  }

  /** Reads vectors that another process has computed; returns whether there were any. */
  async function takeMade(count: number): Promise<boolean> {
    const before = covered;
    for (let done = 0; done < count && !index.dropped; done += ITEMS_PER_READ) {
      missing.push(...(await notMade(missing.splice(0, Math.min(ITEMS_PER_READ, count - done)))));
      await nextTurn();
    }
    return covered > before;
  }

  /** Drops rows of deleted texts, once per view. */
  async function sweep(): Promise<void> {
    if (swept || !index.whole || missing.length > 0) return;
    swept = true;
    const live = new Set<string>();
    for (let item = 0; item < seen; item++) if (view.isAlive(item)) live.add(hashOf(item));
    await store.keepOnly(space, live);
  }

  const index: Index = {
    view,
    space,
    missing,
    whole: false,
    dropped: false,
    stale: false,
    isFull: false,
    get covered() {
      return covered;
    },
    load() {
      loading ??= readKept().finally(() => {
        loading = undefined;
      });
      return loading;
    },
    async embedSome(signal) {
      if (!(await store.claim(space))) return await takeMade(missing.length);
      const lot = await notMade(missing.splice(0, ITEMS_PER_EMBEDDING));
      try {
        const windows = await windowsOf(
          embedder,
          lot.map((item) => passages(item)),
        );
        const vectors = await embedder.embed(windows.flat(), { as: "background", signal });
        const rows = new Map<string, Uint8Array>();
        let taken = 0;
        lot.forEach((item, i) => {
          const own = vectors.slice(taken, taken + windows[i]!.length);
          taken += own.length;
          rows.set(hashOf(item), encodeVectors(own));
        });
        if (!(await store.write(space, rows))) {
          missing.length = 0; // what has no room is found by words
          index.isFull = true;
          return true;
        }
        for (const item of lot) add(item, rows.get(hashOf(item))!);
      } catch (error) {
        missing.unshift(...lot);
        throw error;
      }
      await sweep();
      return true;
    },
    async nearest(unit, { query, limit, also, filter }) {
      const version = `${table.count} ${view.itemCount} ${view.liveCount} ${limit}`;
      const name = `${number}\n${query}`;
      const known = filter ? undefined : answers.get(name);
      if (known?.version === version) return known.similarity;
      const accepts = (item: number) => view.isAlive(item) && (filter === undefined || filter(item));
      const items = table.nearest(signsOf(unit, dimension), Math.max(CANDIDATES, 4 * limit), accepts);
      const near = new Set(items);
      for (const item of also) if (item < seen) items.add(item);
      const names = new Map([...items].map((item) => [item, hashOf(item)]));
      const rows = await store.read(space, [...new Set(names.values())]);
      const similarity = new Map<number, number>();
      for (const [item, hash] of names) {
        const row = rows.get(hash);
        if (row) similarity.set(item, similarityTo(unit, row));
        else if (near.has(item)) index.stale = true;
      }
      if (!filter) answers.set(name, { version, similarity });
      return similarity;
    },
    byteSize: () => table.byteSize() + hashes.length + missing.length * 8,
  };
  return index;
}

const HASH_BYTES = 16;

/** The key is part of it: the same text of two people has two names. */
function contentHash({ keyHash, model }: Space, passages: readonly Passage[]): Buffer {
  const hash = createHash("sha256").update(`${keyHash}\0${model}`);
  for (const { text, lead } of passages) hash.update(`\0${lead}\0${text}`);
  return hash.digest().subarray(0, HASH_BYTES);
}

/** The first windows of each passage, and the last window of a long one, because a note follows its text. */
async function windowsOf(embedder: Embedder, items: readonly (readonly Passage[])[]): Promise<string[][]> {
  const windows = await embedder.windows(items.flat().map(({ text, lead }) => ({ text, prefix: lead })));
  return items.map(({ length }) => {
    const chosen = windows
      .splice(0, length)
      .flatMap((all) => (all.length <= 2 ? all : [all[0]!, all[1]!, all.at(-1)!]));
    return [...new Set(chosen)].slice(0, MAX_PASSAGES);
  });
}

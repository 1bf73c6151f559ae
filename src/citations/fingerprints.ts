import { setImmediate } from "node:timers/promises";
import type { ChunkStore, DocumentSummary, Project } from "../shelves/chunks/chunk-store.js";
import { isSetTight, normalise } from "./normalise.js";
import type { Quote } from "./quote.js";
import { FUZZY_SIMILARITY } from "./search-text.js";
import { fromChunks, loadSource, type SourceText } from "./source-text.js";

/** The three-word runs of a text, as a Bloom filter: about 1 in 40 false positives, no false negatives. */
type Fingerprint = Uint32Array;

const BITS_PER_RUN = 12;
/** The three-word runs of a quote, in order. */
interface QuoteRuns {
  hashes: Uint32Array;
  /** With fewer shared runs than this no part of the text is similar enough for "fuzzy". */
  least: number;
}

const isWordUnit = new Uint8Array(0x10000);
const WORD = 1;
const CHARACTER = 2;
const OTHER = 3;

function unitKind(unit: number): number {
  const character = String.fromCharCode(unit);
  const kind =
    isSetTight(character) && /[\p{L}\p{N}]/u.test(character)
      ? CHARACTER
      : /[\p{L}\p{N}\p{M}\ud800-\udfff]/u.test(character)
        ? WORD
        : OTHER;
  isWordUnit[unit] = kind;
  return kind;
}

/** Hashes of all three-word runs of a normalised text; punctuation is ignored. */
function eachRun(text: string, take: (hash: number) => void): void {
  let word = 0;
  let first = 0;
  let second = 0;
  let count = 0;
  const end = () => {
    count++;
    if (count >= 3) take(mix(Math.imul(first, 0x85ebca6b) ^ Math.imul(second, 0xc2b2ae35) ^ word));
    first = Math.imul(second, 5) + 0x1b873593;
    second = word;
    word = 0;
  };
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const kind = isWordUnit[unit] || unitKind(unit);
    if (kind === WORD) word = Math.imul(word ^ unit, 0x01000193) + 0x9dc5;
    else {
      if (word !== 0) end();
      if (kind === CHARACTER) {
        word = Math.imul(unit, 0x01000193) + 0x9dc5;
        end();
      }
    }
  }
  if (word !== 0) end();
}

function mix(hash: number): number {
  const a = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  const b = Math.imul(a ^ (a >>> 15), 0x846ca68b);
  return (b ^ (b >>> 16)) >>> 0;
}

export function fingerprint(normalisedText: string): Fingerprint {
  const hashes: number[] = [];
  eachRun(normalisedText, (hash) => hashes.push(hash));
  let size = 64;
  while (size < hashes.length * BITS_PER_RUN) size *= 2;
  const bits = new Uint32Array(size / 32);
  for (const hash of hashes) {
    for (const at of [hash, second(hash)]) {
      const bit = at & (size - 1);
      bits[bit >>> 5]! |= 1 << (bit & 31);
    }
  }
  return bits;
}

/** Each of the steps takes tens of milliseconds for a whole book: others are answered in between. */
async function printOf({ text }: SourceText): Promise<Fingerprint> {
  await setImmediate();
  const normal = normalise(text).text;
  await setImmediate();
  return fingerprint(normal);
}

const second = (hash: number) => Math.imul(hash, 0x9e3779b1) >>> 7;

function holds(bits: Fingerprint, hash: number): boolean {
  const mask = bits.length * 32 - 1;
  const one = hash & mask;
  const two = second(hash) & mask;
  return ((bits[one >>> 5]! >>> (one & 31)) & 1) === 1 && ((bits[two >>> 5]! >>> (two & 31)) & 1) === 1;
}

/** Each changed word affects at most three runs; all others must be present. */
export function runsOf(quote: Quote): QuoteRuns {
  const hashes: number[] = [];
  let least = 0;
  for (const part of quote.parts.length > 1 ? quote.parts : [quote]) {
    const before = hashes.length;
    eachRun(part.normal, (hash) => hashes.push(hash));
    const runs = hashes.length - before;
    const words = runs + 2;
    least += runs === 0 ? 0 : Math.max(1, runs - 3 * Math.floor(words * (1 - FUZZY_SIMILARITY)));
  }
  return { hashes: Uint32Array.from(hashes), least };
}

/** How many of the quote's runs the text may contain, and which of them are consecutive. */
export function sharedRuns(print: Fingerprint, { hashes }: QuoteRuns): { count: number; inRows: number[] } {
  const held = Array.from(hashes, (hash) => holds(print, hash));
  return {
    count: held.filter(Boolean).length,
    inRows: held.flatMap((here, at) => (here && (held[at - 1] || held[at + 1]) ? [at] : [])),
  };
}

/** The fewest texts that together contain the quote's runs; if no set does, the two that contain most. */
function together<T extends { inRows: number[] }>(texts: readonly T[], runs: number): T[] {
  const open = new Set(Array.from({ length: runs }, (_, i) => i));
  const chosen: T[] = [];
  while (chosen.length < MAX_PARTIAL) {
    let best: T | undefined;
    let gain = 0;
    for (const text of texts) {
      const more = text.inRows.filter((at) => open.has(at)).length;
      if (more > gain) [best, gain] = [text, more];
    }
    if (!best) break;
    chosen.push(best);
    for (const at of best.inRows) open.delete(at);
  }
  return open.size <= runs * MAX_UNHELD ? chosen : chosen.slice(0, 2);
}

interface Printed {
  version: string;
  print: Fingerprint;
  load(): Promise<SourceText[]>;
}

const MAX_BYTES = 256 * 1024 * 1024;
const PAGE = 500;
const MAX_PARTIAL = 6;
/** Share of runs that a stitched quote may miss: those across its joints, and one error. */
const MAX_UNHELD = 0.35;

export type Suspects = ReturnType<typeof createFingerprints>;

/**
 * Fingerprints of every text of a project, made on first use and updated for changed texts. They select the
 * texts worth reading for a quote that the word index did not find.
 */
export function createFingerprints({ store }: { store: ChunkStore }) {
  const projects = new Map<string, Map<string, Printed>>();

  /** Texts that may contain the quote, then those that may contain parts of it. All others cannot. */
  return async function suspects(
    project: Project,
    quote: Quote,
    stored: readonly DocumentSummary[],
    signal: AbortSignal,
  ): Promise<SourceText[]> {
    const prints = await refresh(project, stored, signal);
    const runs = runsOf(quote);
    const scored = [...prints.values()].map((printed) => ({ printed, ...sharedRuns(printed.print, runs) }));
    const whole = scored.filter(({ count }) => count >= runs.least);
    const partial = together(
      scored.filter(({ count }) => count < runs.least),
      runs.hashes.length,
    );
    const texts: SourceText[] = [];
    for (const { printed } of [...whole, ...partial]) {
      signal.throwIfAborted();
      texts.push(...(await printed.load()));
    }
    return texts;
  };

  async function refresh(
    project: Project,
    stored: readonly DocumentSummary[],
    signal: AbortSignal,
  ): Promise<Map<string, Printed>> {
    const before = projects.get(project.id) ?? new Map<string, Printed>();
    const now = new Map<string, Printed>();
    // Stored after each step, so that the work of an aborted call is not lost.
    projects.delete(project.id);
    projects.set(project.id, new Map([...before, ...now]));
    const keep = (key: string, printed: Printed) => {
      now.set(key, printed);
      projects.get(project.id)?.set(key, printed);
    };
    for (const { id, sha256, updated_at, char_count } of stored) {
      const version = `${sha256} ${updated_at} ${char_count}`;
      const known = before.get(id);
      if (known?.version === version) {
        keep(id, known);
        continue;
      }
      signal.throwIfAborted();
      const source = await loadSource(store, project.id, id);
      if (source) keep(id, { version, print: await printOf(source), load: () => loaded(project.id, id) });
    }
    const accounted = stored.reduce((sum, { chunk_count }) => sum + chunk_count, 0);
    const count = await store.count(project.id);
    if (accounted < count)
      await addLoose(
        project,
        new Set(stored.map(({ id }) => id)),
        `${project.updated_at} ${count}`,
        before,
        keep,
        signal,
      );
    projects.set(project.id, now);
    forget(project.id);
    return now;
  }

  /** Texts without a stored document. They have no version: any write to the project invalidates them. */
  async function addLoose(
    project: Project,
    stored: ReadonlySet<string>,
    version: string,
    before: ReadonlyMap<string, Printed>,
    keep: (key: string, printed: Printed) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const same = [...before].filter(([, printed]) => printed.version === version);
    if (same.length > 0) {
      for (const [key, printed] of same) keep(key, printed);
      return;
    }
    if (!store.chunkPage) return;
    const docs = new Set<string>();
    const found: [string, Printed][] = [];
    for (let after: string | null = null; ; ) {
      signal.throwIfAborted();
      const page = await store.chunkPage(project.id, after, PAGE);
      const alone = page.filter(({ doc_id }) => doc_id === null);
      for (const { doc_id } of page) if (doc_id !== null && !stored.has(doc_id)) docs.add(doc_id);
      if (alone.length > 0) {
        const ids = alone.map(({ id }) => id);
        found.push([
          `chunks from ${ids[0]}`,
          {
            version,
            print: fingerprint(alone.map(({ text }) => normalise(text).text).join(" . ")),
            load: async () => (await store.chunks(project.id, { ids })).map((chunk) => fromChunks(null, [chunk])),
          },
        ]);
      }
      if (page.length < PAGE) break;
      after = page.at(-1)!.id;
    }
    for (const id of docs) {
      signal.throwIfAborted();
      const source = await loadSource(store, project.id, id);
      if (source)
        found.push([`chunks of ${id}`, { version, print: await printOf(source), load: () => loaded(project.id, id) }]);
    }
    // All or nothing: an incomplete list would be taken for complete next time.
    for (const [key, printed] of found) keep(key, printed);
  }

  async function loaded(project: string, id: string): Promise<SourceText[]> {
    const source = await loadSource(store, project, id);
    return source ? [source] : [];
  }

  /** Above the limit, the least recently used projects are dropped. */
  function forget(current: string): void {
    const size = (prints: Map<string, Printed>) =>
      [...prints.values()].reduce((sum, { print }) => sum + print.byteLength, 0);
    let total = [...projects.values()].reduce((sum, prints) => sum + size(prints), 0);
    for (const [id, prints] of projects) {
      if (total <= MAX_BYTES || id === current) continue;
      projects.delete(id);
      total -= size(prints);
    }
  }
}

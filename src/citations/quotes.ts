import { createByteLru } from "../kernel/byte-lru.js";
import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import { byRareWords } from "./candidates.js";
import { createFingerprints } from "./fingerprints.js";
import { type Difference, differences } from "./fuzzy.js";
import { type Normalised, normalise } from "./normalise.js";
import { openProject } from "./open-project.js";
import { prepareQuote } from "./quote.js";
import { beginCheck, type Hit, isFound } from "./quote-check.js";
import type { Level } from "./search-text.js";
import type { Place, SourceText } from "./source-text.js";
import { resolveSource } from "./sources.js";

export type Verdict = "exact" | "normalised" | "fuzzy" | "misattributed" | "stitched" | "absent";

export interface QuoteMatch extends Place {
  level: Exclude<Level, "none">;
  /** In [0,1]. */
  similarity: number;
  doc_id: string | null;
  citekey: string | null;
  title: string | null;
  chunk_id: string | null;
  /** Offsets into the stored text, UTF-16 units; null where only chunks are stored. */
  start: number | null;
  end: number | null;
  /** The true wording. */
  text: string;
  /** The wording in the file, where normalising changed it. */
  printed: string | null;
  /** Of a stitched quote: the part that stands here. */
  quoted?: string;
  differences?: Difference[];
  marked?: string;
}
export type ClosestPassage = Omit<QuoteMatch, "level" | "quoted">;

export interface Verification {
  verdict: Verdict;
  matches: QuoteMatch[];
  /** For an absent quote, the passage most like it. */
  closest: ClosestPassage | null;
  note: string;
}

export type Quotes = ReturnType<typeof createQuotes>;

const MAX_MATCHES = 10;
const MAX_TEXT_CHARS = 2000;
const CACHE_BYTES = 64 * 1024 * 1024;
const MIN_CLOSEST_SIMILARITY = 0.4;

const WORDING_ONLY =
  "The check compares wording only; whether the passage supports a claim is for the reader to judge.";
const NO_TEXT = "The named source has no text to check against; a scan has none until it is read by OCR.";

/** Checks quotes against what is stored, by comparing characters: no model has a say in it. */
export function createQuotes({ store }: { store: ChunkStore }) {
  const texts = createByteLru<string, Normalised>(CACHE_BYTES, bytesOf);
  const suspects = createFingerprints({ store });

  return {
    async verify(
      project: string,
      text: string,
      options: { source?: string | undefined; signal?: AbortSignal | undefined } = {},
    ): Promise<Verification> {
      const signal = options.signal ?? new AbortController().signal;
      const quote = prepareQuote(text);
      const opened = await openProject(store, project);
      const named =
        options.source === undefined
          ? undefined
          : await resolveSource(store, opened, options.source, { quote, signal });
      const normalised = (source: SourceText) =>
        texts(`${project}\n${source.key}\n${source.version}`, () => normalise(source.text));
      const check = beginCheck({ store, project, quote, signal, normalised });

      for (const source of named ?? []) check.searchWhole(source);
      if (opened.hybrid_enabled) await check.tryCandidates(await byRareWords(store, project, quote, {}, signal));
      if (check.unexplained())
        for (const source of await suspects(opened, quote, await store.documents(project), signal))
          check.searchWhole(source);
      const pieces = await check.pieces();
      if (pieces)
        return answer(
          "stitched",
          pieces.map(({ text: source, start, end, quoted }) => ({
            ...toMatch({ source, chunkId: null, found: { level: "exact", similarity: 1, start, end } }),
            quoted,
          })),
        );

      const isNamed = ({ source }: Hit) =>
        named === undefined ||
        named.some(({ key, doc_id }) => key === source.key || (doc_id !== null && doc_id === source.doc_id));
      const found = check.hits().filter(isFound);
      const right = found.filter(isNamed);
      const elsewhere = found.filter((hit) => !isNamed(hit));
      const matches = [...right, ...elsewhere].slice(0, MAX_MATCHES).map(toMatch);
      if (matches[0]) return answer(right.length > 0 ? matches[0].level : "misattributed", matches);

      const nearest = check.hits()[0];
      return {
        ...answer("absent", []),
        closest: nearest && nearest.found.similarity >= MIN_CLOSEST_SIMILARITY ? toPassage(nearest) : null,
        ...(named?.every((source) => !source.text.trim()) ? { note: NO_TEXT } : {}),
      };
    },
  };
}

function answer(verdict: Verdict, matches: QuoteMatch[]): Verification {
  return {
    verdict,
    matches,
    closest: null,
    note: WORDING_ONLY,
  };
}

function toMatch(hit: Hit): QuoteMatch {
  const level = hit.found.level === "none" ? "fuzzy" : hit.found.level;
  return { level, ...toPassage(hit) };
}

function toPassage({ source, chunkId, found }: Hit): ClosestPassage {
  const { start, end, aligned } = found;
  return {
    similarity: Math.round(found.similarity * 1000) / 1000,
    doc_id: source.doc_id,
    citekey: source.citekey,
    title: source.title,
    chunk_id: chunkId,
    ...source.place(start, end),
    start: source.stored ? start : null,
    end: source.stored ? end : null,
    text: cut(source.text.slice(start, end)),
    printed: cut(source.printed(start, end)),
    ...(aligned
      ? differences(aligned.alignment, aligned.quote, { text: source.text.slice(aligned.from), words: aligned.words })
      : {}),
  };
}

function cut<T extends string | null>(text: T): T | string {
  return text !== null && text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text;
}

function bytesOf({ text, starts }: Normalised): number {
  return text.length * 2 + starts.byteLength;
}

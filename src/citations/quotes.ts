import { setImmediate } from "node:timers/promises";
import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import { byRareWords, bySegments, type Candidate } from "./candidates.js";
import { type Difference, differences } from "./fuzzy.js";
import { type Normalised, normalise } from "./normalise.js";
import { openProject } from "./open-project.js";
import { prepareQuote, type Quote, withoutEllipses } from "./quote.js";
import { better, type Found, type Level, searchText, windows } from "./search-text.js";
import { fromChunks, loadSource, type Place, type SourceText } from "./source-text.js";
import { resolveSource } from "./sources.js";
import { type Stretch, stitched } from "./stitching.js";

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
const MAX_CANDIDATES = 24;
const MAX_STRETCHES = 48;
const MAX_TEXT_CHARS = 2000;
const CACHE_BYTES = 64 * 1024 * 1024;
const SCAN_PAGE = 500;
const MIN_CLOSEST_SIMILARITY = 0.4;

interface Hit {
  source: SourceText;
  chunkId: string | null;
  found: Found;
}

/** Checks quotes against what is stored, by comparing characters: no model has a say in it. */
export function createQuotes({ store }: { store: ChunkStore }) {
  const normalisedTexts = createTextCache(CACHE_BYTES);

  /** One check: what was looked at so far, and what was found. */
  function begin(project: string, quote: Quote, signal: AbortSignal) {
    const hits = new Map<string, Hit>();
    const stretches: Stretch[] = [];
    const sources = new Map<string, Promise<SourceText | undefined>>();
    const tried = new Set<string>();
    const reach = quote.parts.length > 1 ? 6000 : Math.ceil(quote.text.length * 1.5) + 300;

    function add(source: SourceText, chunkId: string | null, found: Found) {
      const key = `${source.key}\n${found.start}`;
      const known = hits.get(key);
      if (!known || better(found, known.found) < 0 || (known.chunkId === null && chunkId !== null))
        hits.set(key, { source, chunkId, found });
    }
    const load = (docId: string) => {
      let source = sources.get(docId);
      if (!source) {
        source = loadSource(store, project, docId);
        sources.set(docId, source);
      }
      return source;
    };

    async function tryChunk({ chunk }: Candidate) {
      if (tried.has(chunk.id)) return;
      tried.add(chunk.id);
      signal.throwIfAborted();
      const source =
        chunk.doc_id === null ? fromChunks(null, [chunk]) : ((await load(chunk.doc_id)) ?? fromChunks(null, [chunk]));
      const span = source.spanOf(chunk) ?? [0, source.text.length];
      const start = Math.max(0, span[0] - reach);
      const end = Math.min(source.text.length, span[1] + reach);
      stretches.push({ source, start, end });
      for (const found of searchText(quote, source.text.slice(start, end))) {
        const moved = {
          ...found,
          start: found.start + start,
          end: found.end + start,
          ...(found.aligned ? { aligned: { ...found.aligned, from: found.aligned.from + start } } : {}),
        };
        add(source, moved.start >= span[0] && moved.start < span[1] ? chunk.id : null, moved);
      }
    }

    function searchWhole(source: SourceText) {
      const normalised = source.stored
        ? normalisedTexts.get(`${project}\n${source.key}\n${source.version}`, source.text)
        : normalise(source.text);
      for (const found of searchText(quote, source.text, normalised)) add(source, null, found);
      if (stretches.length < MAX_STRETCHES)
        for (const [start, end] of windows(quote, source.text, normalised)) stretches.push({ source, start, end });
    }

    return {
      hits: () => [...hits.values()].sort((a, b) => better(a.found, b.found)),
      stretches,
      searchWhole,
      async tryCandidates(candidates: readonly Candidate[]) {
        const top = candidates[0]?.score ?? 0;
        let verbatim = false;
        for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
          // Once the quote was found, only what looks just as good can be another place of it.
          if (verbatim && candidate.score < top) break;
          await tryChunk(candidate);
          verbatim ||= isVerbatim([...hits.values()]);
        }
      },
      /** Reads every text of the project. */
      async searchEverything() {
        const stored = await store.documents(project);
        const known = new Set(stored.map(({ id }) => id));
        for (const { id } of stored) {
          signal.throwIfAborted();
          const source = await loadSource(store, project, id);
          if (source) searchWhole(source);
          await setImmediate();
        }
        if (!store.chunkPage) return;
        const loose = new Set<string>();
        for (let after: string | null = null; ; ) {
          signal.throwIfAborted();
          const page = await store.chunkPage(project, after, SCAN_PAGE);
          for (const chunk of page) {
            if (chunk.doc_id === null) searchWhole(fromChunks(null, [chunk]));
            else if (!known.has(chunk.doc_id)) loose.add(chunk.doc_id);
          }
          if (page.length < SCAN_PAGE) break;
          after = page.at(-1)!.id;
        }
        for (const id of loose) {
          signal.throwIfAborted();
          const source = await load(id);
          if (source) searchWhole(source);
          await setImmediate();
        }
      },
    };
  }

  return {
    async verify(
      project: string,
      text: string,
      options: { source?: string | undefined; signal?: AbortSignal | undefined } = {},
    ): Promise<Verification> {
      const signal = options.signal ?? new AbortController().signal;
      const quote = prepareQuote(text);
      const { hybrid_enabled: indexed } = await openProject(store, project);
      const named =
        options.source === undefined ? undefined : await resolveSource(store, project, options.source, quote, signal);
      const check = begin(project, quote, signal);
      for (const source of named ?? []) check.searchWhole(source);
      const ofNamed = (hit: Hit) => named === undefined || named.some(({ key }) => key === hit.source.key);

      let complete = false;
      if (indexed) {
        await check.tryCandidates(await byRareWords(store, project, quote, {}, signal));
        if (
          !isVerbatim(check.hits()) &&
          !(named && check.hits().some((hit) => ofNamed(hit) && hit.found.level !== "none"))
        ) {
          const candidates = await bySegments(store, project, quote, {}, signal);
          complete = candidates.complete;
          await check.tryCandidates(candidates.found);
        }
      }
      let pieces = piecesOf(quote, check.hits(), check.stretches);
      if (!complete && !pieces && !isFound(check.hits())) {
        await check.searchEverything();
        pieces = piecesOf(quote, check.hits(), check.stretches);
      }

      const found = check.hits().filter((hit) => hit.found.level !== "none");
      if (pieces)
        return answer(
          "stitched",
          pieces.map(({ source, start, end, quoted }) => ({
            ...toMatch({ source, chunkId: null, found: { level: "exact", similarity: 1, start, end } }),
            level: "exact" as const,
            quoted,
          })),
        );
      const right = found.filter(ofNamed);
      const elsewhere = found.filter((hit) => !ofNamed(hit));
      const best = right[0] ?? elsewhere[0];
      if (best) {
        const verdict = right.length > 0 ? best.found.level : "misattributed";
        return answer(
          verdict === "none" ? "absent" : verdict,
          [...right, ...elsewhere].slice(0, MAX_MATCHES).map(toMatch),
        );
      }
      const nearest = check.hits()[0];
      const near = nearest && nearest.found.similarity >= MIN_CLOSEST_SIMILARITY ? toPassage(nearest) : null;
      const unread = named?.every((source) => !source.text.trim());
      return {
        ...answer("absent", []),
        closest: near,
        ...(unread
          ? { note: "The named source has no text to check against: only a scan, or nothing was read of it." }
          : {}),
      };
    },
  };
}

const isVerbatim = (hits: readonly Hit[]) =>
  hits.some(({ found }) => found.level === "exact" || found.level === "normalised");
const isFound = (hits: readonly Hit[]) => hits.some(({ found }) => found.level !== "none");

/** A quote with no place of its own, or with one that leaves several of its words in a row unexplained, may be stitched. */
function piecesOf(quote: Quote, hits: readonly Hit[], stretches: readonly Stretch[]) {
  const best = hits[0]?.found;
  if (best && (best.level === "exact" || best.level === "normalised")) return undefined;
  if (best?.level === "fuzzy" && longestStrange(best) < 4) return undefined;
  return stitched(withoutEllipses(quote), stretches.slice(0, MAX_STRETCHES));
}

function longestStrange({ aligned }: Found): number {
  let longest = 0;
  let run = 0;
  for (const step of aligned?.alignment.steps ?? []) {
    if (step.same) run = 0;
    else if (step.quote !== null) longest = Math.max(longest, ++run);
  }
  return longest;
}

function answer(verdict: Verdict, matches: QuoteMatch[]): Verification {
  return {
    verdict,
    matches,
    closest: null,
    note: "The check compares wording only; whether the passage supports a claim is for the reader to judge.",
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

/** Normalised texts, the least recently used dropped when they take more than `limit` bytes. */
function createTextCache(limit: number) {
  const kept = new Map<string, Normalised>();
  let bytes = 0;
  const size = (entry: Normalised) => entry.text.length * 2 + entry.starts.byteLength;
  return {
    get(key: string, text: string): Normalised {
      const known = kept.get(key);
      if (known) {
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
      const made = normalise(text);
      kept.set(key, made);
      bytes += size(made);
      for (const [oldest, entry] of kept) {
        if (bytes <= limit || oldest === key) break;
        kept.delete(oldest);
        bytes -= size(entry);
      }
      return made;
    },
  };
}

import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import type { Candidate } from "./candidates.js";
import { type Normalised, normalise } from "./normalise.js";
import { type Quote, withoutEllipses } from "./quote.js";
import { better, type Found, PARTS_WITHIN_CHARS, searchText, windows } from "./search-text.js";
import { fromChunks, loadSource, type SourceText } from "./source-text.js";
import { type Piece, type Stretch, stitched } from "./stitching.js";

/** A place where the quote stands, or comes near to standing. */
export interface Hit {
  source: SourceText;
  chunkId: string | null;
  found: Found;
}

const MAX_TRIED = 8;
const MAX_STRETCHES = 60;
/** So many of the quote's words in a row that the place found does not explain ask for another place. */
const STRANGE_WORDS = 4;

export const isVerbatim = ({ found }: Hit) => found.level === "exact" || found.level === "normalised";
export const isFound = ({ found }: Hit) => found.level !== "none";

export interface CheckOptions {
  store: ChunkStore;
  project: string;
  quote: Quote;
  signal: AbortSignal;
  /** The normalised form of a source's text, kept between checks. */
  normalised(source: SourceText): Normalised;
}

/** One quote being looked for: where it was looked, and what was found there. */
export function beginCheck({ store, project, quote, signal, normalised }: CheckOptions) {
  const hits = new Map<string, Hit>();
  const stretches: Stretch[] = [];
  const sources = new Map<string, Promise<SourceText | undefined>>();
  const tried = new Set<string>();
  const reach = quote.parts.length > 1 ? PARTS_WITHIN_CHARS : Math.ceil(quote.text.length * 1.5) + 300;

  const load = (docId: string) => {
    let source = sources.get(docId);
    if (!source) {
      source = loadSource(store, project, docId);
      sources.set(docId, source);
    }
    return source;
  };

  function add(source: SourceText, chunkId: string | null, found: Found) {
    const key = `${source.key}\n${found.start}`;
    const known = hits.get(key);
    if (!known || better(found, known.found) < 0 || (known.chunkId === null && chunkId !== null))
      hits.set(key, { source, chunkId, found });
  }

  async function tryChunk({ chunk }: Candidate) {
    if (tried.has(chunk.id)) return;
    tried.add(chunk.id);
    signal.throwIfAborted();
    const document = chunk.doc_id === null ? undefined : await load(chunk.doc_id);
    // A chunk that is not where it says, or belongs to nothing, is read by itself.
    const source = document?.spanOf(chunk) ? document : fromChunks(chunk.doc_id, [chunk], `chunk ${chunk.id}`);
    const span = source.spanOf(chunk) ?? [0, source.text.length];
    const from = Math.max(0, span[0] - reach);
    for (const found of searchText(quote, source.text.slice(from, span[1] + reach))) {
      const start = found.start + from;
      const aligned = found.aligned && { ...found.aligned, from: found.aligned.from + from };
      add(source, start >= span[0] && start < span[1] ? chunk.id : null, {
        ...found,
        start,
        end: found.end + from,
        ...(aligned ? { aligned } : {}),
      });
    }
  }

  /** The chunk's own text is enough to see whether a part of the quote stands in it. */
  function addStretch({ chunk }: Candidate) {
    if (chunk.doc_id !== null && chunk.start !== null) {
      stretches.push({ source: chunk.doc_id, text: chunk.text, at: chunk.start });
      return;
    }
    const alone = fromChunks(chunk.doc_id, [chunk], `chunk ${chunk.id}`);
    sources.set(alone.key, Promise.resolve(alone));
    stretches.push({ source: alone.key, text: chunk.text, at: 0 });
  }

  function searchWhole(source: SourceText) {
    const text = source.stored ? normalised(source) : normalise(source.text);
    for (const found of searchText(quote, source.text, text)) add(source, null, found);
    if (stretches.length >= MAX_STRETCHES) return;
    sources.set(source.key, Promise.resolve(source));
    for (const [start, end] of windows(quote, source.text, text))
      stretches.push({ source: source.key, text: source.text.slice(start, end), at: start });
  }

  const ranked = () => [...hits.values()].sort((a, b) => better(a.found, b.found));

  return {
    hits: ranked,
    searchWhole,
    async tryCandidates(candidates: readonly Candidate[]) {
      const top = candidates[0]?.score ?? 0;
      for (const candidate of candidates)
        if (candidate.score > 0 && stretches.length < MAX_STRETCHES) addStretch(candidate);
      for (const candidate of candidates.slice(0, MAX_TRIED)) {
        // Once the quote was found, only what looks just as good can be another place of it.
        if (candidate.score < ([...hits.values()].some(isVerbatim) ? top : top * 0.4)) break;
        await tryChunk(candidate);
      }
    },
    /** Whether a better explanation than the hits give is still to be looked for. */
    unexplained(): boolean {
      const best = ranked()[0];
      return !best || !isFound(best) || (best.found.level === "fuzzy" && longestStrange(best.found) >= STRANGE_WORDS);
    },
    /** The places the quote was put together from, where it was. */
    async pieces(): Promise<(Piece & { text: SourceText })[] | undefined> {
      if (!this.unexplained()) return undefined;
      const pieces = stitched(withoutEllipses(quote), stretches);
      if (!pieces) return undefined;
      const placed = await Promise.all(pieces.map(async (piece) => ({ ...piece, text: await load(piece.source) })));
      return placed.flatMap((piece) => (piece.text ? [{ ...piece, text: piece.text }] : []));
    },
  };
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

import { createTurns } from "../kernel/time.js";
import type { Candidate } from "./candidates.js";
import { type Normalised, normalise } from "./normalise.js";
import { type Quote, withoutEllipses } from "./quote.js";
import { better, type Found, PARTS_WITHIN_CHARS, searchText, windows } from "./search-text.js";
import { fromChunks, type SourceText } from "./source-text.js";
import { type Piece, type Stretch, stitched } from "./stitching.js";

/** A collection that a quote is searched in. */
export interface Scope {
  kind: "project" | "notebook" | "highlights";
  id: string;
  /** Its name in answers. */
  name: string;
}

/** A place that has the quote's words, or similar ones. */
export interface Hit {
  scope: Scope;
  source: SourceText;
  chunkId: string | null;
  found: Found;
}

export type PlacedPiece = Piece & { scope: Scope; text: SourceText };

const MAX_TRIED = 8;
const MAX_STRETCHES = 120;
/** With this many consecutive words of the quote missing at the place found, another place is searched. */
const STRANGE_WORDS = 4;

const isVerbatim = ({ found }: Hit) => found.level === "exact" || found.level === "normalised";
export const isFound = ({ found }: Hit) => found.level !== "none";

interface CheckOptions {
  quote: Quote;
  signal: AbortSignal;
  load(scope: Scope, docId: string): Promise<SourceText | undefined>;
  /** The normalised text of a source, cached between checks. */
  normalised(scope: Scope, source: SourceText): Normalised;
}

/** The search for one quote: places searched, and hits. */
export function beginCheck({ quote, signal, load, normalised }: CheckOptions) {
  const turn = createTurns();
  const hits = new Map<string, Hit>();
  const stretches: Stretch[] = [];
  const sources = new Map<string, { scope: Scope; load(): Promise<SourceText | undefined> }>();
  const tried = new Set<string>();
  const reach = quote.parts.length > 1 ? PARTS_WITHIN_CHARS : Math.ceil(quote.text.length * 1.5) + 300;
  const keyIn = (scope: Scope, key: string) => `${scope.id}\n${key}`;

  function add(scope: Scope, source: SourceText, chunkId: string | null, found: Found) {
    const key = keyIn(scope, `${source.key}\n${found.start}`);
    const known = hits.get(key);
    if (!known || better(found, known.found) < 0 || (known.chunkId === null && chunkId !== null))
      hits.set(key, { scope, source, chunkId, found });
  }

  async function tryChunk(scope: Scope, { chunk }: Candidate) {
    const key = keyIn(scope, chunk.id);
    if (tried.has(key)) return;
    tried.add(key);
    signal.throwIfAborted();
    await turn();
    const document = chunk.doc_id === null ? undefined : await load(scope, chunk.doc_id);
    // A chunk whose text is not at its offsets, or without a document, is searched alone.
    const source = document?.spanOf(chunk) ? document : fromChunks(chunk.doc_id, [chunk], `chunk ${chunk.id}`);
    const span = source.spanOf(chunk) ?? [0, source.text.length];
    const from = Math.max(0, span[0] - reach);
    const around = source.text.slice(from, span[1] + reach);
    const forms = {
      hyphenated: (start: number, end: number) => source.hyphenated(start + from, end + from),
      marked: (start: number, end: number) => source.marked(start + from, end + from),
    };
    for (const found of searchText(quote, around, normalise(around), forms)) {
      const start = found.start + from;
      const aligned = found.aligned && { ...found.aligned, from: found.aligned.from + from };
      add(scope, source, start >= span[0] && start < span[1] ? chunk.id : null, {
        ...found,
        start,
        end: found.end + from,
        ...(aligned ? { aligned } : {}),
      });
    }
  }

  /** The chunk's own text is enough to see whether it holds a part of the quote. */
  function addStretch(scope: Scope, { chunk }: Candidate) {
    if (chunk.doc_id !== null && chunk.start !== null) {
      const { doc_id } = chunk;
      const key = keyIn(scope, doc_id);
      sources.set(key, { scope, load: () => load(scope, doc_id) });
      stretches.push({ source: key, text: chunk.text, at: chunk.start });
      return;
    }
    addText(scope, fromChunks(chunk.doc_id, [chunk], `chunk ${chunk.id}`), [[0, chunk.text.length]]);
  }

  function addText(scope: Scope, source: SourceText, spans: readonly [number, number][]) {
    const key = keyIn(scope, source.key);
    sources.set(key, { scope, load: async () => source });
    for (const [start, end] of spans) stretches.push({ source: key, text: source.text.slice(start, end), at: start });
  }

  async function searchWhole(scope: Scope, source: SourceText) {
    await turn();
    const text = source.stored ? normalised(scope, source) : normalise(source.text);
    await turn(); // a whole book takes tens of milliseconds
    for (const found of searchText(quote, source.text, text, source)) add(scope, source, null, found);
    if (stretches.length < MAX_STRETCHES) addText(scope, source, windows(quote, source.text, text));
  }

  const ranked = () => [...hits.values()].sort((a, b) => better(a.found, b.found));

  return {
    hits: ranked,
    searchWhole,
    async tryCandidates(scope: Scope, candidates: readonly Candidate[]) {
      const top = candidates[0]?.score ?? 0;
      for (const candidate of candidates)
        if (candidate.score > 0 && stretches.length < MAX_STRETCHES) addStretch(scope, candidate);
      for (const candidate of candidates.slice(0, MAX_TRIED)) {
        // After a hit only candidates as good as it can be a second place.
        if (candidate.score < ([...hits.values()].some(isVerbatim) ? top : top * 0.4)) break;
        await tryChunk(scope, candidate);
      }
    },
    /** Whether the hits leave so much unexplained that the search must go on. */
    unexplained(): boolean {
      const best = ranked()[0];
      return !best || !isFound(best) || (best.found.level === "fuzzy" && longestStrange(best.found) >= STRANGE_WORDS);
    },
    /** The places a stitched quote was put together from, if it was. */
    async pieces(): Promise<PlacedPiece[] | undefined> {
      if (!this.unexplained()) return undefined;
      await turn();
      const pieces = stitched(withoutEllipses(quote), stretches);
      if (!pieces) return undefined;
      const placed: PlacedPiece[] = [];
      for (const piece of pieces) {
        const origin = sources.get(piece.source);
        const text = await origin?.load();
        if (origin && text) placed.push({ ...piece, scope: origin.scope, text });
      }
      return placed;
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

import { createByteLru } from "../kernel/byte-lru.js";
import { withoutNulls } from "../kernel/json.js";
import { plural } from "../kernel/plural.js";
import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import { createProjects, type Projects } from "../shelves/chunks/projects.js";
import { createFingerprints } from "./fingerprints.js";
import { type Difference, differences } from "./fuzzy.js";
import { citationOf } from "./locator.js";
import { bareKey, type Normalised, normalise } from "./normalise.js";
import { prepareQuote } from "./quote.js";
import { type Hit, isFound, type PlacedPiece, type Scope } from "./quote-check.js";
import { type Highlights, openSession, type QuoteSession, type Searched } from "./quote-session.js";
import { compareWith, type Level } from "./search-text.js";
import type { SourceText } from "./source-text.js";
import type { Work } from "./works.js";

export type Verdict = "exact" | "normalised" | "fuzzy" | "misattributed" | "stitched" | "absent";

/** Where the source has the quote; unknown fields are left out. */
export interface QuoteMatch {
  level: Exclude<Level, "none">;
  /** In [0,1]. */
  similarity: number;
  /** The project or notebook; highlights have none. */
  project?: string;
  origin: Scope["kind"];
  doc_id?: string;
  citekey?: string;
  title?: string;
  author?: string;
  url?: string;
  source_id?: number;
  highlight_id?: number;
  note?: string;
  location?: number;
  location_type?: string;
  chunk_id?: string;
  page_span?: [number, number];
  page_labels?: [string, string];
  section_path?: string[];
  /** Offsets into the stored text, UTF-16 units, where one is stored. */
  start?: number;
  end?: number;
  /** The source's wording. */
  text: string;
  /** The file's own wording, if normalising changed it. */
  printed?: string;
  /** A citation to paste after the quote. */
  cite?: string;
  /** The part of a stitched quote found here. */
  quoted?: string;
  differences?: Difference[];
  marked?: string;
}
export type ClosestPassage = Omit<QuoteMatch, "level" | "quoted">;

export interface Verification {
  verdict: Verdict;
  matches: QuoteMatch[];
  /** For an absent quote, the most similar passage. */
  closest: ClosestPassage | null;
  searched: Searched;
  /** What was not searched and may contain the quote. */
  not_searched?: string[];
  /** Places outside the chosen projects. */
  elsewhere?: QuoteMatch[];
  note: string;
}

interface VerifyOptions {
  /** Citekey, document id, title or author. */
  source?: string | undefined;
  readwise?: Highlights | undefined;
  signal?: AbortSignal | undefined;
}

export type Quotes = ReturnType<typeof createQuotes>;

const MAX_MATCHES = 10;
const MAX_TEXT_CHARS = 2000;
const CACHE_BYTES = 64 * 1024 * 1024;
const MIN_CLOSEST_SIMILARITY = 0.4;

const WORDING_ONLY =
  "The check compares wording only; whether the passage supports a claim is for the reader to judge.";
const RECOGNISED =
  "The source's text was recognised from a picture of the page (OCR): its letters are not certain, look at the page before quoting.";
const NO_TEXT = "The named source has no text to check against; a scan has none until it is read by OCR.";
const READER_TEXTS = "Full texts of Reader documents that no project holds: sync_library brings them in.";
const REMOTE_NOTEBOOKS = "NotebookLM notebooks: their texts are not on this machine.";

/** Checks quotes against stored texts by comparing characters; no model is involved. */
export function createQuotes({
  store,
  projects: { open: openProject } = createProjects({ store }),
  notebooksElsewhere = false,
}: {
  store: ChunkStore;
  projects?: Projects;
  notebooksElsewhere?: boolean;
}) {
  const texts = createByteLru<string, Normalised>(CACHE_BYTES, bytesOf);
  const suspects = createFingerprints({ store });
  const normalised = (scope: Scope, source: SourceText) =>
    texts(`${scope.id}\n${source.key}\n${source.version}`, () => normalise(source.text));

  const shared = { store, suspects, normalised, openProject };
  type Reading = Pick<VerifyOptions, "readwise" | "signal">;
  const open = (projects: readonly string[] | undefined, options: Reading) =>
    openSession({ ...shared, ...options, projects });
  const outside = (except: readonly string[], options: Reading) => openSession({ ...shared, ...options, except });

  return {
    /** A session for many quotes: texts are loaded once. */
    open,
    /** Likewise, for everything but these projects. */
    outside,

    async verify(
      project: string | readonly string[] | undefined,
      text: string,
      options: VerifyOptions = {},
    ): Promise<Verification> {
      prepareQuote(text); // a quote too short to check is refused before anything is read
      const projects = typeof project === "string" ? [project] : project;
      const session = await open(projects, projects ? { signal: options.signal } : options);
      const claimed = options.source === undefined ? undefined : await session.named(options.source);
      const answer = await verifyIn(session, text, claimed);
      if (answer.verdict !== "absent") return answer;
      if (!projects)
        return {
          ...answer,
          not_searched: [...session.notSearched, READER_TEXTS, ...(notebooksElsewhere ? [REMOTE_NOTEBOOKS] : [])],
          note: `${searchedNote(answer.searched)} ${answer.note}`,
        };
      const rest = await verifyIn(await outside(projects, options), text, undefined);
      const where = projects.join(", ");
      const [first] = rest.matches;
      if (rest.verdict === "stitched" || !first) {
        const all = searchedNote({
          projects: [...answer.searched.projects, ...rest.searched.projects],
          notebooks: [...answer.searched.notebooks, ...rest.searched.notebooks],
          highlights: rest.searched.highlights,
        });
        return { ...answer, note: `Not in ${where}, and not elsewhere: ${all} ${answer.note}` };
      }
      return {
        ...answer,
        elsewhere: rest.matches.slice(0, 3),
        note: `Not in ${where}, but ${rest.verdict} in ${first.project ?? "the person's highlights"} (${first.title ?? first.citekey}). ${WORDING_ONLY}`,
      };
    },
  };
}

export async function verifyIn(
  session: QuoteSession,
  text: string,
  claimed: readonly Work[] | undefined,
): Promise<Verification> {
  const { hits, isNamed, pieces, empty } = await session.look(prepareQuote(text), claimed);
  const searched = session.searched();
  if (pieces) return { ...answer("stitched", pieces.map(pieceMatch)), searched };

  const found = hits.filter(isFound);
  const right = found.filter(isNamed);
  const elsewhere = found.filter((hit) => !isNamed(hit));
  const matches = unique([...right, ...elsewhere])
    .slice(0, MAX_MATCHES)
    .map(toMatch);
  const recognised = hits.slice(0, MAX_MATCHES).some(isRecognised) ? [RECOGNISED] : [];
  if (matches[0])
    return {
      ...answer(right.length > 0 ? matches[0].level : "misattributed", matches),
      note: [...differing(matches[0]), ...recognised, WORDING_ONLY].join(" "),
      searched,
    };

  const nearest = hits[0];
  return {
    ...answer("absent", []),
    ...(nearest && isRecognised(nearest) ? { note: `${RECOGNISED} ${WORDING_ONLY}` } : {}),
    searched,
    closest: nearest && nearest.found.similarity >= MIN_CLOSEST_SIMILARITY ? toPassage(nearest) : null,
    ...(empty ? { note: NO_TEXT } : {}),
  };
}

const MAX_NAMED_DIFFERENCES = 3;

/** "1 word differs: the source has “great”, the quote “little”." */
function differing({ differences: list = [] }: QuoteMatch): string[] {
  const wordsOf = (words: string) => words.split(/\s+/).flatMap((word) => bareKey(word) || []);
  const changed = list
    .map(({ quote, source }) => ({ quote: wordsOf(quote), source: wordsOf(source) }))
    .filter(({ quote, source }) => quote.join(" ").toLowerCase() !== source.join(" ").toLowerCase());
  if (list.length === 0) return [];
  if (changed.length === 0) return ["Only punctuation differs."];
  const count = changed.reduce((sum, { quote, source }) => sum + Math.max(quote.length, source.length), 0);
  const named = (words: string[]) => (words.length > 0 ? `“${words.join(" ").slice(0, 80)}”` : "nothing");
  const shown = changed
    .slice(0, MAX_NAMED_DIFFERENCES)
    .map(({ quote, source }) => `the source has ${named(source)}, the quote ${named(quote)}`);
  const more = changed.length > MAX_NAMED_DIFFERENCES ? "; and more" : "";
  return [`${plural(count, "word differs", "words differ")}: ${shown.join("; ")}${more}.`];
}

const isRecognised = ({ source, found }: Hit) => source.place(found.start, found.end).recognised === true;

function searchedNote({ projects, notebooks, highlights }: Searched): string {
  const parts = [
    plural(projects.length, "project"),
    plural(notebooks.length, "notebook"),
    ...(highlights === null ? [] : [plural(highlights, "highlight")]),
  ];
  return `Searched: ${parts.join(", ")}.`;
}

const answer = (verdict: Verdict, matches: QuoteMatch[]) => ({ verdict, matches, closest: null, note: WORDING_ONLY });

/** A highlight and the same words in a document are one place; the document's match has more details and is kept. */
function unique(hits: readonly Hit[]): Hit[] {
  const seen = new Map<string, Hit>();
  for (const hit of hits) {
    const { source, found } = hit;
    const highlight = source.highlight_id;
    const key = highlight === null ? `${hit.scope.id}\n${source.key}\n${found.start}` : `highlight ${highlight}`;
    if (!seen.has(key)) seen.set(key, hit);
  }
  return [...seen.values()];
}

function pieceMatch({ scope, text: source, start, end, quoted, altered }: PlacedPiece): QuoteMatch {
  if (altered === 0)
    return {
      ...toMatch({ scope, source, chunkId: null, found: { level: "exact", similarity: 1, start, end } }),
      quoted,
    };
  const found = compareWith(quoted, source.text.slice(start, end), start);
  return { ...toMatch({ scope, source, chunkId: null, found: { ...found, level: "fuzzy" } }), quoted };
}

function toMatch(hit: Hit): QuoteMatch {
  const level = hit.found.level === "none" ? "fuzzy" : hit.found.level;
  return { level, ...toPassage(hit) };
}

function toPassage({ scope, source, chunkId, found }: Hit): ClosestPassage {
  const { start, end, aligned } = found;
  const place = source.place(start, end);
  return withoutNulls({
    similarity: Math.round(found.similarity * 1000) / 1000,
    project: scope.kind === "highlights" ? null : scope.id,
    origin: scope.kind,
    doc_id: source.doc_id,
    citekey: source.citekey,
    title: source.title,
    author: source.author,
    url: source.url,
    source_id: source.source_id,
    highlight_id: source.highlight_id,
    note: source.highlight?.note ?? null,
    location: source.highlight?.location ?? null,
    location_type: source.highlight?.location_type ?? null,
    chunk_id: chunkId,
    page_span: place.page_span,
    page_labels: place.page_labels,
    section_path: place.section_path.length > 0 ? place.section_path : null,
    start: source.stored ? start : null,
    end: source.stored ? end : null,
    text: cut(source.text.slice(start, end)),
    printed: cut(source.printed(start, end)),
    cite: source.citekey === null ? null : citationOf(source.citekey, place),
    ...(aligned
      ? differences(aligned.alignment, aligned.quote, { text: source.text.slice(aligned.from), words: aligned.words })
      : {}),
  });
}

function cut<T extends string | null>(text: T): T | string {
  return text !== null && text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text;
}

function bytesOf({ text, starts }: Normalised): number {
  return text.length * 2 + starts.byteLength;
}

import { ShelfError } from "../kernel/errors.js";
import { once, oncePerKey } from "../kernel/once.js";
import type { ChunkStore, Project } from "../shelves/chunks/chunk-store.js";
import type { Projects } from "../shelves/chunks/projects.js";
import type { Quotable, QuotingPart } from "../shelves/readwise/library/quotable.js";
import { byRareWords, rareWords } from "./candidates.js";
import type { Suspects } from "./fingerprints.js";
import type { Normalised } from "./normalise.js";
import type { Quote } from "./quote.js";
import { beginCheck, type Hit, type PlacedPiece, type Scope } from "./quote-check.js";
import { fromHighlight, loadSource, type SourceText } from "./source-text.js";
import { sourcesNamed, unknownSource } from "./sources.js";
import { isNamedLike, type Work, worksIn, worksNamed, worksOfHighlights } from "./works.js";

/** Access to the caller's Readwise highlights; undefined if they are not searched. */
export type Highlights = Pick<QuotingPart, "quotable"> & Partial<QuotingPart>;

interface SessionOptions {
  store: ChunkStore;
  suspects: Suspects;
  normalised(scope: Scope, source: SourceText): Normalised;
  /** Projects to search; undefined for all but `except`. */
  projects?: readonly string[] | undefined;
  except?: readonly string[];
  openProject: Projects["open"];
  readwise?: Highlights | undefined;
  signal?: AbortSignal | undefined;
}

export interface Searched {
  projects: string[];
  notebooks: string[];
  /** Number of highlights; null if they were not searched. */
  highlights: number | null;
}

export interface Outcome {
  /** Best first. */
  hits: Hit[];
  isNamed(hit: Hit): boolean;
  pieces: PlacedPiece[] | undefined;
  /** The claimed source has no stored text. */
  empty: boolean;
}

const HIGHLIGHTS: Scope = { kind: "highlights", id: "readwise", name: "highlights" };
const WORD_HITS = 40;
const HIGHLIGHT_WORDS = 12;

export type QuoteSession = Awaited<ReturnType<typeof openSession>>;

/** A session for many quotes: texts are loaded and works listed once. */
export async function openSession({
  store,
  suspects,
  normalised,
  projects,
  except = [],
  openProject,
  readwise,
  signal = new AbortController().signal,
}: SessionOptions) {
  const opened: Project[] = projects
    ? await Promise.all([...new Set(projects)].map((id) => openProject(id, { notebooks: true })))
    : (await store.projects()).filter(({ id }) => !except.includes(id));
  const scopes = opened.map((project) => ({ project, scope: scopeOf(project) }));
  const notSearched: string[] = [];
  const highlights = readwise && (await highlightsOf(readwise, signal, notSearched));
  const highlightWorks = new Map(
    (highlights ? worksOfHighlights(highlights) : []).map((work) => [work.source_id, work]),
  );

  const textsIn = oncePerKey((id: string) => oncePerKey((docId: string) => loadSource(store, id, docId)));
  const load = (scope: Scope, docId: string) => textsIn(scope.id)(docId);

  const works = once(async (): Promise<Work[]> => {
    const lists = await Promise.all(opened.map(({ id }) => worksIn(store, id)));
    return [...lists.flat(), ...highlightWorks.values()];
  });

  const textOf = (found: Parameters<typeof fromHighlight>[0]) => {
    const work = highlightWorks.get(found.source_id);
    return work && fromHighlight(found, work);
  };

  return {
    works,
    load,
    scopes: scopes.map(({ scope }) => scope),
    notSearched,
    searched(): Searched {
      const names = (kind: Scope["kind"]) =>
        scopes.filter(({ scope }) => scope.kind === kind).map(({ scope }) => scope.name);
      return {
        projects: names("project"),
        notebooks: names("notebook"),
        highlights: highlights ? highlights.count : null,
      };
    },

    /** The works with this name; throws if there are none. */
    async named(name: string): Promise<Work[]> {
      const found = worksNamed(await works(), name);
      if (found.length > 0) return found;
      // A citekey may exist on chunks only.
      for (const { project } of scopes) {
        const [loose] = await sourcesNamed(store, project.id, name);
        if (loose) return [looseWork(name, project.id, loose)];
      }
      throw unknownSource(name, await works(), "here");
    },

    async look(quote: Quote, claimed: readonly Work[] | undefined): Promise<Outcome> {
      const check = beginCheck({ quote, signal, load, normalised });
      const own: SourceText[] = [];
      for (const work of claimed ?? []) {
        const at = scopes.find(({ project }) => project.id === work.project);
        const mine = at
          ? await textsOf(at.scope, work)
          : (highlights?.highlightsOf(work.source_id ?? -1) ?? []).flatMap((found) => textOf(found) ?? []);
        for (const source of mine) await check.searchWhole(at?.scope ?? HIGHLIGHTS, source);
        own.push(...mine);
      }
      for (const { project, scope } of scopes)
        if (project.hybrid_enabled)
          await check.tryCandidates(scope, await byRareWords(store, project.id, quote, signal));
      for (const found of highlights?.find(rareWords(quote, HIGHLIGHT_WORDS), WORD_HITS) ?? []) {
        const source = textOf(found);
        if (source) await check.searchWhole(HIGHLIGHTS, source);
      }
      for (const { project, scope } of scopes) {
        if (!check.unexplained()) break;
        for (const source of await suspects(project, quote, await store.documents(project.id), signal))
          await check.searchWhole(scope, source);
      }
      return {
        hits: check.hits(),
        isNamed: (hit) => claimed === undefined || claimed.some((work) => isOf(hit, work)),
        pieces: await check.pieces(),
        empty: own.length > 0 && own.every((source) => !source.text.trim()),
      };
    },
  };

  async function textsOf(scope: Scope, work: Work): Promise<SourceText[]> {
    const whole = await Promise.all(work.doc_ids.map((id) => load(scope, id)));
    const found = whole.flatMap((source) => source ?? []);
    return found.length > 0 ? found : sourcesNamed(store, scope.id, work.key);
  }

  function isOf({ scope, source }: Hit, work: Work): boolean {
    if (scope.id === work.project && source.doc_id !== null && work.doc_ids.includes(source.doc_id)) return true;
    if (source.source_id !== null && source.source_id === work.source_id) return true;
    if (scope.kind !== "highlights" && source.citekey !== null && source.citekey === work.key) return true;
    return isNamedLike(source, work.item);
  }
}

function looseWork(key: string, project: string, source: SourceText): Work {
  const item = { id: key, type: "document", ...(source.title ? { title: source.title } : {}) };
  const doc_ids = source.doc_id === null ? [] : [source.doc_id];
  const citekey = source.citekey ?? key;
  return { key: citekey, project, doc_ids, source_id: null, item, hasText: true, language: null, also: [] };
}

function scopeOf({ id, kind, name }: Project): Scope {
  return { kind, id, name: kind === "notebook" ? name : id };
}

/** Unreadable highlights are reported and skipped: the other texts are still worth checking. */
async function highlightsOf(
  readwise: Highlights,
  signal: AbortSignal,
  notSearched: string[],
): Promise<Quotable | undefined> {
  try {
    const found = await readwise.quotable(signal);
    if (!found.complete)
      notSearched.push(`Some Readwise highlights: only ${found.count} are here so far; ask again in a minute.`);
    return found;
  } catch (error) {
    if (!(error instanceof ShelfError)) throw error;
    notSearched.push(
      error.code === "auth_error"
        ? "Readwise highlights: no valid key came with the call."
        : `Readwise highlights: ${error.message}`,
    );
    return undefined;
  }
}

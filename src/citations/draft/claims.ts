import { firstIndex } from "../../kernel/collections.js";
import { createTurns } from "../../kernel/time.js";
import type { ChunkStore, StoredChunk } from "../../shelves/chunks/chunk-store.js";
import type { Search } from "../../shelves/chunks/search.js";
import { fold } from "../../text/fold.js";
import { familyNames, type Work } from "../works.js";
import type { DraftCitation } from "./citation-parts.js";
import { type Context, shown } from "./context.js";
import type { Finding } from "./finding.js";
import { shownPage } from "./pages.js";
import type { Quotation } from "./quotations.js";
import { beginningIn } from "./view.js";

export type Claims = ReturnType<typeof createClaims>;

const PASSAGES = 2;
const MAX_SENTENCE = 600;
const MIN_WORDS = 5;

/**
 * For every cited sentence without a quotation: the passages of the cited work nearest to it, and the numbers, names
 * and dates missing from them. This is evidence only; the reader decides whether the claim holds.
 */
export function createClaims({ store, search }: { store: ChunkStore; search: Pick<Search, "hybrid" | "meaning"> }) {
  return async (
    context: Context,
    citations: readonly DraftCitation[],
    quotations: readonly Quotation[],
  ): Promise<Finding[]> => {
    const findings: Finding[] = [];
    const seen = new Set<number>();
    const turn = createTurns();
    for (const citation of citations) {
      await turn();
      const sentence = sentenceAround(context, citation);
      if (!sentence || seen.has(sentence.start)) continue;
      seen.add(sentence.start);
      if (beginningIn(quotations, sentence.start, sentence.end).length > 0) continue;
      const works = context.resolvedOf.get(citation)?.works.filter(({ hasText }) => hasText) ?? [];
      const words = bare(context, sentence);
      if (works.length === 0 || words.split(/\s+/).length < MIN_WORDS) continue;
      const passages = await nearestIn(works, words);
      if (passages.length === 0) continue;
      const missing = missingFacts(words, passages, works);
      findings.push({
        ...context.place(sentence.start, sentence.end),
        kind: "claim",
        verdict: "evidence",
        severity: missing.length > 0 ? "info" : "ok",
        text: shown(words),
        cited: shown(citation.written, 120),
        passages: passages.map((chunk) => {
          const page = shownPage(chunk);
          return { text: shown(chunk.text, 300), chunk_id: chunk.id, ...(page ? { page } : {}) };
        }),
        ...(missing.length > 0
          ? {
              missing,
              next: "These do not stand in the nearest passages of the work cited: look before you keep them.",
            }
          : {}),
      });
    }
    return findings;
  };

  async function nearestIn(works: readonly Work[], sentence: string): Promise<StoredChunk[]> {
    const found: { chunk: StoredChunk; score: number }[] = [];
    for (const work of works.slice(0, 3)) {
      if (work.project === null) continue;
      const project = await store.project(work.project);
      if (!project) continue;
      for (const doc_id of work.doc_ids.slice(0, 3)) {
        const request = { limit: PASSAGES, filters: { doc_id } };
        const { hits } = project.hybrid_enabled
          ? await search.hybrid(project, sentence, request)
          : await search.meaning(project, sentence, request);
        found.push(...hits.map(({ chunk, score }) => ({ chunk, score })));
      }
    }
    return found
      .sort((a, b) => b.score - a.score)
      .slice(0, PASSAGES)
      .map(({ chunk }) => chunk);
  }
}

/** The sentence that holds the citation, or ends with it. */
function sentenceAround({ view }: Context, { start, end }: DraftCitation): { start: number; end: number } | undefined {
  const block = view.blocks[firstIndex(view.blocks.length, (i) => view.blocks[i]!.end >= end)];
  if (block?.kind !== "text" || block.start > start) return undefined;
  const from = Math.max(block.start, start - MAX_SENTENCE);
  const before = view.text.slice(from, start).replace(/[.!?]\s*$/, " ");
  const ends = [
    ...before.matchAll(/(?<!\b(?:p|pp|vol|ch|cf|al|ed|Dr|Mr|Mrs|St|\p{Lu}))[.!?][”’»"')\]]?\s+(?=[\p{Lu}“„«"‘(])/gu),
  ];
  const last = ends.at(-1);
  const first = last ? from + last.index + last[0].length : from;
  const after = /^[^.!?]{0,400}[.!?]/.exec(view.text.slice(end, Math.min(block.end, end + 401)));
  return { start: first, end: end + (after?.[0].length ?? 0) };
}

/** The sentence without its citations. */
function bare({ view, citations }: Context, { start, end }: { start: number; end: number }): string {
  let text = "";
  let at = start;
  for (const citation of beginningIn(citations, start, end)) {
    if (citation.start < at || citation.end > end) continue;
    text += view.text.slice(at, citation.start);
    at = citation.end;
  }
  return (text + view.text.slice(at, end)).replace(/[\s\u2060]+/g, " ").trim();
}

const NUMBER = /\d[\d.,]{0,20}\d|\d/g;
const NAME = /(?<=[\p{L}\p{N},;:]\s)\p{Lu}[\p{L}\p{M}’'-]{1,40}/gu;

/** Numbers, names and dates of the sentence that are in none of the passages. */
function missingFacts(sentence: string, passages: readonly StoredChunk[], works: readonly Work[]): string[] {
  const text = fold(
    passages.map((chunk) => `${chunk.text} ${chunk.section_path.join(" ")} ${chunk.title ?? ""}`).join(" "),
  );
  const numbers = new Set((text.match(NUMBER) ?? []).map(plainNumber));
  const authors = new Set(works.flatMap(({ item }) => familyNames(item).flatMap((name) => name.split(" "))));
  const facts = [
    ...(sentence.match(NUMBER) ?? []).filter((number) => !numbers.has(plainNumber(number))),
    ...(sentence.match(NAME) ?? []).filter((name) => {
      const plain = fold(name).replace(/[’']s?$/, "");
      return !authors.has(plain) && !text.includes(plain);
    }),
  ];
  return [...new Set(facts)].slice(0, 12);
}

const plainNumber = (number: string) => number.replace(/[.,](?=\d{3}(?!\d))/g, "");

import { ShelfError } from "../../../../kernel/errors.js";
import { fold } from "../../../../text/fold.js";
import type { ChunkStore, Project } from "../../../chunks/chunk-store.js";
import type { Embedders } from "../../../chunks/embedding/embedder.js";
import type { Search } from "../../../chunks/search.js";
import type { Answer, Citation, Passage } from "../../notebook-backend.js";
import { judge, signsOf } from "./confidence.js";
import { chooseExcerpts, citationOf, type Excerpt, textOf } from "./extract.js";
import { type Llm, LlmError } from "./llm.js";
import { followUps, guideOf, overviewLines, overviewOf } from "./overview.js";
import { asksForOverview, type Question, readQuestion } from "./question.js";
import { type Hit, type Scored, scoreSentences } from "./scoring.js";
import { UNANSWERED, withoutMarks, writtenAnswer } from "./written-answer.js";

interface AnsweringDeps {
  store: ChunkStore;
  search: Pick<Search, "hybrid">;
  embedders: Pick<Embedders, "get">;
  llm?: Llm | undefined;
}

/** Passages considered per question. */
const CANDIDATES = 24;
const SIDE_CANDIDATES = 8;
/** Characters at the start of a sentence that are taken to contain its subject. */
const SUBJECT = 60;
const PASSAGES_SHOWN = 3;
const EXTRACTIVE = "Composed of sentences taken word for word from the sources; no language model was used.";

/** An answer without its conversation, which the caller adds. */
type Composed = Omit<Answer, "conversation_id">;

export async function answer(
  deps: AnsweringDeps,
  notebook: Project,
  question: string,
  signal: AbortSignal,
): Promise<Composed> {
  if (!deps.llm && asksForOverview(question)) return overview(deps.store, notebook);
  const { hits, warnings } = await deps.search.hybrid(notebook, question, { limit: CANDIDATES, signal });
  if (hits.length === 0) {
    await requireSources(deps.store, notebook);
    return unanswered(warnings);
  }
  const languages = [...new Set(hits.map(({ chunk }) => chunk.language ?? "en"))];
  const asked = readQuestion(question, languages);
  const embedder = deps.embedders.get(notebook.model);
  const ranked = await scoreSentences(hits, asked, { embedder, signal });
  const verdict = judge(signsOf(ranked.sentences, asked));
  const confidence = verdict === "unanswered" ? "low" : verdict;

  const notes = [...warnings];
  if (deps.llm) {
    const written = await tryWriting(deps.llm, question, hits, signal);
    if ("failed" in written) notes.push(`The language model was not used: ${written.failed}.`);
    else if (written.text === UNANSWERED) return { ...unanswered([...notes, ...written.notes]), method: "llm" };
    else {
      const citations = await citationsOf(deps.store, notebook, written.excerpts);
      return {
        answer: written.text,
        citations,
        confidence: citations.length === 0 || written.doubtful ? "low" : confidence,
        follow_up_questions: followUps(hits, written.excerpts),
        passages: wholePassages(hits, written.excerpts),
        method: "llm",
        notes: [...notes, ...written.notes],
      };
    }
  }
  const sides = verdict === "unanswered" ? [] : await bothSides(deps, notebook, asked, signal);
  const excerpts = verdict === "unanswered" ? [] : chooseExcerpts(ranked, asked, sides);
  if (excerpts.length === 0) return unanswered(notes, hits);
  const quoted = excerpts.map(textOf);
  notes.unshift(EXTRACTIVE);
  if (quoted.some((text) => withoutMarks(text) !== text))
    notes.push(
      "Numbers in brackets that the sources themselves have are left out of the answer; the excerpts show them.",
    );
  const body = quoted.map((text, i) => `${withoutMarks(text)} [${i + 1}]`).join("\n\n");
  return {
    answer: `In the words of the sources:\n\n${body}`,
    citations: await citationsOf(deps.store, notebook, excerpts),
    confidence,
    follow_up_questions: followUps(hits, excerpts),
    passages: wholePassages(hits, excerpts),
    method: "extractive",
    notes,
  };
}

/** The best sentence about each side of a comparison. */
async function bothSides(
  { search, embedders }: AnsweringDeps,
  notebook: Project,
  { sides }: Question,
  signal: AbortSignal,
): Promise<Scored[]> {
  const embedder = embedders.get(notebook.model);
  const best: Scored[] = [];
  for (const side of sides) {
    const { hits } = await search.hybrid(notebook, side, { limit: SIDE_CANDIDATES, signal });
    if (hits.length === 0) continue;
    const asked = readQuestion(side, [...new Set(hits.map(({ chunk }) => chunk.language ?? "en"))]);
    const { sentences } = await scoreSentences(hits, asked, { embedder, signal });
    // A sentence with the side as its subject is better than one that only mentions it.
    const subject = sentences.find(({ text }) =>
      asked.terms.some(({ word }) => fold(text.slice(0, SUBJECT)).includes(word)),
    );
    const found = subject ?? sentences[0];
    if (found) best.push(found);
  }
  return best;
}

/** An answer from titles, headings and first sentences, for questions about the sources as a whole. */
async function overview(store: ChunkStore, notebook: Project): Promise<Composed> {
  await requireSources(store, notebook);
  const sources = await overviewOf(store, notebook);
  const excerpts = sources.sources.flatMap((source) => source.opening ?? []);
  const lines = overviewLines(
    sources,
    (opening) => `${withoutMarks(textOf(opening))} [${excerpts.indexOf(opening) + 1}]`,
  );
  return {
    answer: `The sources, by their titles, headings and first sentences:\n\n${lines.map((line) => `- ${line}`).join("\n")}`,
    citations: await citationsOf(store, notebook, excerpts),
    confidence: "medium",
    follow_up_questions: (await guideOf(store, notebook)).suggested_questions.slice(0, 3),
    passages: [],
    method: "extractive",
    notes: [EXTRACTIVE],
  };
}

/** Whole passages, cited ones first, for callers that can read more than the chosen sentences. */
function wholePassages(hits: readonly Hit[], excerpts: readonly Excerpt[]): Passage[] {
  const cited = new Set(excerpts.map(({ chunk }) => chunk.id));
  const ordered = [
    ...hits.filter(({ chunk }) => cited.has(chunk.id)),
    ...hits.filter(({ chunk }) => !cited.has(chunk.id)),
  ];
  return ordered.slice(0, PASSAGES_SHOWN).map(({ chunk }) => ({
    source_id: chunk.doc_id ?? "",
    source_title: chunk.title ?? "",
    section: chunk.section_path.length ? chunk.section_path.join(" > ") : null,
    page_span: chunk.page_span,
    text: chunk.text,
  }));
}

/** If the model fails, the extractive answer is used; an aborted call ends both. */
async function tryWriting(llm: Llm, question: string, hits: readonly Hit[], signal: AbortSignal) {
  try {
    return await writtenAnswer(llm, question, hits, signal);
  } catch (error) {
    if (error instanceof LlmError) return { failed: error.message };
    throw error;
  }
}

function unanswered(notes: string[], nearest: readonly Hit[] = []): Composed {
  return {
    answer: "The sources in this notebook do not answer this question. Ask in other words, or add a source that does.",
    citations: [],
    confidence: "low",
    follow_up_questions: [],
    passages: wholePassages(nearest, []),
    method: "extractive",
    notes,
  };
}

async function requireSources(store: ChunkStore, notebook: Project): Promise<void> {
  if ((await store.documents(notebook.id)).length === 0)
    throw new ShelfError("NO_SOURCES", "The notebook has no source. Add one with add_source first.");
}

/** The pages of the quoted words, not of the whole passage, which may span more. */
async function citationsOf(store: ChunkStore, notebook: Project, excerpts: readonly Excerpt[]): Promise<Citation[]> {
  const citations: Citation[] = [];
  for (const [i, excerpt] of excerpts.entries())
    citations.push(citationOf(excerpt, i + 1, await pagesOf(store, notebook, excerpt)));
  return citations;
}

async function pagesOf(store: ChunkStore, notebook: Project, { chunk, start, end }: Excerpt) {
  const { page_span, doc_id } = chunk;
  if (!page_span || page_span[0] === page_span[1] || doc_id === null || chunk.start === null) return page_span;
  const from = chunk.start + start;
  const last = chunk.start + end - 1;
  const pages = (await store.document(notebook.id, doc_id))?.pages ?? [];
  const pageAt = (at: number) => pages.find((page) => page.start <= at && at < page.end)?.number;
  const [first, final] = [pageAt(from), pageAt(last)];
  return first !== undefined && final !== undefined ? ([first, final] satisfies [number, number]) : page_span;
}

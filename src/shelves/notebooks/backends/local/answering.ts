import { ShelfError } from "../../../../kernel/errors.js";
import type { ChunkStore, Project } from "../../../chunks/chunk-store.js";
import type { Embedders } from "../../../chunks/embedding/embedder.js";
import type { Search } from "../../../chunks/search.js";
import type { Answer, Citation } from "../../notebook-backend.js";
import { judge, signsOf } from "./confidence.js";
import { chooseExcerpts, citationOf, type Excerpt, textOf } from "./extract.js";
import { followUps } from "./follow-ups.js";
import { type Llm, LlmError } from "./llm.js";
import { readQuestion } from "./question.js";
import { type Hit, scoreSentences } from "./scoring.js";
import { UNANSWERED, withoutMarks, writtenAnswer } from "./written-answer.js";

export interface AnsweringDeps {
  store: ChunkStore;
  search: Pick<Search, "hybrid">;
  embedders: Pick<Embedders, "get">;
  llm?: Llm | undefined;
}

/** Passages that are looked at; the rest of a notebook has nothing to say about the question. */
const CANDIDATES = 24;
const EXTRACTIVE = "Composed of sentences taken word for word from the sources; no language model was used.";

/** An answer as it is composed; the conversation it belongs to is the caller's. */
export type Composed = Omit<Answer, "conversation_id">;

export async function answer(
  deps: AnsweringDeps,
  notebook: Project,
  question: string,
  signal: AbortSignal,
): Promise<Composed> {
  const { hits, warnings } = await deps.search.hybrid(notebook, question, { limit: CANDIDATES, signal });
  if (hits.length === 0) {
    await requireSources(deps.store, notebook);
    return unanswered(warnings);
  }
  const languages = [...new Set(hits.map(({ chunk }) => chunk.language ?? "en"))];
  const asked = readQuestion(question, languages);
  const embedder = deps.embedders.get(notebook.model);
  const ranked = await scoreSentences(hits, asked, { embedder, signal });
  const verdict = judge(signsOf(ranked.sentences));
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
        method: "llm",
        notes: [...notes, ...written.notes],
      };
    }
  }
  const excerpts = verdict === "unanswered" ? [] : chooseExcerpts(ranked);
  if (excerpts.length === 0) return unanswered(notes);
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
    method: "extractive",
    notes,
  };
}

/** A model that fails leaves the extractive answer in its place; a caller who gave up ends both. */
async function tryWriting(llm: Llm, question: string, hits: readonly Hit[], signal: AbortSignal) {
  try {
    return await writtenAnswer(llm, question, hits, signal);
  } catch (error) {
    if (error instanceof LlmError) return { failed: error.message };
    throw error;
  }
}

function unanswered(notes: string[]): Composed {
  return {
    answer: "The sources in this notebook do not answer this question. Ask in other words, or add a source that does.",
    citations: [],
    confidence: "low",
    follow_up_questions: [],
    method: "extractive",
    notes,
  };
}

async function requireSources(store: ChunkStore, notebook: Project): Promise<void> {
  if ((await store.documents(notebook.id)).length === 0)
    throw new ShelfError("NO_SOURCES", "The notebook has no source. Add one with add_source first.");
}

/** Pages are those of the quoted words themselves where a passage runs over several. */
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

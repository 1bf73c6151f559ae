import { plural } from "../../../../kernel/plural.js";
import type { ChunkStore, DocumentSummary, Project } from "../../../chunks/chunk-store.js";
import type { Guide } from "../../notebook-backend.js";
import { type Excerpt, textOf } from "./extract.js";
import type { Hit } from "./scoring.js";
import { type Sentence, sentencesOf } from "./sentences.js";

const SOURCES = 8;
const SECTIONS = 6;
const QUESTIONS = 5;
/** A first line shorter than this is a byline or a date, not a sentence. */
const SHORTEST = 40;

interface SourceOverview {
  title: string;
  sections: string[];
  /** Its first sentences, verbatim; null if it has none. */
  opening: Excerpt | null;
}

interface Overview {
  sources: SourceOverview[];
  /** How many sources are not among them. */
  left: number;
}

/** What the sources of a notebook are about: their titles, headings and first sentences. */
export async function overviewOf(store: ChunkStore, notebook: Project): Promise<Overview> {
  const documents = await store.documents(notebook.id);
  const shown = documents.slice(0, SOURCES);
  const sentences = shown.length > 3 ? 1 : 2;
  const sources = await Promise.all(shown.map((each) => sourceOverview(store, notebook, each, sentences)));
  return { sources, left: documents.length - shown.length };
}

async function sourceOverview(
  store: ChunkStore,
  notebook: Project,
  { id, title }: DocumentSummary,
  count: number,
): Promise<SourceOverview> {
  const [document, chunks] = await Promise.all([
    store.document(notebook.id, id),
    store.chunks(notebook.id, { doc_id: id }),
  ]);
  const sections = (document?.headings ?? [])
    .map((heading) => heading.title.replace(/\s+/g, " ").trim())
    .filter((heading) => heading !== title && isTopic(heading));
  return { title, sections: [...new Set(sections)].slice(0, SECTIONS), opening: opening(chunks.slice(0, 3), count) };
}

function opening(chunks: readonly Sentence["chunk"][], count: number): Excerpt | null {
  for (const chunk of chunks) {
    const sentences = sentencesOf(chunk);
    const first = sentences.findIndex(({ text }) => text.length >= SHORTEST && !text.trimEnd().endsWith("?"));
    const begin = sentences[first];
    if (!begin) continue;
    const last = sentences.slice(first, first + count).findLast(({ block }) => block === begin.block) ?? begin;
    return { chunk, start: begin.start, end: last.end };
  }
  return null;
}

/** One line per source; `said` is what is shown of its opening. */
export function overviewLines({ sources, left }: Overview, said: (opening: Excerpt) => string): string[] {
  const lines = sources.map(({ title, opening: begin, sections }) => {
    const words = begin ? ` ${said(begin)}` : "";
    return `“${title}”:${words}${sections.length ? ` (Sections: ${sections.join("; ")}.)` : ""}`;
  });
  return left > 0 ? [...lines, `And ${plural(left, "more source")}.`] : lines;
}

/** The overview as a guide to the notebook: a few lines, and questions that its sections answer. */
export async function guideOf(store: ChunkStore, notebook: Project): Promise<Guide> {
  const overview = await overviewOf(store, notebook);
  if (overview.sources.length === 0) return { summary: null, suggested_questions: [] };
  const lines = overviewLines(overview, textOf);
  const questions = overview.sources.flatMap(({ title, sections }) =>
    sections.slice(0, 2).map((section) => sectionQuestion(title, section)),
  );
  return { summary: lines.join("\n"), suggested_questions: questions.slice(0, QUESTIONS) };
}

const MAX_QUESTIONS = 3;
/** Section names that make no useful question. */
const NOT_A_TOPIC =
  /^(references|bibliography|contents|index|notes|footnotes|acknowledge?ments?|see also|external links|further reading|copyright|abstract|introduction|conclusions?|summary|literatur|inhalt|sommaire|\W*(?:\d+\W*)?)$/i;

const sectionQuestion = (title: string | null, section: string) => `What does “${title}” say under “${section}”?`;
const isTopic = (section: string): boolean => section.length <= 80 && !NOT_A_TOPIC.test(section);

/** Sections of the cited sources that the search found but the answer does not use. */
export function followUps(hits: readonly Hit[], cited: readonly Excerpt[]): string[] {
  const sources = new Set(cited.map(({ chunk }) => chunk.doc_id));
  const seen = new Set(cited.map(({ chunk }) => key(chunk.doc_id, chunk.section)));
  const questions: string[] = [];
  for (const { chunk } of hits) {
    const section = chunk.section?.replace(/\s+/g, " ").trim();
    if (!section || !sources.has(chunk.doc_id) || section === chunk.title || !isTopic(section)) continue;
    if (seen.has(key(chunk.doc_id, chunk.section))) continue;
    seen.add(key(chunk.doc_id, chunk.section));
    questions.push(sectionQuestion(chunk.title, section));
    if (questions.length === MAX_QUESTIONS) break;
  }
  return questions;
}

const key = (docId: string | null, section: string | null) => `${docId}\n${section}`;

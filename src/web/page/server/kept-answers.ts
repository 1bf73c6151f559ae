import { type Signal, signal } from "@preact/signals";
import { jsonOrUndefined } from "../../../kernel/json.js";
import type { Answer } from "../reading/answer.js";

/** A question and its answer, kept in this browser until it is deleted. */
export interface Kept {
  id: string;
  question: string;
  answer: Answer;
  /** ISO 8601. */
  asked_at: string;
}

const PREFIX = "bookwheel.answers.";
/** The most per notebook; the oldest is dropped first. */
const MOST = 100;
const loaded = new Map<string, Signal<readonly Kept[]>>();

/** The answers of one notebook, newest first. */
export function keptAnswers(notebook: string): Signal<readonly Kept[]> {
  const known = loaded.get(notebook);
  if (known) return known;
  const answers = signal<readonly Kept[]>(read(notebook));
  loaded.set(notebook, answers);
  return answers;
}

export function keep(notebook: string, question: string, answer: Answer): Kept {
  const kept = { id: crypto.randomUUID().slice(0, 8), question, answer, asked_at: new Date().toISOString() };
  write(notebook, [kept, ...keptAnswers(notebook).value].slice(0, MOST));
  return kept;
}

/** Returns a function that restores it. */
export function deleteAnswer(notebook: string, id: string): () => void {
  return replaced(
    notebook,
    keptAnswers(notebook).value.filter((kept) => kept.id !== id),
  );
}

export const deleteAnswers = (notebook: string): (() => void) => replaced(notebook, []);

function replaced(notebook: string, answers: readonly Kept[]): () => void {
  const before = keptAnswers(notebook).value;
  write(notebook, answers);
  return () => write(notebook, before);
}

function write(notebook: string, answers: readonly Kept[]): void {
  keptAnswers(notebook).value = answers;
  try {
    if (answers.length > 0) localStorage.setItem(PREFIX + notebook, JSON.stringify(answers));
    else localStorage.removeItem(PREFIX + notebook);
  } catch {
    // The storage is full: the answers are kept only for this visit.
  }
}

function read(notebook: string): readonly Kept[] {
  const value = jsonOrUndefined(localStorage.getItem(PREFIX + notebook) ?? "");
  return Array.isArray(value) ? (value as Kept[]) : [];
}

/** A question and its answer as Markdown, with the cited passages below. */
export function asMarkdown({ question, answer }: Pick<Kept, "question" | "answer">): string {
  const citations = answer.citations.map(
    ({ mark, source_title, excerpt }) => `[${mark}] ${source_title}${excerpt ? `: “${excerpt.trim()}”` : ""}`,
  );
  return [`## ${question}`, answer.answer, citations.join("\n")].filter(Boolean).join("\n\n");
}

/** The same as rich text, for word processors and mail programs. */
export function asHtml({ question, answer }: Pick<Kept, "question" | "answer">): string {
  const paragraphs = answer.answer.split(/\n{2,}/).map((text) => `<p>${escaped(text)}</p>`);
  const citations = answer.citations.map(
    ({ source_title, excerpt, mark }) =>
      `<li value="${mark}"><i>${escaped(source_title)}</i>${excerpt ? `: “${escaped(excerpt.trim())}”` : ""}</li>`,
  );
  const list = citations.length > 0 ? `<ol>${citations.join("")}</ol>` : "";
  return `<h2>${escaped(question)}</h2>${paragraphs.join("")}${list}`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

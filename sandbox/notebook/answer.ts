import { randomUUID } from "node:crypto";
import { type Item, innerJson } from "./frames.js";
import type { Generation } from "./generation.js";
import { blocks, passageRow } from "./rows.js";
import type { SandboxNotebook, SandboxSource } from "./state.js";

interface Passage {
  source: SandboxSource;
  text: string;
  score: number;
}

const STOP = new Set([
  "the",
  "a",
  "an",
  "of",
  "and",
  "is",
  "are",
  "do",
  "does",
  "what",
  "how",
  "when",
  "why",
  "to",
  "in",
]);
const tokens = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !STOP.has(word))
    .map((word) => word.replace(/s$/, ""));

/** The sentences of the chosen sources that share most words with the question. */
function passages(question: string, sources: SandboxSource[]): Passage[] {
  const asked = new Set(tokens(question));
  return sources
    .flatMap((source) => source.text.split("\n").map((text) => ({ source, text, shared: overlap(asked, text) })))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, 3)
    .map(({ source, text, shared }) => ({ source, text, score: Math.round((0.5 + 0.4 * shared) * 100) / 100 }));
}

function overlap(asked: Set<string>, text: string): number {
  const found = new Set(tokens(text).filter((word) => asked.has(word)));
  return asked.size ? found.size / asked.size : 0;
}

export interface Asked {
  notebook: SandboxNotebook;
  question: string;
  sourceIds: string[];
  conversation: string;
}

/** All frames of one answer: thoughts, cumulative snapshots, then the final one with its follow-up questions. */
export function answerFrames(
  { notebook, question, sourceIds, conversation }: Asked,
  generation: Generation,
): { thinking: Item[]; answer: Item[]; text: string } {
  const turn = [conversation, randomUUID(), 7];
  const chosen = notebook.sources.filter((source) => sourceIds.includes(source.id));
  const earlier = (notebook.turns.get(conversation) ?? []).map((each) => each.question);
  const found = passages([question, ...earlier].join(" "), chosen);
  const lines = found.map(({ source, text }, i) => `**${source.title}** says: ${text.replaceAll("|", "–")} [${i + 1}]`);
  if (found.length > 1) lines.push(`Both agree on this ${together(found.length, generation)}.`);
  if (!found.length) lines.push("The sources do not speak about this.");

  const at = { turn, generation };
  const thinking = [
    "**Reading the sources**\n\nI am looking at what was asked.\n\n\n",
    "**Weighing passages**\n\nI am comparing them.\n\n\n",
  ].map((text) => thought(at, text));
  const followUps = found.map(({ source }) => `What else does ${source.title} say?`);
  const answer = lines.map((_, i) => snapshot(at, lines.slice(0, i + 1).join("\n"), found, null));
  answer.push(snapshot(at, lines.join("\n"), found, followUps));
  return { thinking, answer, text: lines.join("\n") };
}

/** How several passages are cited at once. */
function together(count: number, { ranges }: Generation): string {
  if (count < 3) return "[1, 2]";
  return ranges ? "[1-3]" : "[1, 2], [3]";
}

interface Place {
  turn: unknown[];
  generation: Generation;
}

const MARKS = / ?\[\d+(?:[,-] ?\d+)*\]/g;

function thought({ turn, generation }: Place, text: string): Item {
  if (!generation.thoughtsAsAnswers)
    return framed([[text, null, turn, null, [[blocks(text)], null, null, null, 2]]], generation, null);
  const block = [0, text.length, ...Array<null>(6).fill(null), [blocks(text)]];
  return framed([["", null, turn, null, [[[block]], null, null, null, 1]]], generation, null);
}

function snapshot({ turn, generation }: Place, text: string, found: Passage[], followUps: string[] | null): Item {
  const shown = text.replace(MARKS, "");
  // Ranges count the text of the blocks, which has neither line breaks nor signs of Markdown.
  const extent = Number((blocks(shown).at(-1) as unknown[] | undefined)?.[1] ?? 0);
  const rows = found.map(({ source, text: passage, score }) => passageRow(source, passage, score));
  const objectIds = rows.map((row) => row[6]);
  const annotations = objectIds.map((id) => [id, [null, 0, extent]]);
  const citations = rows.length ? rows.map((row, i) => [objectIds[i], row]) : null;
  const document = [rows.length ? [blocks(shown), annotations] : [blocks(shown)], null, null, citations, 1];
  const ranges = rows.length ? [[[null, 0, extent], rows.map((_, i) => i)]] : null;
  return framed([[text, null, turn, null, document], rows.length ? rows : null, ranges], generation, followUps);
}

/** One frame: the record, its citations and ranges, then slots that differ by month. */
function framed([record, rows = null, ranges = null]: unknown[], generation: Generation, last: string[] | null): Item {
  const inner: unknown[] = [record, rows, ranges, last ? [last] : null, last !== null];
  const typed = last ? [last.map((question) => [question, 9])] : null;
  if (generation.frameSlots > 5) inner.push(typed, last !== null, randomUUID());
  else if (typed) inner.push(typed);
  return ["wrb.fr", null, innerJson(inner.slice(0, Math.max(generation.frameSlots, last ? 6 : 5)))];
}

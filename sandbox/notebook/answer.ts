import { randomUUID } from "node:crypto";
import { type Item, innerJson } from "./frames.js";
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

/** All frames of one answer: thinking, cumulative snapshots, then the final one with its follow-up questions. */
export function answerFrames(
  notebook: SandboxNotebook,
  question: string,
  sourceIds: string[],
): { thinking: Item[]; answer: Item[] } {
  const turn = [notebook.conversation, randomUUID(), 7];
  const chosen = notebook.sources.filter((source) => sourceIds.includes(source.id));
  const found = passages(question, chosen);
  const lines = found.map(({ source, text }, i) => `**${source.title}** says: ${text} [${i + 1}]`);
  if (found.length > 1) lines.push(`Both agree on this ${found.length > 2 ? "[1, 2], [3]" : "[1, 2]"}.`);
  if (!found.length) lines.push("The sources do not speak about this.");

  const thinking = [
    "**Reading the sources**\n\nI am looking at what was asked.\n\n\n",
    "**Weighing passages**\n\nI am comparing them.\n\n\n",
  ].map((text) => snapshot(turn, text, [], null, 2));
  const followUps = found.map(({ source }) => `What else does ${source.title} say?`);
  const answer = lines.map((_, i) => snapshot(turn, lines.slice(0, i + 1).join("\n"), found, null, 1));
  answer.push(snapshot(turn, lines.join("\n"), found, followUps, 1));
  return { thinking, answer };
}

function snapshot(turn: unknown[], text: string, found: Passage[], followUps: string[] | null, kind: 1 | 2): Item {
  const shown = text.replace(/ ?\[\d+(, \d+)*\]/g, "");
  const rows = found.map(({ source, text: passage, score }) => passageRow(source, passage, score));
  const objectIds = rows.map((row) => row[6]);
  const annotations = objectIds.map((id) => [id, [null, 0, shown.length]]);
  const citations = rows.length ? rows.map((row, i) => [objectIds[i], row]) : null;
  const document = [rows.length ? [blocks(shown), annotations] : [blocks(shown)], null, null, citations, kind];
  const record = [text, null, turn, null, document];
  const ranges = rows.length ? [[[null, 0, shown.length], rows.map((_, i) => i)]] : null;
  const inner: unknown[] = [
    record,
    rows.length ? rows : null,
    ranges,
    followUps ? [followUps] : null,
    followUps !== null,
  ];
  if (followUps) inner.push([followUps.map((q) => [q, 9])]);
  return ["wrb.fr", null, innerJson(inner)];
}

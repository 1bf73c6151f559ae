import { readFileSync } from "node:fs";
import { trimEndOf } from "../../../../kernel/trim-end.js";
import { analyse, foldedWords } from "../../../../text/analysis.js";
import type { Excerpt } from "./extract.js";
import type { Llm } from "./llm.js";
import type { Hit } from "./scoring.js";
import { sentencesOf } from "./sentences.js";

export const UNANSWERED = "UNANSWERED";

interface WrittenAnswer {
  text: string;
  /** One per mark, in the order of the marks. */
  excerpts: Excerpt[];
  notes: string[];
  /** It cites nothing, or contains a quotation that is not in the sources. */
  doubtful: boolean;
}

const PASSAGES = 8;
const PROMPT = readFileSync(new URL("../../prompts/answer.md", import.meta.url), "utf8");
/** `[3]`, `[1, 2]`; not the text of a Markdown link. */
const MARKS = /( ?)\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\](?!\()/g;
const QUOTED = /["“„«]([^"“”„«»\n]{8,1000})["”»]/g;

/** An answer in the model's words; every mark refers to a passage, and quotations are checked. */
export async function writtenAnswer(
  llm: Llm,
  question: string,
  hits: readonly Hit[],
  signal: AbortSignal,
): Promise<WrittenAnswer> {
  const passages = hits.slice(0, PASSAGES);
  const { text, cut } = await llm.write(
    [
      { role: "system", content: PROMPT },
      { role: "user", content: `${passages.map(shown).join("\n\n")}\n\nQuestion: ${question}` },
    ],
    signal,
  );
  const notes = [`Written by the language model '${llm.model}' from the passages cited.`];
  if (cut) notes.push("The language model stopped at its length limit, so the answer may be incomplete.");
  if (new RegExp(`^\\W*${UNANSWERED}\\W*$`, "i").test(text))
    return { text: UNANSWERED, excerpts: [], notes, doubtful: true };

  const marked = renumber(text, passages);
  if (marked.removed > 0) notes.push(`${marked.removed} mark(s) that led to no passage were removed from the answer.`);
  if (marked.excerpts.length === 0) notes.push("The answer cites no passage.");
  const quotes = checkQuotes(marked.text, passages);
  if (quotes.checked > 0)
    notes.push(`${quotes.found} of ${quotes.checked} quotation(s) in the answer stand word for word in the sources.`);
  const missing = quotes.checked - quotes.found;
  const remark =
    quotes.checked === 0 ? "" : `\n\n(Quotations checked: ${quotes.checked}; found in the sources: ${quotes.found}.)`;
  return {
    text: marked.text + remark,
    excerpts: marked.excerpts,
    notes,
    doubtful: missing > 0 || marked.excerpts.length === 0,
  };
}

/** A text without its own note marks, which would be mistaken for marks of the answer. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, "");
}

function shown({ chunk }: Hit, index: number): string {
  const where = [chunk.title, ...chunk.section_path].filter(Boolean).join(" > ");
  return `[${index + 1}] ${where}\n${withoutMarks(chunk.text)}`;
}

/** Renumbers the marks in order of appearance; marks without a passage are removed. */
function renumber(text: string, passages: readonly Hit[]) {
  const order: number[] = [];
  const claims: string[] = [];
  let removed = 0;
  const renumbered = text.replace(MARKS, (_whole, space: string, group: string, at: number) => {
    const marks = [...new Set(group.split(/[,;]/).map((n) => Number(n) - 1))];
    const known = marks.filter((n) => passages[n] !== undefined);
    removed += marks.length - known.length;
    return known.length === 0
      ? ""
      : space +
          known
            .map((n) => {
              if (!order.includes(n)) {
                order.push(n);
                claims.push(claimBefore(text, at));
              }
              return `[${order.indexOf(n) + 1}]`;
            })
            .join("");
  });
  const excerpts = order.map((n, i) => bestExcerpt(passages[n]!, claims[i]!));
  return { text: renumbered.trim(), excerpts, removed };
}

/** The sentence before a mark. */
function claimBefore(text: string, at: number): string {
  const before = text.slice(0, at).replace(MARKS, "");
  const start = trimEndOf(before.trimEnd().replace(/[.!?]$/, ""), /[^.!?\n]/).length;
  return before.slice(start) || before.slice(-300);
}

/** The sentence of a passage that shares most words with the claim. */
function bestExcerpt({ chunk }: Hit, claim: string): Excerpt {
  const claimed = new Set(analyse(claim, chunk.language));
  const shared = (terms: ReadonlySet<string>) => [...terms].filter((term) => claimed.has(term)).length;
  const best = sentencesOf(chunk).reduce<{ start: number; end: number; score: number }>(
    (top, { start, end, terms }) => {
      const score = shared(terms) / Math.sqrt(terms.size);
      return score > top.score ? { start, end, score } : top;
    },
    { start: 0, end: chunk.text.length, score: 0 },
  );
  return { chunk, start: best.start, end: best.end };
}

/** A quotation is in the sources if its words are, in order; quotation marks and spaces may differ. */
function checkQuotes(text: string, passages: readonly Hit[]): { checked: number; found: number } {
  const sources = passages.map(({ chunk }) => ` ${foldedWords(withoutMarks(chunk.text)).join(" ")} `);
  const quotes = [...text.matchAll(QUOTED)]
    .map(([, inner]) => foldedWords(inner!.replace(MARKS, "")))
    .filter((words) => words.length >= 3);
  const stands = (words: string[]) => sources.some((source) => source.includes(` ${words.join(" ")} `));
  return { checked: quotes.length, found: quotes.filter(stands).length };
}

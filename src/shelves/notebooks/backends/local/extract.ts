import type { Citation } from "../../notebook-backend.js";
import { cueOf, type Question, type QuestionKind } from "./question.js";
import type { Ranked, Scored, Share } from "./scoring.js";
import { type Sentence, sentencesOf } from "./sentences.js";

/** A quoted range of a source: one citation. */
export interface Excerpt {
  chunk: Sentence["chunk"];
  /** Offsets into the chunk's text. */
  start: number;
  end: number;
}

const MAX_SENTENCES = 3;
/** A sentence this much weaker than the best one adds only noise. */
const MARGIN = 1.1;
/** Sentences of different sources form one answer only if both are strong. */
const OTHER_SOURCE_MARGIN = 0.75;
const MAX_LISTED = 6;
/** How much of the text after a sentence is quoted with it, if it lists steps or reasons. */
const MAX_CONTINUED = 450;
/** The bonus for covering a part of the question that no chosen sentence covers yet. */
const NEWS = 1;
const ALIKE = 0.8;
const MAX_CONTEXT = 300;
/** A gap of at most this length between two quoted sentences is quoted too. */
const MAX_BRIDGE = 160;
/** First words that refer back to the previous sentence. */
const POINTS_BACK =
  /^(?:he|she|it|they|this|these|those|that|such|his|her|its|their|there|here|however|therefore|thus|hence|but|and|so|as a result|in (?:both|either) (?:places|cases?)|in this way|for (?:this|that) reason|er|sie|es|dies\w*|il|elle|ils|elles|cela|ce|cette|él|ella|ello|esto|esta|este|он|она|оно|они|это)\b/iu;

/** "The practice is called …": the sentence before says what it is. */
const NAMES_WHAT_WAS_SAID =
  /^(?:the|this|such an?) \p{L}+ (?:is|was|are|were) (?:now |often |also )?(?:called|known|named)\b/iu;

/**
 * The sentences that answer, best source first and within a source in reading order, but those with a date or a reason
 * first where that is asked for; neighbours are quoted together. `sides` are sentences about the two things of a comparison.
 */
export function chooseExcerpts({ sentences, share }: Ranked, asked: Question, sides: readonly Scored[]): Excerpt[] {
  const { kind } = asked;
  const chosen = [...new Set([...sides, ...choose(sentences, share, kind)])];
  const sources = [...new Set(chosen.map(({ chunk }) => chunk.doc_id))];
  return sources.flatMap((source) => {
    const excerpts = joined(
      chosen
        .filter(({ chunk }) => chunk.doc_id === source)
        .map((each) => continued(withContext(each), each, kind))
        .sort((a, b) => a.chunk.position - b.chunk.position || a.start - b.start),
    );
    if (kind !== "date" && kind !== "reason") return excerpts;
    const answers = (excerpt: Excerpt) => cueOf(textOf(excerpt), asked) === 1;
    return [...excerpts.filter(answers), ...excerpts.filter((excerpt) => !answers(excerpt))];
  });
}

/** Chooses greedily the sentence that adds most: a good one, preferably about a part of the question not covered yet. */
function choose(sentences: readonly Scored[], share: Share, kind: QuestionKind): Scored[] {
  const best = sentences[0];
  if (!best) return [];
  const chosen = [best];
  let said = best.terms;
  const many = kind === "list" || kind === "compare";
  let left = sentences.filter(
    ({ score, chunk }) =>
      score >= best.score - (many || chunk.doc_id === best.chunk.doc_id ? MARGIN : OTHER_SOURCE_MARGIN),
  );
  while (chosen.length < (many ? MAX_LISTED : MAX_SENTENCES)) {
    left = left.filter((sentence) => !chosen.some((other) => alike(other.terms, sentence.terms)));
    const next = most(left, ({ score, terms }) => score + NEWS * share(new Set([...said, ...terms])));
    if (!next) break;
    chosen.push(next);
    said = new Set([...said, ...next.terms]);
  }
  return chosen;
}

function most<T>(items: readonly T[], worth: (item: T) => number): T | undefined {
  return items.reduce<{ item: T; value: number } | undefined>((top, item) => {
    const value = worth(item);
    return top && top.value >= value ? top : { item, value };
  }, undefined)?.item;
}

function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const term of a) if (b.has(term)) shared++;
  return shared / (a.size + b.size - shared) > ALIKE;
}

/** A sentence that refers back is quoted together with the sentence right before it. */
function withContext({ chunk, start, end, text, block }: Scored): Excerpt {
  const before = sentencesOf(chunk).filter((other) => other.block === block && other.end <= start);
  let [first, said] = [start, text];
  while (POINTS_BACK.test(said) || NAMES_WHAT_WAS_SAID.test(said)) {
    const previous = before.pop();
    if (!previous || start - previous.start > MAX_CONTEXT) break;
    [first, said] = [previous.start, previous.text];
  }
  return { chunk, start: first, end };
}

/** Methods and reasons take several sentences: adds the sentences that follow in the same paragraph. */
function continued(excerpt: Excerpt, { block, text }: Scored, kind: QuestionKind): Excerpt {
  if (kind !== "way" && kind !== "list" && !(kind === "reason" && /:$/.test(text))) return excerpt;
  let { end } = excerpt;
  for (const next of sentencesOf(excerpt.chunk)) {
    if (next.block !== block || next.start < end) continue;
    if (next.end - excerpt.start > MAX_CONTINUED) break;
    end = next.end;
  }
  return { ...excerpt, end };
}

/** Merges excerpts of one passage that overlap, touch, or have one short sentence between them. */
function joined(excerpts: readonly Excerpt[]): Excerpt[] {
  const whole: Excerpt[] = [];
  for (const excerpt of excerpts) {
    const last = whole.at(-1);
    const between = last?.chunk.id === excerpt.chunk.id ? excerpt.chunk.text.slice(last.end, excerpt.start) : undefined;
    const near = between !== undefined && between.length <= MAX_BRIDGE && !/\n[^\S\n]*\n/.test(between);
    if (last && (near || between?.trim() === "")) last.end = Math.max(last.end, excerpt.end);
    else whole.push({ ...excerpt });
  }
  return whole;
}

export function textOf({ chunk, start, end }: Excerpt): string {
  return chunk.text.slice(start, end);
}

export function citationOf(excerpt: Excerpt, mark: number, page_span: Citation["page_span"]): Citation {
  const { chunk } = excerpt;
  return {
    mark,
    source_id: chunk.doc_id ?? "",
    source_title: chunk.title ?? "",
    excerpt: textOf(excerpt),
    page_span,
    section: chunk.section_path.length ? chunk.section_path.join(" > ") : null,
    url: chunk.url,
  };
}

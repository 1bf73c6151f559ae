import { badParameter } from "../../kernel/errors.js";
import type { DraftCitation } from "./citation-parts.js";
import { citationsIn } from "./citations-in.js";
import { latexView } from "./latex-view.js";
import { markdownView } from "./markdown-view.js";
import { type Quotation, quotationsIn } from "./quotations.js";
import { type ListedWork, referencesIn } from "./references.js";
import type { DraftView } from "./view.js";

export type DraftFormat = "markdown" | "latex";

/** A parsed draft, before anything is looked up. */
export interface ParsedDraft {
  format: DraftFormat;
  view: DraftView;
  words: number;
  /** Sorted by start, without those inside the draft's reference list. */
  citations: DraftCitation[];
  quotations: Quotation[];
  listed: ListedWork[];
}

interface ParseOptions {
  format?: DraftFormat | undefined;
  /** Names of known authors, for citations that consist of a name alone. */
  families: readonly string[];
}

export type ParseDraft = (draft: string, options: ParseOptions, signal?: AbortSignal) => Promise<ParsedDraft>;

function formatOf(draft: string): DraftFormat {
  return /\\(?:begin\{|documentclass|section\*?\{|[a-z]{0,20}cite[a-z]{0,20}\*?[[{]|enquote\{|textquote)/i.test(draft)
    ? "latex"
    : "markdown";
}

/** Takes time in proportion to untrusted text: call it in the reader process. */
export function parseDraft(draft: string, { format = formatOf(draft), families }: ParseOptions): ParsedDraft {
  const view = format === "latex" ? latexView(draft) : markdownView(draft);
  refuseTooMany({ paragraphs: view.blocks, footnotes: view.notes }, MOST_BLOCKS);
  const { listed, spans } = referencesIn(view);
  const inText = ({ start }: { start: number }) => !spans.some(([from, to]) => start >= from && start < to);
  const citations = citationsIn(view, new Set(families), listed).filter(inText);
  const quotations = quotationsIn(view).filter(inText);
  refuseTooMany({ citations, quotations, "listed works": listed }, MOST_CHECKED);
  return { format, view, words: view.text.match(/\S+/g)?.length ?? 0, citations, quotations, listed };
}

/** A limit above what any real draft has: each quotation is looked up in all texts. */
const MOST_CHECKED = 5_000;
const MOST_BLOCKS = 50_000;

function refuseTooMany(parts: Record<string, readonly unknown[]>, most: number): void {
  for (const [what, { length }] of Object.entries(parts))
    if (length > most)
      throw badParameter(
        "INVALID_INPUT",
        "text",
        `has more than ${most} ${what}`,
        `The draft has ${length} ${what}; up to ${most} are checked at once. Check it in parts.`,
      );
}

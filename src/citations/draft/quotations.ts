import { type Block, type DraftView, isWord } from "./view.js";

/** Words in quotation marks or in a block quotation, without the marks. */
export interface Quotation {
  /** Offsets into the view, inside the marks. */
  start: number;
  end: number;
  /** Offsets with the marks included. */
  outerStart: number;
  outerEnd: number;
  kind: "inline" | "block";
  /** How many other quotations enclose it. */
  depth: number;
  block: Block;
}

/** Opening marks with the closing marks that different languages use with them. */
const CLOSERS: Record<string, string> = {
  "“": "”",
  "„": '“”"',
  "‟": "”",
  "”": "”",
  "«": "»",
  "»": "«»",
  "‹": "›",
  "›": "‹›",
  "‘": "’",
  "‚": "‘’",
  "’": "’",
  '"': '"',
  "'": "'",
  "「": "」",
  "『": "』",
  "《": "》",
  "〈": "〉",
};
const MARKS = new Set([...Object.keys(CLOSERS), ...Object.values(CLOSERS).join("")]);
/** Marks that are also apostrophes: they open and close only at the edge of a word. */
const SINGLE = new Set(["‘", "’", "‚", "'"]);
const WIDE = new Set(["「", "『", "《", "〈", "」", "』", "》", "〉"]);
const MAX_DEPTH = 4;

const isBlank = (sign: string | undefined) => sign === undefined || /\s/.test(sign);

/** All quotations of a draft, sorted by start; nested ones have a depth. */
export function quotationsIn({ text, blocks }: DraftView): Quotation[] {
  const found: Quotation[] = [];
  for (const block of blocks) {
    if (block.kind === "heading") continue;
    const inside = inlineIn(text, block);
    if (block.kind === "quote") {
      const whole = blockQuotation(text, block, inside);
      found.push(whole);
      found.push(
        ...inside
          .filter(({ start, end }) => start !== whole.start || end !== whole.end)
          .map((each) => ({ ...each, depth: each.depth + 1 })),
      );
    } else found.push(...inside);
  }
  return found;
}

function inlineIn(text: string, block: Block): Quotation[] {
  const open: { at: number; closers: string }[] = [];
  const found: Quotation[] = [];
  for (let i = block.start; i < block.end; i++) {
    const sign = text[i]!;
    if (!MARKS.has(sign)) continue;
    const closing = closesHere(text, i, block) ? lastIndex(open, sign) : -1;
    if (closing >= 0) {
      // A mark opened inside and never closed was an apostrophe.
      const { at } = open[closing]!;
      open.length = closing;
      found.push({ start: at + 1, end: i, outerStart: at, outerEnd: i + 1, kind: "inline", depth: closing, block });
    } else if (CLOSERS[sign] && opensHere(text, i, block)) {
      if (open.length === MAX_DEPTH) open.shift();
      open.push({ at: i, closers: CLOSERS[sign] });
    }
  }
  return withDepth(found.map((each) => trimmed(text, each)).sort((a, b) => a.start - b.start || b.end - a.end));
}

function lastIndex(open: readonly { closers: string }[], sign: string): number {
  for (let i = open.length - 1; i >= 0; i--) if (open[i]!.closers.includes(sign)) return i;
  return -1;
}

/** The characters beside this one, undefined at the ends of the block. */
function besides(text: string, at: number, { start, end }: Block) {
  return [at > start ? text[at - 1] : undefined, at + 1 < end ? text[at + 1] : undefined] as const;
}

function opensHere(text: string, at: number, block: Block): boolean {
  const sign = text[at]!;
  if (WIDE.has(sign)) return true;
  const [before, after] = besides(text, at, block);
  if (isWord(before)) return false;
  // French has a space inside its marks; in other languages a mark before a space does not open a quotation.
  return !isBlank(after) || ((sign === "«" || sign === "‹") && after !== undefined);
}

function closesHere(text: string, at: number, block: Block): boolean {
  const sign = text[at]!;
  if (WIDE.has(sign)) return true;
  const [before, after] = besides(text, at, block);
  if (SINGLE.has(sign) && isWord(after)) return false;
  if (sign === '"' && isWord(after) && isBlank(before)) return false;
  return !isBlank(before) || sign === "»" || sign === "›";
}

/** Recounts depths with only the quotations that were closed. */
function withDepth(sorted: Quotation[]): Quotation[] {
  const around: Quotation[] = [];
  return sorted.map((each) => {
    while (around.length > 0 && around.at(-1)!.outerEnd <= each.start) around.pop();
    const depth = around.length;
    around.push(each);
    return { ...each, depth };
  });
}

function trimmed(text: string, quotation: Quotation): Quotation {
  let { start, end } = quotation;
  while (start < end && /\s/.test(text[start]!)) start++;
  while (end > start && /\s/.test(text[end - 1]!)) end--;
  return { ...quotation, start, end };
}

/** Characters at the end of a block in which its citation is searched. */
const MAX_CLOSING_CHARS = 800;

/** A block quotation without enclosing marks and without the citation at its end. */
function blockQuotation(text: string, block: Block, inside: readonly Quotation[]): Quotation {
  const from = Math.max(block.start, block.end - MAX_CLOSING_CHARS);
  const words = text.slice(from, block.end);
  const closing = /[\s—–-]?(?:\[[^[\]]{0,300}@[^[\]]{0,300}\]|\([^()]{0,200}\d[^()]{0,100}\)|\u2060)[\s.]{0,8}$/u.exec(
    words,
  );
  // "— Henry David Thoreau, Walden" on its own line is the attribution.
  const said = /\n[ \t]{0,8}(?:—|–|--)\s?[^\n]{1,200}\n?$/.exec(words);
  const cut = Math.min(closing?.index ?? words.length, said?.index ?? words.length);
  const whole = trimmed(text, {
    start: block.start,
    end: from + cut,
    outerStart: block.start,
    outerEnd: from + cut,
    kind: "block",
    depth: 0,
    block,
  });
  const marked = inside.find(({ outerStart, outerEnd }) => outerStart <= whole.start && outerEnd >= whole.end);
  return marked ? { ...whole, start: marked.start, end: marked.end } : whole;
}

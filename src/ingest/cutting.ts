import type { Embedder, TokenCounting } from "../shelves/chunks/embedding/embedder.js";
import { tokenCounter } from "../shelves/chunks/embedding/token-counting.js";
import { cut, type Piece, sizesFor } from "./chunking.js";
import type { ReadDocument } from "./document.js";

/** How a document is cut, in a form that reaches the reader process. */
export interface CutRecipe {
  tokens: TokenCounting;
  maxTokens: number;
  overlapTokens: number;
  /** Whether lists of references become pieces of their own. */
  references: boolean | "if nothing else";
}

/** Offsets of a piece; its text is the document's own. */
export type CutPiece = Omit<Piece, "text">;
/** A document once it is cut. */
export type CutDocument = Omit<ReadDocument, "blocks"> & { pieces: CutPiece[] };

/** `embedder` is undefined where only words are searched. */
export function recipeFor(embedder: Embedder | undefined, references: CutRecipe["references"]): CutRecipe {
  return {
    tokens: embedder?.tokens ?? { by: "words" },
    ...sizesFor(embedder?.identity.max_tokens ?? 256),
    references,
  };
}

/** Letters of scripts that a tokenizer made for Latin text cuts one by one, with their marks. */
const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const FOREIGN = /(?:(?!\p{Script=Latin}|\p{Script=Inherited})[\p{L}\p{M}])+/gu;
/** What a tokenizer that knows their scripts makes of them; as much text as English gets for its tokens. */
const TOKENS_PER_LETTER = 1 / 4;
const TOKENS_PER_HAN = 0.7;

/**
 * The size of a passage for its reader: a passage in a script the model's tokenizer does not know is as long as one in
 * English, though the model needs more windows for it.
 */
function passageTokens(text: string, count: (text: string) => number): number {
  let estimated = 0;
  const rest = text.replace(FOREIGN, (letters) => {
    for (const letter of letters) estimated += HAN.test(letter) ? TOKENS_PER_HAN : TOKENS_PER_LETTER;
    return " ";
  });
  if (estimated === 0) return Math.max(1, count(text));
  return Math.max(1, Math.min(count(text), Math.ceil(estimated) + count(rest)));
}

/** Takes time in proportion to untrusted text: call it in the reader process. */
export function cutDocument({ blocks, ...document }: ReadDocument, recipe: CutRecipe): CutDocument {
  const count = tokenCounter(recipe.tokens);
  const cutWith = (references: boolean) =>
    cut({ ...document, blocks }, { ...recipe, references, countTokens: (text) => passageTokens(text, count) });
  let pieces = cutWith(recipe.references === true);
  if (pieces.length === 0 && recipe.references === "if nothing else") pieces = cutWith(true);
  return { ...document, pieces: pieces.map(({ text: _text, ...piece }) => piece) };
}

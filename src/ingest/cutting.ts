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

/** Takes time in proportion to untrusted text: call it in the reader process. */
export function cutDocument({ blocks, ...document }: ReadDocument, recipe: CutRecipe): CutDocument {
  const count = tokenCounter(recipe.tokens);
  const cutWith = (references: boolean) =>
    cut({ ...document, blocks }, { ...recipe, references, countTokens: (text) => Math.max(1, count(text)) });
  let pieces = cutWith(recipe.references === true);
  if (pieces.length === 0 && recipe.references === "if nothing else") pieces = cutWith(true);
  return { ...document, pieces: pieces.map(({ text: _text, ...piece }) => piece) };
}

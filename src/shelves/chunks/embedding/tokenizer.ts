import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

type Package = typeof import("@huggingface/tokenizers");

/** A model's own tokenizer; pure JavaScript, so any thread or process may have one. */
export interface Tokenizer {
  /** Token ids with the model's special tokens around them, as the graph takes them. */
  encode(text: string): number[];
  /** Tokens of the text alone. */
  count(text: string): number;
  /** How many special tokens `encode` adds. */
  readonly added: number;
}

/** Words repeat, and most of the time of cutting a text goes into counting tokens per word. */
const REMEMBERED = 20_000;
const WORD_LENGTH = 24;

export function loadTokenizer(file: string): Tokenizer {
  // Loaded with the first model, since searching by words alone does not need it.
  const { Tokenizer: WordPieces } = createRequire(import.meta.url)("@huggingface/tokenizers") as Package;
  const definition: Record<string, unknown> = JSON.parse(readFileSync(file, "utf8"));
  // The file asks for everything to be cut and padded to 128 tokens. We cut ourselves and never silently.
  const pieces = new WordPieces({ ...definition, truncation: null, padding: null }, {});
  const words = new Map<string, number>();
  const count = (text: string): number => pieces.encode(text, { add_special_tokens: false }).ids.length;
  return {
    encode: (text) => pieces.encode(text).ids,
    count(text) {
      if (text.length > WORD_LENGTH) return count(text);
      const known = words.get(text);
      if (known !== undefined) return known;
      const tokens = count(text);
      if (words.size >= REMEMBERED) words.clear();
      words.set(text, tokens);
      return tokens;
    },
    added: pieces.encode("").ids.length,
  };
}

export interface Book {
  id: string;
  citekey: string;
  title: string;
  text: string;
}
export interface QuoteCase {
  kind: string;
  quote: string;
  source?: string;
  expected: string;
  from?: { doc_id: string; start: number; end: number };
  changed?: { from: string; to: string };
}
export function randomFrom(seed: number): () => number;
export function loadBooks(documentsFolder: string): { books: Book[]; heldOut: string };
export function cutChunks(text: string, size?: number): [number, number][];
export function cutPages(text: string, size?: number): { number: number; label: string; start: number; end: number }[];
export function makeCases(options: { books: Book[]; heldOut: string; count: number; seed: number }): QuoteCase[];
export function filler(options: { books: Book[]; seed: number; chars: number }): Generator<string>;

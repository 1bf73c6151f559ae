import type { Hit } from "./hits.js";

export interface LibraryAnswer {
  results?: Hit[];
}

export const libraryHits = (answer: LibraryAnswer): Hit[] => answer.results ?? [];

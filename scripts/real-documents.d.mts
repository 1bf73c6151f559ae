export interface RealDocument {
  /** The Debian package it comes with. */
  package: string;
  file?: string;
  folder?: string;
  /** How many pages of an HTML folder are looked at. */
  html?: number;
  authors?: string[];
  /** Null where the text is in none. */
  language?: string | null;
}
export const REAL_DOCUMENTS: RealDocument[];

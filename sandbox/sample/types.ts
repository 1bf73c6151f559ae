export interface SampleHighlight {
  text: string;
  note?: string;
  location?: number;
  location_type?: "page" | "order" | "time_offset" | "location";
  color?: "yellow" | "blue" | "pink" | "orange" | "green" | "purple";
  tags?: string[];
  highlighted_at: string;
  favorite?: boolean;
}

/** A source with its highlights, as the v2 API would hold it. */
export interface SampleWork {
  title: string;
  author: string;
  category: "books" | "articles" | "tweets" | "supplementals" | "podcasts";
  source: string;
  year: number;
  source_url: string | null;
  document_note?: string;
  summary?: string;
  tags: string[];
  /** The `key` of the Reader document this source is the other side of. Its highlights are that document's own. */
  reader?: string;
  highlights: SampleHighlight[];
}

/** A Reader document, as the v3 API would hold it. */
export interface SampleDocument {
  key: string;
  title: string;
  author: string;
  category: "article" | "email" | "rss" | "pdf" | "epub" | "tweet" | "video" | "podcast";
  location: "new" | "later" | "shortlist" | "archive" | "feed";
  source: string;
  source_url: string;
  site_name: string;
  summary: string;
  tags: string[];
  html: string;
  /** All three forms the API gives: `YYYY-MM-DD`, epoch milliseconds, or nothing. */
  published_date: string | number | null;
  word_count: number;
  /** The length of what is watched or heard, in seconds. */
  seconds?: number;
  /** 0 to 1. */
  reading_progress: number;
  notes?: string;
  saved_at: string;
  opened?: string;
  /** Highlights made in Reader, verbatim from `html`. The work whose `reader` is this key lists the same ones. */
  highlights?: { text: string; note?: string; tags?: string[] }[];
}

export interface SampleNotebook {
  name: string;
  description: string;
  sources: { title: string; text: string; url?: string }[];
}

export interface SampleProject {
  id: string;
  description: string;
  documents: {
    file: string;
    format: "md";
    text: string;
    citekey: string;
    csl: { id: string; type: string; title: string } & Record<string, unknown>;
    tags: string[];
  }[];
}

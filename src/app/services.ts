import type { Citations } from "../citations/citations.js";
import type { Drafts } from "../citations/draft/drafts.js";
import type { Passages } from "../citations/passages.js";
import type { Quotes } from "../citations/quotes.js";
import type { Records } from "../citations/records.js";
import type { Ingestion } from "../ingest/ingestion.js";
import type { IngestJobs } from "../ingest/jobs.js";
import type { LibrarySync } from "../ingest/sync/sync.js";
import type { Log } from "../kernel/log.js";
import type { Retrieval } from "../shelves/chunks/retrieval.js";
import type { Notebooks } from "../shelves/notebooks/notebooks.js";
import type { ReadwiseShelf } from "../shelves/readwise/library/library.js";

/** The services of the tools, each created once by `assembly.ts` (or by a test). */
export interface Services {
  readwise: Pick<ReadwiseShelf, "forKey">;
  ingestion: Ingestion;
  ingestJobs: IngestJobs;
  librarySync: LibrarySync;
  notebooks: Notebooks;
  quotes: Quotes;
  drafts: Drafts;
  citations: Citations;
  passages: Passages;
  records: Records;
  retrieval: Retrieval;
  log?: Log;
  /** Called after every finished call. */
  observe?(call: { tool: string; ms: number; code: string }): void;
  /** A deadline other than the tool's own, where the owner set one. */
  deadline?(tool: { name: string; shelf: string }): number | undefined;
}

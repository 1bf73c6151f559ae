import { createHash } from "node:crypto";
import type { DocumentsQuery, ExportQuery } from "../readwise-api.js";
import type { Shared } from "./shared.js";

/** All data page by page, for the sync, which has its own state: it bypasses the cache. */
export function syncingPart({ api, keyHash }: Shared) {
  return {
    /** Identifies the key's library without revealing the key. */
    account: createHash("sha256").update(`library ${keyHash}`).digest("hex").slice(0, 16),
    exportPage: (query: ExportQuery, signal: AbortSignal) => api.exported(query, signal),
    documentPage: (query: DocumentsQuery, signal: AbortSignal) => api.documents(query, signal),
  };
}

export type SyncingPart = ReturnType<typeof syncingPart>;

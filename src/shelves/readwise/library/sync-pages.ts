import { createHash } from "node:crypto";
import type { DocumentsQuery, ExportQuery } from "../readwise-api.js";
import type { Shared } from "./shared.js";

/** Everything page by page, for a copy that keeps up by itself: nothing of it goes through the cache. */
export function syncingPart({ api, keyHash }: Shared) {
  return {
    /** Tells one key's library from another's without saying anything about the key. */
    account: createHash("sha256").update(`library ${keyHash}`).digest("hex").slice(0, 16),
    exportPage: (query: ExportQuery, signal: AbortSignal) => api.exported(query, signal),
    documentPage: (query: DocumentsQuery, signal: AbortSignal) => api.documents(query, signal),
  };
}

export type SyncingPart = ReturnType<typeof syncingPart>;

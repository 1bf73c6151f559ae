import type { DocumentSummary } from "../shelves/chunks/chunk-store.js";

/** A project's documents as a run knows them, by what they hold and where they came from. */
export function knownDocuments(documents: readonly DocumentSummary[]) {
  const byId = new Map<string, DocumentSummary>();
  const byHash = new Map<string, DocumentSummary>();
  const byOrigin = new Map<string | null, Set<DocumentSummary>>();
  const known = {
    all: () => [...byId.values()],
    withHash: (hash: string) => byHash.get(hash),
    /** More than one only where a run was killed between writing the new and dropping the old. */
    from: (origin: string) => [...(byOrigin.get(origin) ?? [])],
    add(document: DocumentSummary) {
      const before = byId.get(document.id);
      if (before) known.remove(before);
      byId.set(document.id, document);
      byHash.set(document.sha256, document);
      byOrigin.set(document.origin, (byOrigin.get(document.origin) ?? new Set()).add(document));
    },
    remove(document: DocumentSummary) {
      byId.delete(document.id);
      byHash.delete(document.sha256);
      byOrigin.get(document.origin)?.delete(document);
    },
  };
  for (const document of documents) known.add(document);
  return known;
}

import type { ExportedSource, ExportPage, ExportQuery } from "./readwise-api.js";

/** Readwise refuses a URL with many more. */
const IDS_PER_REQUEST = 100;

/** The sources with these ids and all their highlights, in as many requests as needed. */
export async function exportByIds(
  ids: readonly string[],
  exported: (query: ExportQuery) => Promise<ExportPage>,
): Promise<ExportedSource[]> {
  const sources: ExportedSource[] = [];
  for (let i = 0; i < ids.length; i += IDS_PER_REQUEST) {
    let cursor: string | null = null;
    do {
      const page: ExportPage = await exported({ ids: ids.slice(i, i + IDS_PER_REQUEST), cursor });
      sources.push(...page.sources);
      cursor = page.next;
    } while (cursor !== null);
  }
  return sources;
}

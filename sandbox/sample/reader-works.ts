import type { SampleDocument, SampleHighlight, SampleWork } from "./types.js";

const CATEGORY: Record<SampleDocument["category"], SampleWork["category"]> = {
  article: "articles",
  email: "articles",
  rss: "articles",
  video: "articles",
  pdf: "books",
  epub: "books",
  tweet: "tweets",
  podcast: "podcasts",
};

const FOUR_MINUTES = 4 * 60_000;

/** The v2 side of every Reader document that has highlights. */
export function worksFromReader(documents: SampleDocument[]): SampleWork[] {
  return documents.flatMap((document) => {
    const { highlights, opened, saved_at } = document;
    if (!highlights?.length) return [];
    const begun = Date.parse(opened ?? saved_at);
    return {
      title: document.title,
      author: document.author,
      category: CATEGORY[document.category],
      source: "reader",
      year: new Date(document.published_date ?? saved_at).getUTCFullYear(),
      source_url: document.source_url,
      ...(document.notes ? { document_note: document.notes } : {}),
      summary: document.summary,
      tags: document.tags,
      reader: document.key,
      highlights: highlights.map(
        (highlight, index): SampleHighlight => ({
          ...highlight,
          location: index + 1,
          location_type: "order",
          highlighted_at: new Date(begun + (index + 1) * FOUR_MINUTES).toISOString(),
        }),
      ),
    };
  });
}

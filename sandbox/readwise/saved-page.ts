const WORDS_A_MINUTE = 230;

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[mark] ?? "&quot;");
}

export function htmlFacts(html: string): { word_count: number; reading_time: string } {
  const words = html.replace(/<[^>]*>/g, " ").match(/\S+/g)?.length ?? 0;
  return { word_count: words, reading_time: readingTime(words) };
}

/** Words for people, as Reader gives it. */
export function readingTime(words: number): string {
  const minutes = Math.max(1, Math.round(words / WORDS_A_MINUTE));
  return minutes === 1 ? "1 min" : `${minutes} mins`;
}

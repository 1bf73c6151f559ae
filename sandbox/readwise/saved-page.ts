const WORDS_PER_MINUTE = 230;

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[mark] ?? "&quot;");
}

export function htmlFacts(html: string): { word_count: number; reading_time: string } {
  const words = html.replace(/<[^>]*>/g, " ").match(/\S+/g)?.length ?? 0;
  return { word_count: words, reading_time: readingTime(words) };
}

/** Words for people, as Reader gives it. */
export function readingTime(words: number): string {
  const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE));
  return minutes === 1 ? "1 min" : `${minutes} mins`;
}

/** The length of a video or podcast, in words for people. */
export function listeningTime(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [
    hours === 0 ? "" : hours === 1 ? "1 hr" : `${hours} hrs`,
    rest === 0 ? "" : rest === 1 ? "1 min" : `${rest} mins`,
  ];
  return parts.filter(Boolean).join(" ");
}

const MARK = "…";
/** Made when it is first needed: making it takes some ten milliseconds of the program's start. */
let segmenter: Intl.Segmenter | undefined;

/** At most `max` UTF-16 units, the mark included; cut at a space where there is one near, never inside a character. */
export function trimmed(text: string, max: number): { text: string; truncated: boolean } {
  if (text.length <= max) return { text, truncated: false };
  const room = max - MARK.length;
  const space = text.slice(0, room + 1).search(/\s\S*$/u);
  const cut = space > room / 2 ? space : wholeCharacters(text, room);
  return { text: text.slice(0, cut).trimEnd() + MARK, truncated: true };
}

/** The last place not after `at` where no surrogate pair, combining sequence or emoji is split. */
function wholeCharacters(text: string, at: number): number {
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  const start = Math.max(0, at - 64);
  let cut = start;
  for (const { index, segment } of segmenter.segment(text.slice(start, at + 64))) {
    if (start + index + segment.length > at) break;
    cut = start + index + segment.length;
  }
  return cut > start ? cut : at;
}

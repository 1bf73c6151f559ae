const CLOTHS = 8;

/**
 * A plain cover with a colour derived from the title. The cover images of sources are on other servers: fetching
 * them would reveal what is read here.
 */
export function Cover({ title, author }: { title: string; author: string | null | undefined }) {
  return (
    <span class="cover" data-cloth={clothOf(title)} data-words={longWords(title)} aria-hidden="true">
      <b dir="auto">{title}</b>
      {author && <i dir="auto">{author}</i>}
    </span>
  );
}

/** A cover is about eleven characters wide: longer words are set smaller instead of broken. */
function longWords(title: string): "long" | "longest" | undefined {
  const longest = Math.max(...title.split(/[\s\p{Pd}]+/u).map((word) => word.length));
  return longest > 13 ? "longest" : longest > 10 ? "long" : undefined;
}

function clothOf(title: string): number {
  let sum = 7;
  for (const character of title) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return sum % CLOTHS;
}

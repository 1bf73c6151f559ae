const CLOTHS = 8;

/**
 * A plain cover with a colour derived from the title. The cover images of sources are on other servers: fetching
 * them would reveal what is read here.
 */
export function Cover({ title, author }: { title: string; author: string | null }) {
  return (
    <span class="cover" data-cloth={clothOf(title)} aria-hidden="true">
      <b dir="auto">{title}</b>
      {author && <i dir="auto">{author}</i>}
    </span>
  );
}

function clothOf(title: string): number {
  let sum = 7;
  for (const character of title) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return sum % CLOTHS;
}

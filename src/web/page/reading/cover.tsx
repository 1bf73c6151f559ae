const CLOTHS = 8;

/**
 * A cover bound in cloth, its colour taken from the title. The pictures that sources name lie on other servers: fetching
 * them would tell those what is read here.
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

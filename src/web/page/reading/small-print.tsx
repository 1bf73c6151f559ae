import type { ComponentChildren } from "preact";
import { plural as counted } from "../../../kernel/plural.js";
import { href } from "../href.js";
import { termOf } from "./search-terms.js";

/** The line under a title: author, place, date; missing parts leave no gap. */
export function SmallPrint({ parts }: { parts: readonly ComponentChildren[] }) {
  // A site that is its own author is named once.
  const given = [...new Set(parts)].filter(
    (part) => part !== null && part !== undefined && part !== "" && part !== false,
  );
  return (
    <p class="small-print">
      {given.map((part, index) => (
        <>
          {index > 0 && <span aria-hidden="true"> · </span>}
          <bdi>{part}</bdi>
        </>
      ))}
    </p>
  );
}

/** With `link`, a tag links to everything with that tag. */
export function Tags({ names, link = false }: { names: readonly string[]; link?: boolean }) {
  if (names.length === 0) return null;
  return (
    <ul class="tags" aria-label="Tags">
      {names.map((name) => (
        <li key={name}>
          {link ? (
            <a href={href([], { q: termOf("tag", name) })}>
              <bdi>{name}</bdi>
            </a>
          ) : (
            <bdi>{name}</bdi>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A record without tags may have no list of them. */
export const tagNames = ({ tags = [] }: { tags?: readonly { name: string }[] | undefined }): string[] =>
  tags.map(({ name }) => name);

/** An author's name that links to all of their works. */
export function Author({ name }: { name: string }) {
  return <a href={href([], { q: termOf("author", name) })}>{name}</a>;
}

export function day(moment: string | null | undefined): string | null {
  if (!moment || Number.isNaN(Date.parse(moment))) return null;
  return new Date(moment).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
}

/** Only http and https URLs become links: a document may give a `javascript:` URL as its own. */
export function webAddress(url: string | null | undefined): string | undefined {
  return url && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : undefined;
}

export function Outward({ url, children }: { url: string | null | undefined; children: ComponentChildren }) {
  const address = webAddress(url);
  if (!address) return null;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

export const plural = (count: number, one: string, many?: string) => counted(count, one, many, count.toLocaleString());

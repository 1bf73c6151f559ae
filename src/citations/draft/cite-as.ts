import { yearOf } from "../csl.js";
import { asLatex, asPandoc, pageLocator } from "../locator.js";
import type { QuoteMatch } from "../quotes.js";
import type { Work } from "../works.js";
import type { Context } from "./context.js";

/** The right citation of a found passage, with the key and in the form that this draft uses. */
export function citeAs(context: Context, { citekey, page_span, page_labels }: QuoteMatch): string | undefined {
  if (!citekey) return undefined;
  const { view, works, citations } = context;
  const work = works.find(({ key }) => key === citekey);
  const locator = pageLocator({ page_span: page_span ?? null, page_labels: page_labels ?? null });
  const cited = [{ citekey: work?.draftKey ?? citekey, ...(locator ? { locator } : {}) }];
  if (view.format === "latex") return asLatex(cited);
  const usesKeys = citations.length === 0 || citations.some(({ key }) => key !== undefined);
  return (!usesKeys && work && byAuthor(work, locator?.value)) || asPandoc(cited);
}

function byAuthor({ item }: Work, page: string | undefined): string | undefined {
  const [first, second, third] = (item.author ?? []).flatMap((name) => name.family ?? name.literal ?? []);
  const year = yearOf(item);
  if (!first || year === undefined) return undefined;
  const names = third ? `${first} et al.` : second ? `${first} & ${second}` : first;
  return `(${names}, ${year}${page ? `, ${page.includes("–") ? "pp." : "p."} ${page}` : ""})`;
}

import { setImmediate } from "node:timers/promises";
import type { QuoteSession, Searched } from "../quote-session.js";
import { sameWork, type Work } from "../works.js";
import { citationsOf } from "./attach.js";
import { checkCitations, checkList } from "./citation-findings.js";
import { citationsIn, type DraftCitation } from "./citations-in.js";
import { createResolver, familiesOf } from "./cited-works.js";
import type { Claims } from "./claims.js";
import { type Context, placeOf } from "./context.js";
import type { Finding } from "./finding.js";
import { latexView } from "./latex-view.js";
import { markdownView } from "./markdown-view.js";
import { checkInner, checkQuotation } from "./quotation-findings.js";
import { quotationsIn } from "./quotations.js";
import { referencesIn } from "./references.js";
import { beginningIn, createLineFinder } from "./view.js";

export type DraftFormat = "markdown" | "latex";

export interface DraftReport {
  format: DraftFormat;
  words: number;
  quotations: number;
  citations: number;
  findings: Finding[];
  /** Keys of the works cited, for a bibliography. */
  works: string[];
  searched: Searched;
  not_searched: string[];
}

export interface DraftCheckOptions {
  session: QuoteSession;
  format?: DraftFormat | undefined;
  /** Works that are known and need not be kept anywhere. */
  bibliography?: readonly Work[] | undefined;
  claims?: Claims | undefined;
  /** Everything there is, for what does not stand where it was looked for. */
  elsewhere?: (() => Promise<QuoteSession>) | undefined;
  signal?: AbortSignal | undefined;
  progress?: ((done: number, total: number) => void) | undefined;
}

export function formatOf(draft: string): DraftFormat {
  return /\\(?:begin\{|documentclass|section\*?\{|[a-z]{0,20}cite[a-z]{0,20}\*?[[{]|enquote\{|textquote)/i.test(draft)
    ? "latex"
    : "markdown";
}

/** Every quotation and citation of a draft against what was read. */
export async function checkDraft(draft: string, options: DraftCheckOptions): Promise<DraftReport> {
  const { session, signal } = options;
  const format = options.format ?? formatOf(draft);
  const view = format === "latex" ? latexView(draft) : markdownView(draft);
  const works = joined(await session.works(), options.bibliography ?? []);
  const { listed, spans } = referencesIn(view);
  const inText = ({ start }: { start: number }) => !spans.some(([from, to]) => start >= from && start < to);
  const citations = citationsIn(view, familiesOf(works)).filter(inText);
  const quotations = quotationsIn(view).filter(inText);
  const resolve = createResolver(works);
  const resolved = citations.map(resolve);
  const resolvedOf = new Map(citations.map((citation, i) => [citation, resolved[i]!]));
  const lineOf = createLineFinder(draft);
  const findings: Finding[] = [];
  const quoted = new Set<DraftCitation>();
  const context: Context = {
    view,
    session,
    elsewhere: options.elsewhere,
    works,
    citations,
    resolvedOf,
    place: (start, end) => placeOf(view, lineOf, start, end),
  };

  const top = quotations.filter(({ depth }) => depth === 0);
  let done = 0;
  for (const quotation of top) {
    signal?.throwIfAborted();
    const given = citationsOf(view, quotation, citations, top);
    for (const each of given) quoted.add(each);
    const found = await checkQuotation(context, quotation, given);
    const inner = beginningIn(quotations, quotation.start, quotation.end).filter(({ depth }) => depth === 1);
    // Somebody quoted inside somebody else's words, or inside the draft's own.
    const nested = found?.verdict === "absent" ? await checkInner(context, inner, given) : [];
    if (nested.length > 0) findings.push(...nested);
    else if (found) findings.push(found);
    options.progress?.(++done, top.length);
    await setImmediate();
  }
  findings.push(...checkCitations(context, citations, listed));
  if (listed.length > 0) findings.push(...checkList(context, citations, listed));
  if (options.claims)
    findings.push(
      ...(await options.claims(
        context,
        citations.filter((each) => !quoted.has(each)),
        top,
      )),
    );

  return {
    format,
    words: view.text.split(/\s+/).filter(Boolean).length,
    quotations: findings.filter(({ kind }) => kind === "quotation").length,
    citations: citations.length,
    findings,
    works: [
      ...new Set(resolved.flatMap(({ status, works: [first] }) => (status === "known" && first ? [first.key] : []))),
    ],
    searched: session.searched(),
    not_searched: session.notSearched,
  };
}

/** Works that are kept, under the keys the bibliography has for them too, and then those it alone knows. */
function joined(kept: readonly Work[], bibliography: readonly Work[]): Work[] {
  const keys = new Set(kept.map(({ key }) => key));
  const news = bibliography.filter(({ key }) => !keys.has(key));
  const aliasesOf = (work: Work) => news.filter(({ item }) => sameWork(item, work.item));
  const same = new Map(kept.map((work) => [work, aliasesOf(work)]));
  const matched = new Set([...same.values()].flat());
  return [
    ...kept.map((work) => {
      const others = same.get(work)!.map(({ key }) => key);
      return others.length > 0 ? { ...work, aliases: [...(work.aliases ?? []), ...others] } : work;
    }),
    ...news.filter((work) => !matched.has(work)),
  ];
}

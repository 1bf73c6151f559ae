import { createTurns } from "../../kernel/time.js";
import type { QuoteSession, Searched } from "../quote-session.js";
import { sameWork, type Work } from "../works.js";
import { createAttachment } from "./attach.js";
import { checkCitations, checkList } from "./citation-findings.js";
import type { DraftCitation } from "./citation-parts.js";
import { createResolver, familiesOf, type Resolved } from "./cited-works.js";
import type { Claims } from "./claims.js";
import type { Context } from "./context.js";
import type { Finding } from "./finding.js";
import type { DraftFormat, ParseDraft } from "./parse.js";
import { checkInner, checkQuotation } from "./quotation-findings.js";
import { beginningIn, createLineFinder, inDraft } from "./view.js";

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

interface DraftCheckOptions {
  session: QuoteSession;
  parse: ParseDraft;
  format?: DraftFormat | undefined;
  /** Works of bibliographies; they need not be in a project. */
  bibliography?: readonly Work[] | undefined;
  claims?: Claims | undefined;
  /** A session over everything, for words that are not found in the chosen projects. */
  elsewhere?: (() => Promise<QuoteSession>) | undefined;
  signal?: AbortSignal | undefined;
  progress?: ((done: number, total: number) => void) | undefined;
}

const ONLY_WHERE_MISSING =
  "Other projects, notebooks and highlights: only for quotations that the projects asked about do not have.";

/** Checks every quotation and citation of a draft against the stored texts. */
export async function checkDraft(draft: string, options: DraftCheckOptions): Promise<DraftReport> {
  const { session, signal } = options;
  const turn = createTurns();
  const works = joined(await session.works(), options.bibliography ?? []);
  const { format, view, words, citations, quotations, listed } = await options.parse(
    draft,
    { format: options.format, families: [...familiesOf(works)] },
    signal,
  );
  const resolve = createResolver(works);
  const resolvedOf = new Map<DraftCitation, Resolved>();
  for (const citation of citations) {
    resolvedOf.set(citation, resolve(citation));
    await turn();
  }
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
    place(start, end) {
      const span = inDraft(view, start, end);
      return { ...lineOf(span[0]), span };
    },
  };

  // In a note, words in quotation marks after the author are a title.
  const titles = citations.flatMap(({ quotedTitle }) => quotedTitle ?? []);
  const top = quotations.filter(
    ({ depth, outerStart }) => depth === 0 && beginningIn(titles, outerStart, outerStart + 1).length === 0,
  );
  const citationsOf = createAttachment(view, citations, top);
  let done = 0;
  for (const quotation of top) {
    signal?.throwIfAborted();
    const given = citationsOf(quotation);
    for (const each of given) quoted.add(each);
    const found = await checkQuotation(context, quotation, given);
    const inner = beginningIn(quotations, quotation.start, quotation.end).filter(({ depth }) => depth === 1);
    // A quotation inside another one has no citation.
    const nested = found?.verdict === "absent" ? await checkInner(context, inner, given) : [];
    if (found && (nested.length === 0 || given.length > 0)) findings.push(found);
    findings.push(...nested);
    options.progress?.(++done, top.length);
    await turn();
  }
  findings.push(...(await checkCitations(context, citations, listed, turn)));
  if (listed.length > 0) findings.push(...(await checkList(context, citations, listed, turn)));
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
    words,
    quotations: findings.filter(({ kind }) => kind === "quotation").length,
    citations: citations.length,
    findings,
    works: [
      ...new Set(
        [...resolvedOf.values()].flatMap(({ status, works: [first] }) =>
          status === "known" && first ? [first.key] : [],
        ),
      ),
    ],
    searched: session.searched(),
    not_searched: [...session.notSearched, ...(options.elsewhere ? [ONLY_WHERE_MISSING] : [])],
  };
}

/** Stored works, with the bibliography's keys for them added, then works that only the bibliography has. */
function joined(kept: readonly Work[], bibliography: readonly Work[]): Work[] {
  const keys = new Set(kept.map(({ key }) => key));
  const news = bibliography.filter(({ key }) => !keys.has(key));
  const aliasesOf = (work: Work) => news.filter(({ item }) => sameWork(item, work.item));
  const same = new Map(kept.map((work) => [work, aliasesOf(work)]));
  const matched = new Set([...same.values()].flat());
  return [
    ...kept.map((work) => {
      const others = same.get(work)!;
      const [first] = others;
      if (!first) return work;
      return {
        ...work,
        item: { ...work.item, ...first.item, id: work.key },
        draftKey: first.key,
        aliases: [...(work.aliases ?? []), ...others.map(({ key }) => key)],
      };
    }),
    ...news.filter((work) => !matched.has(work)),
  ];
}

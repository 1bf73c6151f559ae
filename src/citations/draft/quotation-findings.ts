import { ShelfError } from "../../kernel/errors.js";
import { withoutNulls } from "../../kernel/json.js";
import { detectLanguage } from "../../text/language.js";
import type { QuoteSession } from "../quote-session.js";
import { type QuoteMatch, type Verification, verifyIn } from "../quotes.js";
import { isNamedLike, plainName, sameWork, shortTitle, titlesOf, type Work } from "../works.js";
import type { DraftCitation } from "./citation-parts.js";
import { citeAs } from "./cite-as.js";
import { type Context, shown, workField } from "./context.js";
import type { Finding, FoundWork } from "./finding.js";
import { pageFits, shownPage } from "./pages.js";
import type { Quotation } from "./quotations.js";
import { inDraft } from "./view.js";
import { withEdits, wordingEdits } from "./wording.js";

/** Fewer words in quotation marks without a citation are a term or a title, not a quotation. */
const TERM_WORDS = 4;
const ATTRIBUTION_UNCHECKED = "attribution not checked: no text of the work cited is here";

export async function checkInner(
  context: Context,
  inner: readonly Quotation[],
  given: readonly DraftCitation[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const quotation of inner) {
    const found = await checkQuotation(context, quotation, given);
    if (found && found.verdict !== "absent" && found.verdict !== "unchecked") findings.push(found);
  }
  return findings;
}

export async function checkQuotation(
  context: Context,
  quotation: Quotation,
  given: readonly DraftCitation[],
): Promise<Finding | undefined> {
  const { view, session } = context;
  const raw = view.text.slice(quotation.start, quotation.end);
  // Block marks and line ends become spaces; emphasis marks are removed.
  const text = raw.replace(/\u2060/g, "");
  const claims = given.map((each) => context.resolvedOf.get(each)!);
  const claimed = claims.flatMap(({ works }) => works);
  const wordCount = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const base = {
    ...context.place(quotation.start, quotation.end),
    kind: "quotation" as const,
    text: shown(text),
    ...(given[0] ? { cited: shown(given[0].written, 120) } : {}),
  };
  if (isTitle(text, context.works, given.length > 0)) return undefined;
  const checked = await verified(session, text, claimed);
  if (checked === "short")
    return given.length > 0 && wordCount > 1
      ? {
          ...base,
          verdict: "unchecked",
          severity: "info",
          next: "Too short to check: three words would match anywhere.",
        }
      : undefined;
  if (given.length === 0 && checked.verdict === "absent" && wordCount <= TERM_WORDS) return undefined;
  const finding = judged(context, base, text, quotation, checked, given, claimed);
  return finding.verdict === "absent" ? lookedElsewhere(context, finding, text, quotation, claimed) : finding;
}

/** Words found outside the chosen projects are not invented: they are another work's, or from a work that was not searched. */
async function lookedElsewhere(
  context: Context,
  finding: Finding,
  text: string,
  quotation: Quotation,
  claimed: readonly Work[],
): Promise<Finding> {
  const all = context.elsewhere && (await verified(await context.elsewhere(), text, []));
  if (!all || all === "short" || !(isVerbatim(all) || all.verdict === "fuzzy")) return finding;
  const best = all.matches[0]!;
  const where = placed(context, best);
  const { passages: _, ...base } = finding;
  const also = [...(finding.also ?? []), `${all.verdict} outside the projects asked about`];
  const found = { ...base, ...where, ...wordingOf(context, quotation, best), also };
  const stands = `It stands ${inWork(where)} (${best.project ?? "highlights"})`;
  if (all.verdict === "fuzzy")
    return { ...found, verdict: "altered", next: `${stands} in other words: take the true wording, and cite that.` };
  if (finding.cited === undefined)
    return { ...found, verdict: "uncited", severity: "warning", next: `${stands}, and the draft does not say so.` };
  if (claimed.length > 0 && !claimed.some(({ item }) => isNamedLike(best, item)))
    return { ...found, verdict: "misattributed", severity: "error", next: `${stands}, not in the work cited.` };
  const next = `${stands}: name that project too, or leave project out, to check the citation.`;
  return { ...found, verdict: "unchecked", severity: "warning", next };
}

/** Whether words were found in another work than those cited, of which no text is here. */
function isOtherWork(match: QuoteMatch, claimed: readonly Work[]): boolean {
  return claimed.length > 0 && claimed.every(({ hasText, item }) => !hasText && !isNamedLike(match, item));
}

/** A quotation may contain the quoter's words in brackets, which replace words of the source. */
async function verified(
  session: QuoteSession,
  text: string,
  claimed: readonly Work[],
): Promise<Verification | "short"> {
  const sources = claimed.some(({ hasText }) => hasText) ? claimed.filter(({ hasText }) => hasText) : undefined;
  try {
    const whole = await verifyIn(session, text.slice(0, 5000), sources);
    if (isVerbatim(whole) || !/\[[^[\]]{2,200}\]/.test(text)) return whole;
    const bracketless = text.replace(/\s?\[sic[^[\]]{0,20}\]/gi, "").replace(/\[[^[\]]{2,200}\]/g, " … ");
    const without = await verifyIn(session, bracketless.slice(0, 5000), sources);
    return rank(without) > rank(whole) ? without : whole;
  } catch (error) {
    if (error instanceof ShelfError && error.code === "INVALID_INPUT") return "short";
    throw error;
  }
}

const RANK: Record<Verification["verdict"], number> = {
  exact: 5,
  normalised: 4,
  fuzzy: 3,
  misattributed: 2,
  stitched: 1,
  absent: 0,
};
const rank = ({ verdict }: Verification) => RANK[verdict];
const isVerbatim = ({ verdict }: Verification) => verdict === "exact" || verdict === "normalised";

type Base = Pick<Finding, "line" | "column" | "span" | "kind" | "text" | "cited">;

function judged(
  context: Context,
  base: Base,
  text: string,
  quotation: Quotation,
  checked: Verification,
  given: readonly DraftCitation[],
  claimed: readonly Work[],
): Finding {
  if (checked.verdict === "absent") return absent(context, base, text, checked, given, claimed);
  const best = checked.matches[0]!;
  const where = placed(context, best);
  const { page } = where;
  const isElsewhere = isOtherWork(best, claimed);
  const isUnsure = claimed.length === 0 || (isElsewhere && !best.author);
  const isUncited = given.length === 0;
  const level = checked.matches.filter((match) => match.level === best.level && match.citekey === best.citekey);
  const fits =
    claimed.length > 0 && checked.verdict !== "misattributed" && !isElsewhere
      ? given.flatMap(({ locator }) => (locator ? [pageFits(locator, level)] : []))
      : [];
  const isWrongPage = fits.length > 0 && fits.every((fit) => fit === false);
  const citeIt = where.cite ? ` Cite it as ${where.cite}.` : "";
  const found = (
    verdict: Finding["verdict"],
    severity: Finding["severity"],
    next: string,
    more: Partial<Finding> = {},
  ): Finding => ({ ...base, ...where, ...more, verdict, severity, next });

  if (checked.verdict === "stitched")
    return found(
      "stitched",
      "error",
      "Its parts stand in different places: quote each by itself, or mark what is left out with […].",
      {
        passages: checked.matches.map((match) => ({
          text: shown(match.quoted ?? match.text),
          ...(shownPage(match) ? { page: `${match.citekey ?? match.title ?? ""} ${shownPage(match)}`.trim() } : {}),
        })),
      },
    );
  const wording = wordingOf(context, quotation, best);
  if (checked.verdict === "misattributed" || (isElsewhere && !isUnsure))
    return found("misattributed", "error", `It stands ${inWork(where)}, not in the work cited.${citeIt}`, wording);
  if (checked.verdict === "fuzzy") {
    const also = [
      ...(!isUncited && isUnsure ? [ATTRIBUTION_UNCHECKED] : []),
      ...(isWrongPage ? [`wrong page: it stands on ${page}`] : []),
      ...(isUncited ? ["uncited"] : []),
    ];
    const next = `Take the true wording, or mark the change with brackets.${isWrongPage || isUncited ? citeIt : ""}`;
    return found("altered", "error", next, { ...wording, ...(also.length > 0 ? { also } : {}) });
  }
  if (isWrongPage) return found("wrong_page", "error", `The words are right; they stand on ${page}.${citeIt}`);
  if (isUncited)
    return found("uncited", "warning", `It stands ${inWork(where)}, and the draft does not say so.${citeIt}`);
  if (isUnsure) {
    const next = `The words stand ${inWork(where)}; whether that is the work cited is for you to see.${citeIt}`;
    return found("unchecked", "warning", next, { also: [ATTRIBUTION_UNCHECKED] });
  }
  const isPageless = page && best.origin !== "highlights" && given.some(({ locator }) => !locator);
  return {
    ...base,
    ...where,
    verdict: checked.verdict,
    severity: "ok",
    ...(isPageless ? { next: `A page can be given: ${where.cite}.` } : {}),
  };
}

function absent(
  { works }: Context,
  base: Base,
  text: string,
  { closest }: Verification,
  given: readonly DraftCitation[],
  claimed: readonly Work[],
): Finding {
  const unread = claimed.find(
    (work) => !work.hasText && !claimed.some((other) => other.hasText && sameWork(other.item, work.item)),
  );
  if (unread)
    return {
      ...base,
      ...workField(unread),
      verdict: "unchecked",
      severity: "warning",
      next: `The bibliography has ${named(workField(unread).work)}, but its text is not here: bring the file in to check the words.`,
    };
  const page = closest && shownPage(closest);
  const found = {
    ...base,
    ...(claimed[0] ? workField(claimed[0]) : {}),
    ...(closest ? { passages: [{ text: shown(closest.text), ...(page ? { page } : {}) }] } : {}),
  };
  const language = detectLanguage(text);
  const languages = [...new Set((claimed.length > 0 ? claimed : works).flatMap((work) => work.language ?? []))];
  if (language && languages.length > 0 && !languages.includes(language))
    return {
      ...found,
      verdict: "translated",
      severity: "info",
      next: `The words are in another language (${language}) than the source (${languages.join(", ")}): say that it is a translation, and compare it by hand.`,
    };
  return {
    ...found,
    verdict: "absent",
    severity: given.length > 0 ? "error" : "warning",
    ...(given.length > 0 && claimed.length === 0 ? { also: ["its citation is unknown"] } : {}),
    next: closest
      ? "Nothing reads like this; the nearest passage is given. Quote that, or drop the quotation marks."
      : "Nothing reads like this in what was searched: drop it, or bring its source in.",
  };
}

function placed(
  context: Context,
  match: QuoteMatch,
): Pick<Finding, "work" | "page" | "cite" | "source"> & { work: FoundWork } {
  const { citekey, author, title, url, project, doc_id, chunk_id, start, end, source_id } = match;
  const page = shownPage(match);
  const cite = citeAs(context, match);
  return {
    work: withoutNulls({ citekey, author, title, url }),
    ...(page ? { page } : {}),
    ...(cite ? { cite } : {}),
    source: withoutNulls({ project, doc_id, chunk_id, start, end, source_id }),
  };
}

const named = ({ author, title, citekey }: FoundWork) =>
  [author, title ?? citekey].filter(Boolean).join(", ") || "a known work";

const inWork = ({ work, page }: ReturnType<typeof placed>) => `in ${named(work)}${page ? `, ${page}` : ""}`;

function wordingOf(
  { view }: Context,
  quotation: Quotation,
  match: QuoteMatch,
): Pick<Finding, "wording" | "marked" | "edits"> {
  if (match.level !== "fuzzy") return {};
  const raw = view.text.slice(quotation.start, quotation.end);
  const edits = wordingEdits(raw, match.text);
  if (edits.length === 0) return { wording: shown(match.text, 1000) };
  return {
    wording: shown(withEdits(raw, edits), 1000),
    ...(match.marked ? { marked: shown(match.marked, 600) } : {}),
    edits: edits.map(({ start, end, text: words }) => {
      const at = quotation.start + start;
      const [from, to] = end > start ? inDraft(view, at, quotation.start + end) : [view.at[at]!, view.at[at]!];
      return { start: from, end: to, text: words };
    }),
  };
}

/** Titles of articles and chapters are in quotation marks too; next to a citation only a complete title counts as one. */
function isTitle(text: string, works: readonly Work[], isCited: boolean): boolean {
  const name = plainName(text);
  if (name.length < 3) return false;
  return works.some((work) =>
    titlesOf(work).some((title) =>
      isCited ? plainName(title) === name || shortTitle(title) === name : plainName(title).startsWith(name),
    ),
  );
}

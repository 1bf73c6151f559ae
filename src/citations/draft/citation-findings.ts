import { missingFields, yearOf } from "../csl.js";
import { plainName, sameName, type Work } from "../works.js";
import type { DraftCitation } from "./citation-parts.js";
import { type Context, shown, workField } from "./context.js";
import type { Finding } from "./finding.js";
import type { ListedWork } from "./references.js";

/** `turn` yields to other calls: a draft may cite thousands of works. */
export async function checkCitations(
  context: Context,
  citations: readonly DraftCitation[],
  listed: readonly ListedWork[],
  turn: () => Promise<void>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const reported = new Set<string>();
  for (const citation of citations) {
    await turn();
    const { status, works, near } = context.resolvedOf.get(citation)!;
    const place = context.place(citation.start, citation.end);
    const add = (
      verdict: Finding["verdict"],
      severity: Finding["severity"],
      { work, ...more }: Partial<Pick<Finding, "next" | "missing">> & { work?: Work | undefined },
    ) =>
      findings.push({
        ...place,
        kind: "citation",
        text: shown(citation.written, 120),
        ...(work ? workField(work) : {}),
        verdict,
        severity,
        ...more,
      });
    const isFirst = (what: string) => !reported.has(what) && reported.add(what);
    const name = citedAs(citation);
    const [first] = works;
    if (status === "unknown" && !isUnlistedNumber(citation)) {
      const hint =
        near.length > 0 ? `Did you mean ${near.join(", ")}?` : "Add it to the bibliography, or correct the name.";
      add("unknown", "error", { next: `No work '${name}' is known here. ${hint}` });
    } else if (status === "other_year") {
      const dated = works.slice(0, 3).map((work) => `${work.key} of ${yearOf(work.item)}`);
      add("other_year", "warning", { work: first, next: `The bibliography has ${dated.join(", ")}.` });
    } else if (status === "ambiguous" && isFirst(name)) {
      const keys = near.slice(0, 5).join(", ");
      add("ambiguous", "info", { next: `It may be any of ${keys}: add a letter to the year, or cite by key.` });
    } else if (status === "known" && first) {
      const missing = missingFields(first.item);
      const next = `The bibliography does not know its ${missing.join(" and ")}.`;
      if (isFirst(first.key) && missing.length > 0) add("incomplete", "info", { work: first, missing, next });
      else add("known", "ok", { work: first });
    }
    const isMissing = listed.length > 0 && !citation.again && !listed.some((work) => isListed(work, citation, works));
    if (isMissing && isFirst(`listed ${name}`))
      add("not_listed", "error", { work: first, next: `'${name}' is cited, and the draft's list does not have it.` });
  }
  return findings;
}

/** A number that the draft's own list lacks names no work at all: only the list is at fault. */
const isUnlistedNumber = ({ number, title }: DraftCitation) => number !== undefined && title === undefined;

function citedAs({ key, number, names, year }: DraftCitation): string {
  if (number !== undefined) return `[${number}]`;
  return key ?? `${names?.join(", ")}${year ? ` ${year}` : ""}`;
}

export async function checkList(
  context: Context,
  citations: readonly DraftCitation[],
  listed: readonly ListedWork[],
  turn: () => Promise<void>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const work of listed) {
    await turn();
    if (citations.some((citation) => isListed(work, citation, context.resolvedOf.get(citation)!.works))) continue;
    findings.push({
      ...(work.key === undefined ? context.place(work.start, work.end) : context.place(0, 0)),
      kind: "list",
      verdict: "not_cited",
      severity: "warning",
      text: shown(work.written, 160),
      next: "It is listed and never cited: cite it, or take it out.",
    });
  }
  return findings;
}

function isListed(work: ListedWork, citation: DraftCitation, resolved: readonly Work[]): boolean {
  if (work.key !== undefined) return work.key === citation.key;
  if (citation.number !== undefined) return work.number === citation.number;
  const years = [citation.year, ...resolved.map(({ item }) => yearOf(item))];
  const names = [
    ...(citation.names ?? []).slice(0, 1),
    ...resolved.flatMap(({ item }) => plainName(item.author?.[0]?.family ?? item.author?.[0]?.literal ?? "")),
  ];
  const sameAuthor = names.some(
    (name) => name && work.name && (sameName(name, work.name) || work.name.startsWith(name)),
  );
  return (
    sameAuthor && (work.year === undefined || years.every((year) => year === undefined) || years.includes(work.year))
  );
}

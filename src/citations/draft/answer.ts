import { plural } from "../../kernel/plural.js";
import type { DraftReport } from "./check.js";
import { bySeverity, type Finding, isWrong } from "./finding.js";

const ANSWER_CHARS = 15_000;
const MAX_WORKS = 100;
const MAX_NAMES = 30;

/** A report within the size limit of clients; `next_from` continues with the rest. */
export function draftAnswer(report: DraftReport, { show, from }: { show: "problems" | "all" | "edits"; from: number }) {
  const wanted = report.findings.filter(({ severity }) => show !== "problems" || severity !== "ok").sort(bySeverity);
  const findings: Omit<Finding, "column" | "span">[] = [];
  let room = ANSWER_CHARS;
  for (const finding of wanted.slice(from)) {
    const { column: _, span, edits, source, ...compact } = finding;
    const shown =
      show === "edits" ? { ...compact, span, ...(edits ? { edits } : {}), ...(source ? { source } : {}) } : compact;
    room -= JSON.stringify(shown).length;
    if (room < 0 && findings.length > 0) break;
    findings.push(shown);
  }
  const end = from + findings.length;
  const { projects, notebooks, highlights } = report.searched;
  return {
    summary: summaryOf(report),
    ok: !report.findings.some(isWrong),
    findings,
    total: wanted.length,
    next_from: end < wanted.length ? end : null,
    works: report.works.slice(0, MAX_WORKS),
    searched: { projects: projects.slice(0, MAX_NAMES), notebooks: notebooks.slice(0, MAX_NAMES), highlights },
    not_searched: report.not_searched,
  };
}

/** "12 quotations: 9 right, 2 altered, 1 absent. 15 citations: 14 known, 1 unknown." */
export function summaryOf({ findings, quotations, citations, words }: DraftReport): string {
  const of = (kinds: readonly Finding["kind"][]) => {
    const counts = new Map<string, number>();
    for (const { kind, verdict } of findings) {
      if (!kinds.includes(kind)) continue;
      const name = verdict === "exact" || verdict === "normalised" ? "right" : verdict.replaceAll("_", " ");
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
  };
  const claims = findings.filter(({ kind }) => kind === "claim").length;
  const parts = [
    plural(words, "word"),
    `${plural(quotations, "quotation")}${quotations ? `: ${of(["quotation"])}` : ""}`,
    `${plural(citations, "citation")}${citations ? `: ${of(["citation"])}` : ""}`,
    ...(of(["list"]) ? [`list: ${of(["list"])}`] : []),
    ...(claims ? [`${plural(claims, "claim")} with evidence to look at`] : []),
  ];
  return `${parts.join(". ")}.`;
}

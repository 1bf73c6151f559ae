import { summaryOf } from "../answer.js";
import type { DraftReport } from "../check.js";
import type { Finding } from "../finding.js";

/** One line per finding, as compilers and linters write them. */
function findingLine(file: string, finding: Finding): string {
  const { line, column, severity, verdict, text, wording, next, missing, passages: [near] = [] } = finding;
  const parts = [
    `${file}:${line}:${column}: ${severity === "info" ? "note" : severity} ${verdict.replaceAll("_", " ")}: ${text}`,
    ...(wording ? [`→ ${wording}`] : []),
    ...(missing ? [`(${missing.join(", ")})`] : []),
    ...(next ? [`— ${next}`] : []),
    ...(verdict === "absent" && near ? [`Nearest${near.page ? `, ${near.page}` : ""}: ${near.text}`] : []),
  ];
  return parts.join(" ");
}

export function reportLines(file: string, report: DraftReport, all: boolean): string[] {
  const shown = report.findings
    .filter(({ severity }) => all || severity !== "ok")
    .sort((a, b) => a.span[0] - b.span[0]);
  return [...shown.map((finding) => findingLine(file, finding)), `${file}: ${summaryOf(report)}`];
}

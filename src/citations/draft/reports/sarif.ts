import type { Log, Result, Run } from "sarif";
import type { DraftReport } from "../check.js";
import type { Finding, FindingVerdict } from "../finding.js";

const RULES: Record<FindingVerdict, string> = {
  exact: "The quotation stands in its source word for word.",
  normalised: "The same words; only case, spacing or marks differ.",
  altered: "The wording of the quotation differs from its source.",
  misattributed: "The quotation stands in another work than the one cited.",
  stitched: "The quotation is put together from several places.",
  absent: "The quotation stands nowhere in what was searched.",
  wrong_page: "The quotation stands on another page than the one cited.",
  uncited: "The quotation has no citation.",
  translated: "The quotation is in another language than its source.",
  unchecked: "The quotation could not be checked.",
  known: "The citation is known.",
  unknown: "The citation is not in the bibliography.",
  ambiguous: "The citation may be one of several works.",
  other_year: "The bibliography has the work with another year.",
  incomplete: "The bibliography knows too little of the work.",
  not_listed: "The work is cited and not in the draft's list.",
  not_cited: "The work is listed and never cited.",
  evidence: "Passages to compare a claim with.",
};
const LEVELS = { error: "error", warning: "warning", info: "note", ok: "none" } as const;

/** SARIF 2.1.0, which code hosts and editors show beside the text. */
export function asSarif(drafts: readonly { file: string; report: DraftReport }[], version: string): string {
  const used = [...new Set(drafts.flatMap(({ report }) => report.findings.map(({ verdict }) => verdict)))].sort();
  const result = (file: string, finding: Finding): Result => ({
    ruleId: finding.verdict,
    ruleIndex: used.indexOf(finding.verdict),
    level: LEVELS[finding.severity],
    kind: finding.severity === "ok" ? "pass" : "fail",
    message: {
      text: [finding.text, finding.wording && `True wording: ${finding.wording}`, finding.next]
        .filter(Boolean)
        .join(" — "),
    },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/") },
          region: { startLine: finding.line, startColumn: finding.column },
        },
      },
    ],
  });
  const run: Run = {
    tool: {
      driver: {
        name: "bookwheel",
        version,
        rules: used.map((id) => ({ id, shortDescription: { text: RULES[id] } })),
      },
    },
    columnKind: "utf16CodeUnits",
    results: drafts.flatMap(({ file, report }) => report.findings.map((finding) => result(file, finding))),
  };
  const log: Log = { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
  return JSON.stringify(log, null, 2);
}

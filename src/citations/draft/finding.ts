type Severity = "error" | "warning" | "info" | "ok";

type FindingKind = "quotation" | "citation" | "list" | "claim";

export type FindingVerdict =
  // quotations
  | "exact"
  | "normalised"
  | "altered"
  | "misattributed"
  | "stitched"
  | "absent"
  | "wrong_page"
  | "uncited"
  | "translated"
  | "unchecked"
  // citations and lists
  | "known"
  | "unknown"
  | "ambiguous"
  | "other_year"
  | "incomplete"
  | "not_listed"
  | "not_cited"
  // claims
  | "evidence";

export interface FoundWork {
  citekey?: string;
  author?: string;
  title?: string;
  url?: string;
}

/** One statement about one place of a draft. */
export interface Finding {
  line: number;
  column: number;
  kind: FindingKind;
  verdict: FindingVerdict;
  severity: Severity;
  /** The draft's own words. */
  text: string;
  /** The citation as written. */
  cited?: string;
  work?: FoundWork;
  /** Where the source has these words. */
  page?: string;
  /** The source's wording, if it differs. */
  wording?: string;
  /** [-draft-] {+source+} */
  marked?: string;
  also?: string[];
  /** What to do. */
  next?: string;
  /** The correct citation in pandoc's syntax. */
  cite?: string;
  passages?: { text: string; page?: string; chunk_id?: string }[];
  missing?: string[];
  /** Offsets in the draft, and the replacement. */
  span: [number, number];
  edits?: { start: number; end: number; text: string }[];
  /** Address of the source's text. */
  source?: { project?: string; doc_id?: string; chunk_id?: string; start?: number; end?: number; source_id?: number };
}

export const isWrong = ({ severity }: Finding) => severity === "error" || severity === "warning";

const ORDER: Record<Severity, number> = { error: 0, warning: 1, info: 2, ok: 3 };

export const bySeverity = (a: Finding, b: Finding) => ORDER[a.severity] - ORDER[b.severity] || a.span[0] - b.span[0];

export type Severity = "error" | "warning" | "info" | "ok";

export type FindingKind = "quotation" | "citation" | "list" | "claim";

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

/** One thing said about one place of a draft. */
export interface Finding {
  line: number;
  column: number;
  kind: FindingKind;
  verdict: FindingVerdict;
  severity: Severity;
  /** The words of the draft. */
  text: string;
  /** The citation as the draft has it. */
  cited?: string;
  work?: FoundWork;
  /** Where the words really stand. */
  page?: string;
  /** The true wording, where it differs. */
  wording?: string;
  /** [-draft-] {+source+} */
  marked?: string;
  /** What else is wrong with it. */
  also?: string[];
  /** What to do. */
  next?: string;
  /** A pandoc citation that is right. */
  cite?: string;
  passages?: { text: string; page?: string; chunk_id?: string }[];
  missing?: string[];
  /** Where it stands in the draft, and what to put there. */
  span: [number, number];
  edits?: { start: number; end: number; text: string }[];
  /** Where the source can be read. */
  source?: { project?: string; doc_id?: string; chunk_id?: string; start?: number; end?: number; source_id?: number };
}

const ORDER: Record<Severity, number> = { error: 0, warning: 1, info: 2, ok: 3 };

export const bySeverity = (a: Finding, b: Finding) => ORDER[a.severity] - ORDER[b.severity] || a.span[0] - b.span[0];

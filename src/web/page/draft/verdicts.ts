import type { DraftFinding } from "./edits.js";

/** Verdicts in words for a person. */
const WORDS: Readonly<Record<DraftFinding["verdict"], string>> = {
  exact: "Word for word",
  normalised: "The same words; only marks or spacing differ",
  altered: "The wording differs from the source",
  misattributed: "It stands in another work",
  stitched: "Put together from several places",
  absent: "Not found in what you have read",
  wrong_page: "It stands on another page",
  uncited: "A quotation without a citation",
  translated: "A translation; the original wording is below",
  unchecked: "Could not be checked",
  known: "In your bibliography",
  unknown: "Not in your bibliography",
  ambiguous: "More than one work fits this citation",
  other_year: "Your bibliography has another year",
  incomplete: "The bibliography entry lacks something",
  not_listed: "Cited, but missing from the list of works",
  not_cited: "Listed, but not cited",
  evidence: "What the cited work says nearest to this",
};

export const verdictWords = ({ verdict }: DraftFinding): string => WORDS[verdict] ?? verdict.replaceAll("_", " ");

export const toneOf = ({ severity }: DraftFinding): "bad" | "fair" | "plain" | "good" =>
  severity === "error" ? "bad" : severity === "warning" ? "fair" : severity === "info" ? "plain" : "good";

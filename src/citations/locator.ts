/** A source and the place in it. */
export interface Cited {
  citekey: string;
  locator?: { label: LocatorLabel; value: string } | undefined;
}

const LABELS = {
  page: ["p", "pp", "page", "pages", "s", "seite"],
  chapter: ["ch", "chap", "chaps", "chapter", "chapters", "kap"],
  section: ["sec", "secs", "sect", "section", "sections", "§", "§§"],
  paragraph: ["para", "paras", "par", "paragraph", "¶", "¶¶"],
  verse: ["v", "vv", "verse", "verses"],
  line: ["l", "ll", "line", "lines"],
  figure: ["fig", "figs", "figure", "figures"],
  volume: ["vol", "vols", "volume", "volumes"],
  book: ["bk", "bks", "book", "books"],
  part: ["pt", "pts", "part", "parts"],
  note: ["n", "nn", "note", "notes"],
} as const;
type LocatorLabel = keyof typeof LABELS;
const BY_WORD = new Map(
  Object.entries(LABELS).flatMap(([label, words]) => words.map((word) => [word as string, label as LocatorLabel])),
);

/** Reads "key", "@key, pp. 45–46", "key ch. 3": a bare number or roman numeral is a page, other words a chapter. */
export function parseCited(written: string): Cited {
  const text = written.trim();
  const [whole = text, key = ""] = /^@?\{?([^\s,{}]+)\}?/u.exec(text) ?? [];
  const rest = text.slice(whole.length).trimStart().replace(/^,/, "").trimStart();
  return { citekey: key, locator: parseLocator(rest) };
}

export function parseLocator(text: string): Cited["locator"] {
  if (!text) return undefined;
  const [named = "", word = ""] = /^(§§?|¶¶?|\p{L}+)\.?/u.exec(text) ?? [];
  const value = text.slice(named.length).trimStart();
  const label = BY_WORD.get(word.toLowerCase());
  if (label && value) return { label, value: enDash(value) };
  // Words name a chapter; only arabic and roman numbers are pages.
  return { label: PAGES.test(text) ? "page" : "chapter", value: enDash(text) };
}

/** "12", "xii", "A-3", "12–14, 17", "45ff." */
const PAGES =
  /^(?:[A-Za-z]{0,2}[-.]?\d{1,7}[a-z]?|[ivxlcdm]{1,12})(?:\s?[-–—,;]{1,2}\s?(?:[A-Za-z]{0,2}[-.]?\d{1,7}[a-z]?|[ivxlcdm]{1,12})){0,40}(?:\s?ff?\.?)?$/iu;

function enDash(range: string): string {
  return range.replace(/(?<=[\p{N}\p{L}])\s*(?:--?|–|—)\s*(?=[\p{N}\p{L}])/gu, "–");
}

const isSeveral = (value: string) => /[–,]/.test(value);
const PANDOC: Partial<Record<LocatorLabel, [string, string]>> = {
  page: ["p.", "pp."],
  chapter: ["chap.", "chaps."],
  section: ["sec.", "secs."],
  paragraph: ["para.", "paras."],
  line: ["l.", "ll."],
  figure: ["fig.", "figs."],
  volume: ["vol.", "vols."],
  verse: ["v.", "vv."],
  book: ["bk.", "bks."],
  part: ["pt.", "pts."],
  note: ["n.", "nn."],
};
const short = (label: LocatorLabel, value: string) => (PANDOC[label] ?? [label, label])[isSeveral(value) ? 1 : 0];

export function asPandoc(cited: readonly Cited[]): string {
  const one = ({ citekey, locator }: Cited) => {
    const plain = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_]|[:.#$%&\-+?<>~/](?=[\p{L}\p{N}_]))*$/u.test(citekey);
    return `@${plain ? citekey : `{${citekey}}`}${locator ? `, ${short(locator.label, locator.value)} ${locator.value}` : ""}`;
  };
  return `[${cited.map(one).join("; ")}]`;
}

export function asLatex(cited: readonly Cited[]): string {
  const note = ({ locator }: Cited) => {
    if (!locator) return "";
    const value = locator.value.replace(/[\\{}$&#^_%~]/g, (sign) => `\\${sign}`).replaceAll("–", "--");
    return locator.label === "page" ? value : `${short(locator.label, locator.value)}~${value}`;
  };
  if (cited.every(({ locator }) => !locator)) return `\\autocite{${cited.map(({ citekey }) => citekey).join(",")}}`;
  const [only] = cited;
  if (cited.length === 1 && only) return `\\autocite[${note(only)}]{${only.citekey}}`;
  return `\\autocites${cited.map((each) => `${each.locator ? `[${note(each)}]` : ""}{${each.citekey}}`).join("")}`;
}

interface Pages {
  page_span: [number, number] | null;
  page_labels: [string, string] | null;
}

/** The page a passage stands on; the printed page number if the file has one. */
export function pageLocator({ page_span, page_labels }: Pages): Cited["locator"] {
  const [first, last] = page_labels ?? page_span ?? [];
  if (first === undefined) return undefined;
  return { label: "page", value: first === last ? String(first) : `${first}–${last}` };
}

/** A pandoc citation with the page. */
export function citationOf(citekey: string, pages: Pages): string {
  const locator = pageLocator(pages);
  return asPandoc([{ citekey, ...(locator ? { locator } : {}) }]);
}

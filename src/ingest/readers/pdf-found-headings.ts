import { addTo } from "../../kernel/collections.js";
import { trimEndOf } from "../../kernel/trim-end.js";
import { type Beginning, letters } from "./pdf-headings.js";
import type { Line } from "./pdf-layout.js";
import { median } from "./pdf-segments.js";

/** How a heading is numbered: "IV.", "A.", "2.3" (depth 2), "Chapter 5". */
interface Numbering {
  kind: "roman" | "letter" | "decimal" | "word";
  depth: number;
}

interface Candidate {
  line: Line;
  number: Numbering | undefined;
  capitals: boolean;
  /** Larger than the body text. */
  large: boolean;
  /** In another font than the body text. */
  apart: boolean;
  listed: boolean;
  page: number;
}

const DECIMAL = /^(?:§\s?)?([1-9]\d{0,2}(?:\.\d{1,3}){0,5})[.)]?(?:\s+|\t)(?=[\p{L}“"‘(\\])/u;
const APPENDED = /^([A-Z]\.\d{1,3}(?:\.\d{1,3}){0,4})\.?(?:\s+|\t)(?=\p{L})/u;
const ROMAN = /^(?=[IVXL])(?:X{0,3}|XL|L)(?:IX|IV|V?I{0,3})\.?(?:\s+|\t)(?=\p{Lu})/u;
const LETTER = /^[A-Z][.)]?(?:\s+|\t)(?=\p{Lu})/u;
const WORD =
  /^(?:chapter|part|appendix|section|kapitel|teil|anhang|chapitre|partie|annexe|capítulo|parte|capitolo|глава)\s+(?:\d{1,3}|[ivxlc]{1,6}|[a-z])(?![\p{L}\p{N}])/iu;
const CAPTION =
  /^(?:fig(?:ure)?|tab(?:le|elle)?|abb(?:ildung)?|listing|algorithm|scheme|plate|exhibit|рис|табл)\.?\s?\d/iu;
const LEADERS = /(?:\.\s?){4}|[.…]{4}/;
const OPENING =
  /^(?:abstract|summary|contents|preface|foreword|introduction|acknowledge?ments?|references|bibliography|zusammenfassung|vorwort|inhalt|einleitung|literatur|résumé|sommaire|préface|resumen|índice|prólogo|sommario|prefazione)/iu;
const CLOSING =
  /^(?:references|bibliography|works cited|acknowledge?ments?|index|glossary|literatur(?:verzeichnis)?|danksagung|register|bibliographie|références|remerciements|bibliografía|referencias|bibliografia|riferimenti|references cited|литература)$/iu;
const DATE =
  /^(?:\d{1,2}(?:st|nd|rd|th)?\.?\s+)?(?:jan|feb|fév|mar|mär|apr|avr|abr|may|mai|mag|ju[inl]|giu|lug|aug|aoû|ago|sep|set|o[ck]t|ott|nov|de[cz]|déc|dic|ene|gen)\p{L}{0,6}\.?\s+(?:\d{1,2}(?:st|nd|rd|th)?,?\s+)?(?:19|20)\d\d$/iu;
const MAX_CHARS = 160;
const MAX_LEVEL = 6;

/**
 * Headings of a file without bookmarks. No single feature decides: size, font, numbering, capitals, white space above and
 * the printed table of contents are evidence. A style that occurs once, without other evidence, is not a heading.
 */
export function findHeadings(pages: readonly (readonly Line[])[], bodySize: number): Map<Line, Beginning> {
  const faces = bodyFaces(pages);
  const contents = contentsOf(pages);
  const found: Candidate[] = [];
  pages.forEach((lines, page) => {
    const entriesEnd = contents.ends.get(page) ?? -1;
    const leading = usualStep(lines, bodySize);
    let above: Candidate | undefined;
    lines.forEach((line, i) => {
      const before = lines[i - 1];
      const candidate =
        i <= entriesEnd
          ? undefined
          : witnessed(line, before, lines[i + 1], {
              bodySize,
              leading,
              faces,
              contents: contents.titles,
              page,
            });
      if (above && before && candidate && goesOn(above, before, candidate)) {
        above.line.text = `${above.line.text} ${line.text}`;
        line.text = "";
        return;
      }
      above = candidate;
      if (candidate) found.push(candidate);
    });
  });
  const kept = withoutLists(withEvidence(withoutRepeats(found), pages));
  return levelled(kept);
}

/** A running head repeats a larger heading at the top of a page. */
function withoutRepeats(found: readonly Candidate[]): Candidate[] {
  const said = new Map<string, number>();
  return found.filter(({ line }) => {
    const title = letters(line.text);
    const before = said.get(title);
    if (before === undefined) said.set(title, line.size);
    return before === undefined || line.size >= before * 0.98 || !line.opensColumn;
  });
}

/** Fonts used for a large part of the surrounding text. */
function bodyFaces(pages: readonly (readonly Line[])[]): ReadonlySet<string> {
  const faces = new Map<string, { chars: number; first: number; last: number }>();
  const upTo = [0];
  pages.forEach((lines, page) => {
    let chars = 0;
    for (const line of lines) {
      chars += line.text.length;
      const face = faces.get(line.font);
      if (face) {
        face.chars += line.text.length;
        face.last = page;
      } else faces.set(line.font, { chars: line.text.length, first: page, last: page });
    }
    upTo.push(upTo.at(-1)! + chars);
  });
  return new Set(
    [...faces].flatMap(([font, { chars, first, last }]) =>
      chars > (upTo[last + 1]! - upTo[first]!) * 0.2 && chars > 400 ? [font] : [],
    ),
  );
}

/** Returns "2 Related work" for "2 Related work . . . . 7". */
function entryTitle(text: string): string | undefined {
  const title = trimEndOf(trimEndOf(text, /[\divxlc]/), /[\s.…]/);
  return title.length >= 3 && title.length < text.length ? title : undefined;
}

/** Titles of the printed table of contents, letters only, and its last line per page. */
function contentsOf(pages: readonly (readonly Line[])[]) {
  const titles = new Set<string>();
  const ends = new Map<number, number>();
  pages.slice(0, 40).forEach((lines, page) => {
    const entries = lines.filter(({ text }) => text.length <= 220 && (LEADERS.test(text) || /\t\d{1,4}$/.test(text)));
    if (entries.length < 4 || entries.length < lines.length * 0.25) return;
    ends.set(page, lines.lastIndexOf(entries.at(-1)!));
    for (const { text } of entries) {
      const title = entryTitle(text);
      if (title) titles.add(bare(title));
    }
  });
  return { titles, ends };
}

const bare = (title: string) => letters(title.replace(DECIMAL, "").replace(APPENDED, "").replace(ROMAN, ""));

function numberingOf(text: string): Numbering | undefined {
  if (WORD.test(text)) return { kind: "word", depth: 1 };
  const decimal = DECIMAL.exec(text)?.[1] ?? APPENDED.exec(text)?.[1];
  if (decimal) return { kind: "decimal", depth: decimal.split(".").length };
  if (ROMAN.test(text)) return { kind: "roman", depth: 1 };
  if (LETTER.test(text) && !/^(?:A|I)\s/.test(text)) return { kind: "letter", depth: 1 };
  return undefined;
}

interface Surroundings {
  bodySize: number;
  leading: number;
  faces: ReadonlySet<string>;
  contents: ReadonlySet<string>;
  page: number;
}

/** The line as a candidate, if there is enough evidence. */
function witnessed(
  line: Line,
  before: Line | undefined,
  next: Line | undefined,
  { bodySize, leading, faces, contents, page }: Surroundings,
): Candidate | undefined {
  const text = line.text.trim();
  if (line.turned || text.length < 2 || text.length > MAX_CHARS || !/\p{L}{2}|^\d+$/u.test(text)) return undefined;
  if (CAPTION.test(text) || LEADERS.test(text) || /[,;]$|^[^\p{L}\p{N}“"‘'«„(¿¡§/\\]/u.test(text)) return undefined;
  const signs = text.replace(/\s/g, "");
  if ((signs.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < signs.length * 0.75) return undefined;
  if (/\t/.test(text.replace(/^\S{1,8}\t/, ""))) return undefined;
  if (page < 2 && DATE.test(text)) return undefined;
  const number = numberingOf(text);
  if (!number && /^\p{Ll}/u.test(text)) return undefined;
  const large = line.size >= bodySize * 1.15;
  const apart = !line.mixed && !faces.has(line.font) && !line.mono;
  const capitals = (text.match(/\p{Lu}/gu)?.length ?? 0) >= 4 && text === text.toUpperCase();
  const listed = contents.size > 0 && contents.has(bare(text));
  const stepAbove =
    before && !line.opensColumn && before.page === line.page ? line.y - before.y : Number.POSITIVE_INFINITY;
  const stepBelow = next && !next.opensColumn ? next.y - line.y : Number.POSITIVE_INFINITY;
  const airy = stepAbove > leading * 1.3 || stepAbove < 0;
  const short = line.x1 < line.right - (line.right - line.left) * 0.1 || large;
  const sentence = /[.:!?]$/.test(text) && !number;
  const score =
    (large ? 2.5 : line.size >= bodySize * 1.07 ? 1 : line.size < bodySize * 0.93 && !(apart && number) ? -1.5 : 0) +
    (apart ? 1 : 0) +
    (number ? (number.kind === "decimal" && number.depth === 1 ? 0.75 : 1.25) : 0) +
    (capitals ? 1 : 0) +
    (listed ? 2 : 0) +
    (airy ? 1 : -1) +
    (stepBelow > leading * 1.2 ? 0.5 : 0) +
    (short ? 0.25 : -1) -
    (sentence ? 1 : 0) -
    (line.mono ? 1.5 : 0);
  // Font, numbering or size must be among the evidence: white space and capitals alone may be a line of a poem.
  if (score < 2.5 || !(large || apart || listed || (capitals && number))) return undefined;
  return { line, number, capitals, large, apart, listed, page };
}

/** A heading over two lines. */
function goesOn(above: Candidate, before: Line, { line, number }: Candidate): boolean {
  return (
    !number &&
    (before === above.line || before.text === "") &&
    before.page === line.page &&
    line.y > before.y &&
    line.y - before.y < line.size * 1.6 &&
    Math.abs(line.size / above.line.size - 1) < 0.04 &&
    (above.line.font === line.font || above.large) &&
    above.line.text.length + line.text.length < MAX_CHARS * 1.5
  );
}

function usualStep(lines: readonly Line[], bodySize: number): number {
  const steps = lines.flatMap((line, i) => {
    const step = i > 0 && !line.opensColumn ? line.y - lines[i - 1]!.y : 0;
    return step > line.size * 0.8 && step < line.size * 2.5 ? [step] : [];
  });
  return steps.length >= 5 ? median(steps) : bodySize * 1.25;
}

const styleOf = ({ line, capitals, apart }: Candidate) =>
  `${Math.round(line.size * 2) / 2}${apart ? " apart" : ""}${capitals ? " capitals" : ""}`;

/** Styles used only once, or for every other line, are not headings, except with a number, an entry in the contents, or on the first page. */
function withEvidence(found: readonly Candidate[], pages: readonly (readonly Line[])[]): Candidate[] {
  const lines = pages.reduce((sum, each) => sum + each.length, 0);
  const styles = byStyle(found);
  const largest = Math.max(...found.filter(({ page }) => page < 2).map(({ line }) => line.size));
  const numbered = found.filter(({ number }) => number !== undefined);
  const numberedSize =
    numbered.length >= Math.max(4, found.length * 0.5)
      ? Math.max(...numbered.map(({ line }) => line.size))
      : Number.POSITIVE_INFINITY;
  return found.filter((candidate) => {
    const alike = styles.get(styleOf(candidate))!;
    const text = candidate.line.text.trim();
    if (candidate.listed || (candidate.large && CLOSING.test(text))) return true;
    if (alike.length > Math.max(8, lines * 0.12) && !candidate.number) return false;
    const spread = new Set(alike.map(({ page }) => page)).size;
    // If headings are numbered, a larger line without a number is a chart's title or a sample.
    const above = candidate.line.size > numberedSize + 0.25 && candidate.page > 1 && candidate.number === undefined;
    if (above) return false;
    if (alike.length > 1 && spread > 1) return true;
    return (
      candidate.number !== undefined ||
      (candidate.page < 2 &&
        (candidate.line.size >= largest || OPENING.test(text) || (pages.length <= 2 && candidate.large)))
    );
  });
}

function byStyle(found: readonly Candidate[]): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of found) addTo(groups, styleOf(candidate), candidate);
  return groups;
}

/** Four candidates of one style in a row with nothing between them are a list. */
function withoutLists(found: readonly Candidate[]): Candidate[] {
  const dropped = new Set<Candidate>();
  let from = 0;
  for (let i = 1; i <= found.length; i++) {
    const [a, b] = [found[i - 1]!, found[i]];
    const next =
      b !== undefined &&
      a.page === b.page &&
      styleOf(a) === styleOf(b) &&
      b.line.y > a.line.y &&
      b.line.y - a.line.y < a.line.size * 2.2;
    if (next) continue;
    if (i - from >= 4) for (const each of found.slice(from, i)) if (!each.listed) dropped.add(each);
    from = i;
  }
  return found.filter((candidate) => !dropped.has(candidate));
}

interface Rank {
  key: string;
  size: number;
  order: number;
  depth: number;
}

/** Larger size is a higher level; with equal size, the style that appears first. Decimal numbers win over size: "2.3" is below "2". */
function levelled(found: readonly Candidate[]): Map<Line, Beginning> {
  const decimals = new Map<number, Candidate[]>();
  for (const candidate of found)
    if (candidate.number?.kind === "decimal") addTo(decimals, candidate.number.depth, candidate);
  const sizes = [...decimals].map(([depth, some]) => ({ depth, size: median(some.map(({ line }) => line.size)) }));
  const keyOf = (candidate: Candidate): string => {
    const { number, line } = candidate;
    if (number) return number.kind === "decimal" ? `decimal ${number.depth}` : number.kind;
    const alike = sizes.filter(({ size }) => Math.abs(size - line.size) < 0.3);
    // In body size several levels look the same; a heading without a number is then the deepest.
    return alike.length > 0
      ? `decimal ${alike.reduce((a, b) => (b.depth > a.depth ? b : a)).depth}`
      : styleOf(candidate);
  };
  const ranks = new Map<string, Rank>();
  found.forEach((candidate, order) => {
    const key = keyOf(candidate);
    const size = candidate.line.size;
    const known = ranks.get(key);
    if (known) known.size = Math.max(known.size, size);
    else ranks.set(key, { key, size, order, depth: key.startsWith("decimal ") ? Number(key.slice(8)) : 0 });
  });
  for (const { depth, size } of sizes) ranks.get(`decimal ${depth}`)!.size = size;
  const ordered = [...ranks.values()].sort((a, b) =>
    Math.abs(b.size - a.size) > 0.3 ? b.size - a.size : a.order - b.order,
  );
  const deepening = ordered.filter(({ key }) => key.startsWith("decimal")).sort((a, b) => a.depth - b.depth);
  const levels = new Map(
    ordered.map((rank, i) => [(rank.key.startsWith("decimal") ? deepening.shift()! : rank).key, i + 1]),
  );
  return new Map(
    found.map((candidate) => [
      candidate.line,
      { marks: [], heading: { level: Math.min(MAX_LEVEL, levels.get(keyOf(candidate))!) } },
    ]),
  );
}

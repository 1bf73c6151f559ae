import { plainName } from "../works.js";
import type { DraftCitation } from "./citation-parts.js";
import { locatorField, NAME, namesOf, PAGE_AFTER, PARTICLES, WORD_AND } from "./citation-parts.js";

const MAX_NOTE = 4000;
const SIGNAL = /^\s{0,3}(?:(?:see also|see|cf\.|compare|quoted in|qtd\. in|cited in|vgl\.|siehe|zit\. n\.|voir)\s)?/iu;
const ONE_NAME = `${PARTICLES}${NAME}(?:\\s${PARTICLES}${NAME}){0,4}`;
/** "Ines Marlowe and Tobias Renn, " followed by the title. */
const HEAD = new RegExp(
  `^${ONE_NAME}(?:,?${WORD_AND}${ONE_NAME}){0,4}(?:,?\\s(?:et\\sal\\.?|and\\sothers))?(?:,?\\s(?:eds?|trans)\\.)?,\\s?$`,
  "u",
);
const TITLE_MARK = /[“„«"‘]/;
const CLOSING_MARK: Record<string, string> = { "“": "”", "„": "“", "«": "»", '"': '"', "‘": "’" };
/** "(Boston: Ticknor, 1854)", "(1854)". */
const IMPRINT = /\([^()]{0,200}(?:1\d{3}|20\d{2})[a-z]?\)/u;

/** Works that a footnote cites by author and title: "Thoreau, *Walden*, 45.", "Ines Marlowe, “Margins,” *Essays* (2025), 12." */
export function notedIn(text: string, from: number, to: number, families: ReadonlySet<string>): DraftCitation[] {
  const found: DraftCitation[] = [];
  let start = from;
  for (const sentence of text.slice(from, Math.min(to, from + MAX_NOTE)).split(/(?<=\d\.?);/)) {
    const end = start + sentence.length;
    const place = { start, end, written: sentence.replace(/\s+/g, " ").trim().slice(0, 120) };
    const citation = citedIn(sentence, start, families);
    if (citation) found.push({ ...place, ...citation });
    start = end + 1;
  }
  return found;
}

function citedIn(sentence: string, at: number, families: ReadonlySet<string>): Partial<DraftCitation> | undefined {
  const again = /^\s{0,3}(?:ibid|ebd|ibidem)\b\.?/i.exec(sentence);
  if (again) return { again: true, ...locatorField(sentence.slice(again[0].length)) };
  if (sentence.includes("@")) return undefined;
  const title = plainName(sentence.slice(0, 300));
  const quoted = quotedTitle(sentence);
  const names = headNames(sentence, quoted?.open);
  const isKnown = names.some((name) => families.has(name) || families.has(name.split(" ").at(-1)!));
  const isImprinted = IMPRINT.test(sentence);
  if (names.length > 0 && (isKnown || quoted || isImprinted))
    return {
      names,
      title,
      ...(quoted
        ? { quotedTitle: { name: plainName(quoted.title), start: at + quoted.open, end: at + quoted.close } }
        : {}),
      ...pageOf(sentence),
    };
  const name = title
    .split(" ")
    .slice(0, 8)
    .find((word) => families.has(word));
  // "Thoreau (1854) holds that" is a citation by author and year.
  return name && !isImprinted ? { names: [name], title, ...pageOf(sentence) } : undefined;
}

/** The first words in quotation marks: the title, in a note. */
function quotedTitle(sentence: string): { open: number; close: number; title: string } | undefined {
  const open = sentence.slice(0, 300).search(TITLE_MARK);
  if (open < 0) return undefined;
  const close = sentence.indexOf(CLOSING_MARK[sentence[open]!]!, open + 1);
  return close < 0 ? undefined : { open, close: close + 1, title: sentence.slice(open + 1, close) };
}

/** The authors at the beginning of a note, if there are any. */
function headNames(sentence: string, titleAt: number | undefined): string[] {
  const begin = SIGNAL.exec(sentence)![0].length;
  const comma = sentence.indexOf(",", begin);
  for (const end of [titleAt ?? -1, comma + 1]) {
    if (end <= begin || end - begin > 200) continue;
    const head = sentence.slice(begin, end).replace(/\s+/g, " ");
    if (HEAD.test(head))
      return namesOf(head.replace(/,?\s?(?:,\s(?:eds?|trans)\.)?,\s?$/u, "").replace(/,\s(?:and|&)\s/u, " and "));
  }
  return [];
}

/** The page after the imprint, or the number at the end of the note; a year alone is not a page. */
function pageOf(sentence: string): Pick<DraftCitation, "locator"> {
  const imprint = IMPRINT.exec(sentence);
  const behind = imprint && PAGE_AFTER.exec(sentence.slice(imprint.index + imprint[0].length));
  if (behind) return locatorField(behind[1]!, true);
  const [body = ""] = sentence.split(/,?\s?https?:/, 1);
  const page =
    /(?:^|[\s,:])(pp?\.\s?)?(\d{1,4}(?:\s?[-–]\s?\d{1,4})?|(?<=[,:.]\s)[ivxlc]{1,8})(?:\s\([^()\d]{1,30}\))?[.\s]{0,3}$/u.exec(
      body.slice(-80),
    );
  if (!page) return {};
  const before = body.slice(0, body.length - page[0].length);
  const isYear = !page[1] && /^(?:1\d{3}|20\d{2})$/.test(page[2]!) && !/(?:1\d{3}|20\d{2})/.test(before);
  return isYear || /\b(?:no|vol|nr|bd)\.$/i.test(before) ? {} : locatorField(page[2]!, true);
}

/** Whether what looks like author and year is the publisher and year of the note's work. */
export function isImprint(
  text: string,
  { start, end, names = [], year }: DraftCitation,
  noted: readonly DraftCitation[],
  families: ReadonlySet<string>,
): boolean {
  const note = noted.find((each) => each.start <= start && each.end >= end);
  if (!note || note.again || year === undefined) return false;
  const areKnown = names.every((name) => families.has(name) || families.has(name.split(" ").at(-1)!));
  return !areKnown || PAGE_AFTER.test(text.slice(end, end + 30));
}

import type { CslItem, CslName } from "../csl.js";
import { parseName } from "../csl.js";
import type { Entry } from "./entry.js";

/** The fields we read of an item of Zotero or Better BibTeX. */
export interface ZoteroItemData {
  key?: string;
  itemType: string;
  title?: string;
  creators?: { creatorType?: string; firstName?: string; lastName?: string; name?: string }[];
  date?: string;
  citationKey?: string;
  citekey?: string;
  extra?: string | string[];
  tags?: (string | { tag: string })[];
  attachments?: { path?: string; localPath?: string }[];
  [field: string]: unknown;
}

const TYPES: Record<string, string> = {
  journalArticle: "article-journal",
  magazineArticle: "article-magazine",
  newspaperArticle: "article-newspaper",
  book: "book",
  bookSection: "chapter",
  conferencePaper: "paper-conference",
  preprint: "article",
  thesis: "thesis",
  report: "report",
  webpage: "webpage",
  blogPost: "post-weblog",
  encyclopediaArticle: "entry-encyclopedia",
  dictionaryEntry: "entry-dictionary",
  manuscript: "manuscript",
  map: "map",
  letter: "personal_communication",
  film: "motion_picture",
  videoRecording: "motion_picture",
  audioRecording: "song",
  podcast: "song",
  presentation: "speech",
  interview: "interview",
  patent: "patent",
  statute: "legislation",
  bill: "bill",
  case: "legal_case",
  dataset: "dataset",
  computerProgram: "software",
};
const FIELDS: Record<string, string> = {
  title: "title",
  shortTitle: "title-short",
  publicationTitle: "container-title",
  bookTitle: "container-title",
  proceedingsTitle: "container-title",
  encyclopediaTitle: "container-title",
  dictionaryTitle: "container-title",
  websiteTitle: "container-title",
  blogTitle: "container-title",
  journalAbbreviation: "container-title-short",
  conferenceName: "event-title",
  volume: "volume",
  issue: "issue",
  pages: "page",
  numPages: "number-of-pages",
  edition: "edition",
  series: "collection-title",
  seriesNumber: "collection-number",
  publisher: "publisher",
  university: "publisher",
  institution: "publisher",
  place: "publisher-place",
  DOI: "DOI",
  ISBN: "ISBN",
  ISSN: "ISSN",
  url: "URL",
  abstractNote: "abstract",
  language: "language",
  archive: "archive",
  archiveLocation: "archive_location",
  callNumber: "call-number",
  thesisType: "genre",
  reportType: "genre",
  reportNumber: "number",
  archiveID: "number",
};
const ROLES: Record<string, string> = {
  author: "author",
  editor: "editor",
  translator: "translator",
  seriesEditor: "collection-editor",
  bookAuthor: "container-author",
  director: "director",
  interviewer: "interviewer",
  recipient: "recipient",
  composer: "composer",
  presenter: "author",
  podcaster: "author",
  programmer: "author",
  cartographer: "author",
};

/** A Zotero item as an entry; undefined for notes, attachments and annotations. */
export function fromZoteroItem(data: ZoteroItemData): Entry | undefined {
  if (["note", "attachment", "annotation"].includes(data.itemType)) return undefined;
  const item: Record<string, unknown> = { type: TYPES[data.itemType] ?? "document" };
  for (const [field, name] of Object.entries(FIELDS)) {
    const value = data[field];
    if (typeof value === "string" && value && item[name] === undefined) item[name] = value;
  }
  for (const creator of data.creators ?? []) {
    const role = ROLES[creator.creatorType ?? "author"];
    if (!role) continue;
    const names = (item[role] ?? []) as CslName[];
    names.push(
      creator.lastName
        ? { family: creator.lastName, ...(creator.firstName ? { given: creator.firstName } : {}) }
        : nameOf(creator.name ?? creator.firstName ?? ""),
    );
    item[role] = names;
  }
  const issued = dateOf(data.date);
  if (issued) item.issued = issued;
  const tags = (data.tags ?? []).map((tag) => (typeof tag === "string" ? tag : tag.tag));
  if (tags.length > 0) item.keyword = tags.join(",");
  const citekey = data.citationKey || data.citekey || citekeyInExtra(data.extra);
  return {
    citekey,
    csl: { ...item, id: citekey ?? data.key ?? "", type: String(item.type) } satisfies CslItem,
    tags,
    files: (data.attachments ?? []).map((attachment) => attachment.localPath ?? attachment.path ?? "").filter(Boolean),
  };
}

/** A name in one field is an institution, unless it looks like a person's. */
function nameOf(name: string): CslName {
  return name.includes(",") ? parseName(name) : { literal: name };
}

/** Dates are free text: "2009-04-21", "March 2019", "c. 1859". The first four-digit number is the year. */
function dateOf(date: string | undefined): CslItem["issued"] | undefined {
  const year = /\b\d{4}\b/.exec(date ?? "")?.[0];
  if (date === undefined || year === undefined) return undefined;
  const exact = /^(\d{4})-(\d{2})(?:-(\d{2}))?/.exec(date);
  const parts = exact
    ? exact
        .slice(1)
        .filter(Boolean)
        .map(Number)
        .filter((part) => part > 0)
    : [Number(year)];
  return { "date-parts": [parts] };
}

const KEY_LINE = /^[ \t]*(?:citation[ -]?key|bibtex)[ \t]*:[ \t]*(\S+)[ \t]*$/im;

function citekeyInExtra(extra: string | string[] | undefined): string | undefined {
  return KEY_LINE.exec(Array.isArray(extra) ? extra.join("\n") : (extra ?? ""))?.[1];
}

import { isCorporate, isPersonName, splitAuthors } from "../names.js";
import { textOf } from "./xml.js";

const TITLE_PAGE = ".titlepage, .docinfo, #header";
const AUTHOR = ".author, .corpauthor, td.docinfo-author";

/** Names that DocBook, AsciiDoc and docutils mark as authors on the first title page; what is no name is left out. */
export function markedAuthors(root: ParentNode): string[] {
  const page = root.querySelector(TITLE_PAGE);
  if (!page) return [];
  const marked = [...page.querySelectorAll(AUTHOR)].filter((element) => !element.querySelector(AUTHOR));
  const labelled = [...page.querySelectorAll("th.docinfo-name")].flatMap((label) =>
    /^authors?:?$/i.test(textOf(label)) && label.nextElementSibling ? [label.nextElementSibling] : [],
  );
  const names = [...marked, ...labelled].flatMap((element) => splitAuthors(nameOf(element)));
  return [...new Set(names)].filter((name) => isPersonName(name) || isCorporate(name));
}

function nameOf(element: Element): string {
  const parts = element.querySelectorAll(".firstname, .othername, .surname");
  return parts.length > 1 ? [...parts].map(textOf).join(" ") : textOf(element);
}

/** Of headings: DocBook sets the names on a title page as such, but they head nothing. */
export function isByline(element: Element): boolean {
  return /(?:^|\s)(?:corp)?author(?:\s|$)/.test(element.getAttribute("class") ?? "");
}

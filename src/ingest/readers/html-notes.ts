import { addTo } from "../../kernel/collections.js";
import { oncePerKey } from "../../kernel/once.js";
import type { Role } from "./dom-text.js";
import { textOf } from "./xml.js";

/** A link whose text looks like the mark of a note, or like the arrow back from it. Only strings, so that it outlives its page. */
interface NoteLink {
  text: string;
  target: string;
  /** Addresses of places around the link: its block, what is in it, and what is around it. */
  near: ReadonlySet<string>;
  /** Nothing but white space stands before it in its block. */
  leads: boolean;
  /** Marked or named as the mark of a note. */
  named: boolean;
}

/** A page, or a file of a book. */
export interface LinkedPage {
  path: string;
  links: readonly NoteLink[];
}

const MARK = /^[[(]?(?:\d{1,4}|[a-z]|[ivxlc]{2,7}|[*∗†‡§¶‖#]{1,4}|(?:fn|n|note|Note)\.?\s?\d{1,3})[\])]?[.:]?$/u;
/** A part of several marks in a row: "2, 3", "note 4; note 5". */
const PART_OF_MARKS = /^(?:\d{1,4}|[a-z]|[ivxlc]{2,7}|[*∗†‡§¶‖#]{1,4}|(?:fn|n|note|Note)\.?\d{0,3})$/u;
const ARROW = /^(?:[↩↑↥⤴⏎↵⬆^]|\ufe0e|\ufe0f){1,3}\s?\d{0,3}$/u;
const BLOCKS = new Set(
  "p li dd dt td th div aside section blockquote h1 h2 h3 h4 h5 h6 body article main table".split(" "),
);
const NAMED =
  /(?:^|[\s_-])(?:footnote-?ref(?:erence)?|fnanchor|noteref|footref|sd(?:foot|end)noteanc|fnref)(?:[\s_-]|$)/i;
const INLINE_NOTE = /(?:^|\s)(?:ltx_note_outer|sidenote|marginnote|inline-?footnote)(?:\s|$)/;
const MAX_IDS_OF_A_BLOCK = 400;
const MAX_MARKS = 400;
const MAX_NOTE = 10_000;
const AROUND = 4;
const MAX_LINKS_AT_A_PLACE = 400;

const nameOf = (element: Element) => (element.localName.split(":").at(-1) ?? "").toLowerCase();
const semanticsOf = (element: Element) =>
  `${element.getAttribute("epub:type") ?? ""} ${element.getAttribute("role") ?? ""}`;

/** Links that may be marks of notes or lead back from one; `addressOf` is the address of a link's target. */
export function noteLinksOf(root: Element, path: string, addressOf: (href: string) => string): LinkedPage {
  return { path, links: [...found(root, path, addressOf)].map(([, link]) => link) };
}

function* found(
  root: Element,
  path: string,
  addressOf: (href: string) => string,
): Generator<[element: Element, link: NoteLink]> {
  const places = new Map<Element, Set<string>>();
  for (const element of root.querySelectorAll("a[href]")) {
    const href = element.getAttribute("href") ?? "";
    const text = textOf(element);
    if (!href.includes("#") || text.length > 12 || !(MARK.test(text) || ARROW.test(text))) continue;
    const block = blockOf(element);
    const near = places.get(block) ?? placesAround(block, path);
    places.set(block, near);
    yield [
      element,
      {
        text,
        target: addressOf(href),
        near,
        leads: !hasTextBefore(element, block),
        named:
          NAMED.test(element.getAttribute("class") ?? "") ||
          element.hasAttribute("data-footnote-ref") ||
          /\bnoteref\b/.test(semanticsOf(element)),
      },
    ];
  }
}

interface NotePages {
  path: string;
  /** The address that a link points to: path and fragment. */
  addressOf(href: string): string;
  /** Links of another file of the book. */
  others?(path: string): LinkedPage | undefined;
  /** Marks by the address they point to, of the files read so far. */
  marks?: Map<string, string>;
}

/**
 * Roles of the notes of a page and of their marks. A link is a mark if the place it points to links back to it, whatever
 * program wrote the page; the note is the block around the link back.
 */
export function noteRoles(
  root: Element,
  { path, addressOf, others = () => undefined, marks = new Map() }: NotePages,
): (element: Element) => Role | undefined {
  const own = [...found(root, path, addressOf)];
  const order = new Map(own.map(([, link], i) => [link, i]));
  const linksAt = linksByPlace((file) => (file === path ? [...order.keys()] : (others(file)?.links ?? [])));

  const roles = new Map<Element, Role>();
  const notes = new Map<Element, { mark: string; labelled: boolean }>();
  for (const [element, link] of own) {
    const partners = linksAt(link.target).filter((each) => each !== link && link.near.has(each.target));
    const isMark = MARK.test(link.text) && (link.named || partners.some((each) => isMarkOf(link, each, order)));
    if (isMark) {
      roles.set(wrapperOf(element), "note-mark");
      marks.set(link.target, link.text);
      continue;
    }
    const mark = partners.find((each) => isMarkOf(each, link, order));
    const note = mark && noteAround(element, link, root);
    if (!note) continue;
    const labelled = MARK.test(link.text) && link.leads;
    roles.set(wrapperOf(element), labelled ? "note-label" : "note-mark");
    if (!notes.has(note) && !isReference(note)) notes.set(note, { mark: bare(mark.text), labelled });
  }
  for (const [note, { mark, labelled }] of notes) {
    const text = isHead(note) ? note.nextElementSibling : note;
    if (!text || (text !== note && notes.has(text))) continue;
    if (text !== note) roles.set(note, "skip");
    roles.set(text, { footnote: (labelled && text === note) || beginsWith(text, mark) ? "" : mark });
  }
  const lists = new Set<Element | null>([...notes.keys()].map(({ parentElement }) => parentElement));

  return (element) =>
    roles.get(element) ??
    semanticRole(element, (id) => marks.get(`${path}#${id}`)) ??
    (lists.has(element) && /^(?:ol|ul|dl)$/.test(nameOf(element)) ? "block" : undefined);
}

/** Links by the places they stand at, of the file that the place is in. */
function linksByPlace(linksOf: (file: string) => readonly NoteLink[]): (target: string) => readonly NoteLink[] {
  const placesIn = oncePerKey((file: string) => {
    const places = new Map<string, NoteLink[]>();
    for (const link of linksOf(file))
      for (const place of link.near)
        if ((places.get(place)?.length ?? 0) < MAX_LINKS_AT_A_PLACE) addTo(places, place, link);
    return places;
  });
  return (target) => placesIn(target.slice(0, target.indexOf("#"))).get(target) ?? [];
}

/** Notes and marks that say what they are, also where nothing links back. */
function semanticRole(element: Element, markOf: (id: string) => string | undefined): Role | undefined {
  const name = nameOf(element);
  const type = element.getAttribute("class") ?? "";
  if (/(?:^|\s)mw-cite-backlink(?:\s|$)/.test(type)) return "note-mark";
  if (/(?:^|\s)ltx_note_mark(?:\s|$)/.test(type)) return insideNote(element) ? "note-label" : "note-mark";
  if (name === "span" && INLINE_NOTE.test(type)) return { footnote: "", within: true };
  if (isNamedNote(element)) {
    const mark = bare(markOf(element.getAttribute("id") ?? "") ?? "");
    return { footnote: beginsWith(element, mark) ? "" : mark };
  }
  if (name === "sup" && MARK.test(textOf(element)) && insideNote(element) && !hasTextBefore(element, blockOf(element)))
    return "note-label";
  return undefined;
}

function beginsWith(note: Element, mark: string): boolean {
  const text = textOf(note).replace(/^[[(]/, "");
  return text.startsWith(mark) && !/^[\p{L}\p{N}]/u.test(text.slice(mark.length));
}

const isNamedNote = (element: Element) =>
  /(?:^|\s)(?:doc-)?(?:footnote|endnote|rearnote)(?:\s|$)/.test(semanticsOf(element)) && BLOCKS.has(nameOf(element));

/** An entry of a list of references, which has a role of its own. */
const isReference = ({ parentElement }: Element) => /\breferences\b/.test(parentElement?.getAttribute("class") ?? "");

function insideNote(element: Element): boolean {
  let each: Element | null = element;
  for (let i = 0; each && i < AROUND; i++, each = each.parentElement)
    if (isNamedNote(each) || INLINE_NOTE.test(each.getAttribute("class") ?? "")) return true;
  return false;
}

/** Of two links that lead to each other, the first in the text is the mark. */
function isMarkOf(mark: NoteLink, back: NoteLink, order: ReadonlyMap<NoteLink, number>): boolean {
  if (!MARK.test(mark.text)) return false;
  if (ARROW.test(back.text)) return true;
  if (mark.leads !== back.leads) return back.leads;
  const [first, second] = [order.get(mark), order.get(back)];
  return !mark.leads && first !== undefined && second !== undefined && first < second;
}

/** The block of a note: the one that its address names, or the one around the link back. */
function noteAround(back: Element, link: NoteLink, root: Element): Element | undefined {
  const block = blockOf(back);
  if (isHead(block)) return MARK.test(textOf(block)) ? block : undefined;
  let around: Element | null = block;
  for (let i = 0; around && around !== root && i < AROUND; i++, around = around.parentElement) {
    if (nameOf(around) === "body" || isLonger(around, MAX_NOTE)) break;
    // A list item or a box of its own, with all its paragraphs.
    if (/^(?:li|aside)$/.test(nameOf(around))) return around;
    if (/^(?:div|table)$/.test(nameOf(around)) && isSingleNote(around, back)) return around;
  }
  if (block === root || nameOf(block) === "body" || isLonger(block, MAX_NOTE)) return undefined;
  return link.leads || textOf(block).endsWith(link.text) ? block : undefined;
}

const isHead = (element: Element) => /^(?:h[1-6]|dt)$/.test(nameOf(element));

function isLonger(element: Element, limit: number): boolean {
  let length = 0;
  const next: Node[] = [element];
  for (let node = next.pop(); node && length <= limit; node = next.pop()) {
    if (node.nodeType === 3) length += node.nodeValue?.length ?? 0;
    for (let child = node.firstChild; child; child = child.nextSibling) next.push(child);
  }
  return length > limit;
}

/** Of a division: it has an address, and no other block in it has a link of this kind. */
function isSingleNote(element: Element, back: Element): boolean {
  if (!element.getAttribute("id") && !/foot|note/i.test(element.getAttribute("class") ?? "")) return false;
  return [...element.querySelectorAll("a[href]")].every(
    (each) => each === back || !MARK.test(textOf(each)) || blockOf(each) === blockOf(back),
  );
}

function blockOf(element: Element): Element {
  let block = element;
  while (block.parentElement && !BLOCKS.has(nameOf(block))) block = block.parentElement;
  return block;
}

function placesAround(block: Element, path: string): Set<string> {
  const places = new Set<string>();
  const add = (element: Element) => {
    for (const id of [element.getAttribute("id"), nameOf(element) === "a" ? element.getAttribute("name") : null])
      if (id && places.size < MAX_IDS_OF_A_BLOCK) places.add(`${path}#${id}`);
  };
  for (let i = 0, each: Element | null = block; each && i <= AROUND && nameOf(each) !== "body"; i++) {
    add(each);
    each = each.parentElement;
  }
  // Some programs put the address into an empty link before the block.
  if (block.previousElementSibling && !textOf(block.previousElementSibling)) add(block.previousElementSibling);
  for (const each of block.querySelectorAll("[id], a[name]")) add(each);
  return places;
}

function hasTextBefore(element: Element, block: Element): boolean {
  for (let each: Node | null = element; each && each !== block; each = each.parentNode)
    for (let before = each.previousSibling; before; before = before.previousSibling)
      if ((before.textContent ?? "").replace(/[\s[(]/g, "")) return true;
  return false;
}

/** The mark with what belongs to it: `<sup>[<a>1</a>]</sup>`. */
function wrapperOf(link: Element): Element {
  let wrapper = link;
  for (
    let each = link.parentElement;
    each && /^(?:sup|span|small|b|em|i)$/.test(nameOf(each));
    each = each.parentElement
  ) {
    const text = textOf(each);
    if (text.length > MAX_MARKS || !(MARK.test(text) || ARROW.test(text) || areMarks(text))) break;
    wrapper = each;
  }
  return wrapper;
}

const areMarks = (text: string) =>
  text
    .replace(/^[[(]/, "")
    .replace(/[\])]$/, "")
    .split(/[,;\s]+/)
    .every((part) => PART_OF_MARKS.test(part));

const bare = (mark: string) => mark.replace(/^[[(]|[\])]?[.:]?$/g, "");

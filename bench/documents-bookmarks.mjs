// Which section a passage stands in, by the file's bookmarks: mutool says where they lead, poppler where each line stands.
// Neither knows our readers. Only for pages of one column, where what is lower comes later.
import { execFileSync } from "node:child_process";
import { letters } from "./documents-truth.mjs";

const run = (program, ...args) =>
  execFileSync(program, args, { maxBuffer: 1024 ** 3, stdio: ["ignore", "pipe", "ignore"] }).toString();

/** Bookmarks in the order of the text: page, distance from its top, and title. */
function bookmarksOf(file) {
  const found = [];
  for (const line of run("mutool", "show", file, "outline").split("\n")) {
    const [, title, page, place = ""] = /^[+|-]?\t+"(.*)"\t#page=(\d+)(?:&\w+=([^\s]*))?/.exec(line) ?? [];
    const top = Number(place.split(",").at(-1));
    if (page) found.push({ page: Number(page), top: Number.isFinite(top) ? top : 0, title });
  }
  return found.sort((a, b) => a.page - b.page || a.top - b.top);
}

/** Lines of each page as poppler sees them, with their height from the top. */
function linesOf(file) {
  const pages = run("pdftotext", "-bbox-layout", file, "-").split("<page ").slice(1);
  return pages.map((page) =>
    [...page.matchAll(/<line [^>]*yMin="([\d.]+)"[^>]*yMax="([\d.]+)">([\s\S]*?)<\/line>/g)].map(
      ([, top, bottom, words]) => ({
        middle: (Number(top) + Number(bottom)) / 2,
        text: letters(words.replace(/<[^>]*>/g, " ").replace(/&[a-z#0-9]+;/g, " ")),
      }),
    ),
  );
}

const BEGINNING = 22;

/** Passages whose first words stand in exactly one line of their page, and how many have the section of the bookmarks. */
export function sectionsByBookmarks(file, document, pieces) {
  const lines = linesOf(file);
  const bookmarks = bookmarksOf(file);
  const titles = new Set(document.headings.map(({ title }) => letters(title)));
  const result = { all: 0, right: 0, bookmarks: bookmarks.length, wrong: [] };
  for (const { start, end, page_span, section_path } of pieces) {
    if (!page_span) continue;
    const blocks = document.blocks.filter(
      (block) => block.end > start && block.start < end && block.kind !== "heading",
    );
    const own = blocks.map((block) =>
      letters(document.text.slice(Math.max(start, block.start), Math.min(end, block.end))),
    );
    // A passage's section is that of its first words; where these are too few to find, it is left out.
    const beginning = own.find((text) => text && !titles.has(text))?.slice(0, BEGINNING) ?? "";
    if (beginning.length < BEGINNING) continue;
    const places = [];
    for (let page = page_span[0]; page <= page_span[1]; page++)
      for (const line of lines[page - 1] ?? []) if (line.text.includes(beginning)) places.push({ page, ...line });
    if (places.length !== 1) continue;
    const [{ page, middle }] = places;
    const above = bookmarks.findLast((mark) => mark.page < page || (mark.page === page && mark.top <= middle));
    result.all++;
    if (letters(above?.title ?? "") === letters(section_path.at(-1) ?? "")) result.right++;
    else result.wrong.push(`p. ${page}: "${beginning}" stands under "${above?.title}", not "${section_path.at(-1)}"`);
  }
  return result;
}

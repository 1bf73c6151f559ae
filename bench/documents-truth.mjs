// What the readers make of real documents, beside poppler's pdftotext and beside the HTML itself. Plain functions over a
// document that was read, so that the tests (from source) and `make bench` (from the build) measure the same way.
import { execFileSync } from "node:child_process";
import { parseHTML } from "linkedom";

/** Only letters and digits, folded: what two extractors of one page agree on. */
export const letters = (text) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** The pages of a PDF as poppler reads them: blocks of lines. */
export function popplerPages(file) {
  return pdftotext(file).map((page) =>
    page.split(/\n\s*\n/).map((block) => block.split("\n").filter((line) => line.trim())),
  );
}

/** The letters of each page in the order of the content stream: poppler's other way of reading. */
export function popplerStreams(file) {
  return pdftotext(file, "-raw").map(letters);
}

function pdftotext(file, ...options) {
  return execFileSync("pdftotext", [...options, "-enc", "UTF-8", file, "-"], {
    maxBuffer: 256 * 1024 ** 2,
    stdio: ["ignore", "pipe", "ignore"],
  })
    .toString()
    .split("\f")
    .slice(0, -1);
}

/** Letters of the text with a way back to the offset, and the page an offset stands on. */
function indexOf(document) {
  const pages = document.pages.map(({ start, end }) => letters(document.text.slice(start, end)));
  const removed = document.pages.map(({ start, end }) =>
    letters(
      document.edits
        .filter(({ at, length }) => length === 0 && at >= start && at <= end)
        .map(({ original }) => original)
        .join(" "),
    ),
  );
  return { pages, removed };
}

const EDGE = 14;
// A line of a table of contents: poppler sets its page number apart.
const LEADERS = /(?:\. ?){4}/;

/**
 * Page truth and joints. A joint is the end of a line and the beginning of the next one in the same block of poppler's:
 * it holds where the two follow each other in our text too. Lines that we set apart on purpose do not count. With
 * `streams`, only joints count that both of poppler's ways of reading have: it reads some tables by column.
 */
export function againstPoppler(document, pages, streams) {
  const ours = indexOf(document);
  const whole = ours.pages.join("\n");
  const truth = { right: 0, wrong: 0, lost: 0 };
  const joints = { held: 0, all: 0, broken: [] };
  pages.forEach((blocks, i) => {
    const here = ours.pages[i] ?? "";
    const around = `${here}${(ours.pages[i + 1] ?? "").slice(0, 400)}`;
    const gone = ours.removed[i] ?? "";
    for (const lines of blocks) {
      for (let k = 0; k < lines.length; k++) {
        const line = letters(lines[k]);
        if (line.length >= 25 && !gone.includes(line)) {
          if (here.includes(line)) truth.right++;
          else if (around.includes(line)) truth.right++;
          else if (whole.includes(line)) {
            truth.wrong++;
            if (process.env.WRONG) console.log(`   wrong p. ${i + 1}: ${lines[k]}`);
          } else truth.lost++;
        }
        const next = letters(lines[k + 1] ?? "");
        if (line.length < EDGE || next.length < EDGE || LEADERS.test(lines[k]) || LEADERS.test(lines[k + 1])) continue;
        const [tail, head] = [line.slice(-EDGE), next.slice(0, EDGE)];
        if (!here.includes(tail) || !here.includes(head)) continue;
        if (streams && !streams[i]?.includes(tail + head)) continue;
        joints.all++;
        if (here.includes(tail + head)) joints.held++;
        else if (joints.broken.length < 400) joints.broken.push(`p. ${i + 1}: ${lines[k]} | ${lines[k + 1]}`);
      }
    }
  });
  return { truth, joints };
}

/**
 * Sentences of running text inside one block of poppler's, as a person would copy them out of the file. Where poppler
 * weaves two columns or a table into one line, its other way of reading, the content stream's, contradicts it: only
 * what both agree on is true.
 */
export function trueQuotes(file, pages = popplerPages(file)) {
  const streams = popplerStreams(file);
  return sentencesOf(pages).filter(({ page, text }) => streams[page - 1]?.includes(letters(text)));
}

function sentencesOf(pages) {
  const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
  const found = [];
  pages.forEach((blocks, i) => {
    for (const lines of blocks) {
      if (lines.length < 3) continue;
      const text = lines
        .join(" ")
        .replace(/(\p{L})[-\u2010] (?=\p{Ll})/gu, "$1")
        .replace(/\s+/g, " ");
      // The first and the last may be cut off by the block's edges.
      const sentences = [...segmenter.segment(text)].map(({ segment }) => segment.trim()).slice(1, -1);
      for (const sentence of sentences) {
        const words = sentence.split(" ");
        if (words.length < 8 || words.length > 35 || !/^\p{Lu}.*[.!?]$/u.test(sentence)) continue;
        if (words.filter((word) => /^\p{L}{2,}/u.test(word)).length < words.length * 0.8) continue;
        found.push({ page: i + 1, text: sentence });
      }
    }
  });
  return found;
}

const CHROME = "nav, header, footer, aside, script, style, noscript, template, form, [hidden], [role=navigation]";

const BLOCK =
  /^(?:address|article|blockquote|center|dd|details|div|dl|dt|fieldset|figure|form|h[1-6]|hr|li|ol|p|pre|section|table|tbody|td|th|tr|ul|script|style|svg|select|button)$/i;

/** What stands in an element before any block inside it. */
function ownText(element) {
  let text = "";
  for (const node of element.childNodes) {
    if (node.nodeType === 1 && (BLOCK.test(node.nodeName) || node.querySelector("p, div, ul, ol, table, pre"))) break;
    if (node.nodeType === 1 || node.nodeType === 3) text += node.textContent;
  }
  return text;
}

/** The text with what was left out of its sentences: marks of notes. */
function withRemoved({ text, edits = [] }) {
  let from = 0;
  const parts = [];
  for (const { at, length, original } of edits) {
    if (length > 0) continue;
    parts.push(text.slice(from, at), original);
    from = at;
  }
  return parts.join("") + text.slice(from);
}

/** Paragraphs, items, cells and listings of a page that are not in the text that was read. */
export function lostFromHtml(source, document) {
  const page = parseHTML(source).document;
  const ours = letters(document.text);
  const printed = letters(withRemoved(document));
  const lost = [];
  for (const element of page.querySelectorAll("p, li, dd, td, pre, blockquote, h1, h2, h3, h4, h5, h6")) {
    if (element.closest(CHROME)) continue;
    const own = letters(ownText(element));
    if (own.length < 30) continue;
    if (!ours.includes(own.slice(0, 60)) && !printed.includes(own.slice(0, 60)))
      lost.push(element.textContent.replace(/\s+/g, " ").trim().slice(0, 100));
  }
  return lost;
}

const plain = (name) => letters(name.normalize("NFD").replace(/\p{M}/gu, ""));

/** Names that are not the authors: what a citation would print although no such person wrote the work. */
export function wrongAuthors(found, gold) {
  const known = gold.map(plain);
  return found.filter((name) => {
    const written = plain(name.includes(",") ? name.split(",").reverse().join(" ") : name);
    return !known.includes(written) && !known.includes(plain(name));
  });
}

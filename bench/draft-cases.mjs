// Drafts whose quotations and citations are of known kinds, all from one seed, in six ways of writing.
import { cutPages, randomFrom } from "./quote-cases.mjs";

/** What the works are, for bibliographies and for citations by author and year. */
export const WORKS = {
  carroll1865alice: ["Carroll", "Lewis", "Alice’s Adventures in Wonderland", 1865],
  doyle1892sherlock: ["Doyle", "Arthur Conan", "The Adventures of Sherlock Holmes", 1892],
  thoreau1854walden: ["Thoreau", "Henry David", "Walden", 1854],
  melville1851moby: ["Melville", "Herman", "Moby-Dick", 1851],
  darwin1859origin: ["Darwin", "Charles", "The Origin of Species", 1859],
  aurelius180meditations: ["Aurelius", "Marcus", "Meditations", 180],
};

export function cslOf(citekey) {
  const [family, given, title, year] = WORKS[citekey];
  return { id: citekey, type: "book", title, author: [{ family, given }], issued: { "date-parts": [[year]] } };
}

/** Sentences in German that stand in none of the books: what a translator would have made of them. */
const TRANSLATIONS = [
  "Ich ging in die Wälder, weil ich bewusst leben und mich nur mit den wesentlichen Dingen des Lebens auseinandersetzen wollte",
  "Die große Masse der Menschen führt ein Leben in stiller Verzweiflung, und was man Ergebung nennt, ist bestätigte Verzweiflung",
  "Alice wurde es langsam leid, neben ihrer Schwester am Ufer zu sitzen und überhaupt nichts zu tun zu haben",
  "Es liegt eine Größe in dieser Ansicht des Lebens mit seinen verschiedenen Kräften, die ursprünglich eingehaucht wurden",
  "Verschwende nicht den Rest deines Lebens mit Gedanken über andere, wenn du sie nicht auf etwas Gemeinnütziges beziehst",
  "Wenn man das Unmögliche ausgeschlossen hat, muss das, was übrig bleibt, die Wahrheit sein, so unwahrscheinlich sie auch ist",
];
const OTHER_WORDS = ["seldom", "granite", "purple", "merely", "harvest", "candle", "wander", "sevenfold"];
const LEADS = [
  "One reader notes",
  "It is said there",
  "The book has it",
  "A later page adds",
  "The author writes",
  "Here we read",
];

const squash = (text) => text.replace(/\s+/g, " ");

/** `count` items of each draft: what is written, how it is cited, and what a check should say of it. */
export function makeDrafts({ books, heldOut, count, seed }) {
  const random = randomFrom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const pages = new Map(books.map((book) => [book.citekey, cutPages(book.text)]));
  const sentences = new Map(books.map((book) => [book.citekey, sentencesOf(book.text)]));
  const held = sentencesOf(heldOut);
  const plainBooks = new Map(books.map((book) => [book.citekey, squash(book.text)]));
  const pageOf = (citekey, start, end) => {
    const on = pages.get(citekey).filter((page) => page.start < end && page.end > start);
    return on[0].number;
  };
  const run = () => {
    const book = pick(books);
    const [start, end] = pick(sentences.get(book.citekey));
    return { key: book.citekey, text: squash(book.text.slice(start, end)), page: pageOf(book.citekey, start, end) };
  };
  const kinds = {
    true: () => ({ ...run(), expected: ["exact", "normalised"] }),
    altered() {
      for (;;) {
        const cut = run();
        const words = cut.text.split(" ");
        const at = 1 + Math.floor(random() * (words.length - 2));
        if (!/^[a-z]{3,}$/.test(words[at])) continue;
        words[at] = pick(OTHER_WORDS);
        return { ...cut, text: words.join(" "), expected: ["altered"] };
      }
    },
    wrong_work() {
      for (;;) {
        const cut = run();
        const other = pick(books.filter(({ citekey }) => citekey !== cut.key));
        if (plainBooks.get(other.citekey).includes(cut.text)) continue;
        return { ...cut, key: other.citekey, page: undefined, expected: ["misattributed"] };
      }
    },
    wrong_page() {
      const cut = run();
      const last = pages.get(cut.key).length;
      return { ...cut, page: cut.page > last / 2 ? cut.page - 9 : cut.page + 9, expected: ["wrong_page"] };
    },
    stitched() {
      const [a, b] = [run(), run()];
      const half = (text) =>
        text
          .split(" ")
          .slice(0, 12)
          .join(" ")
          .replace(/[.;:,]$/, "");
      return { ...a, text: `${half(a.text)} ${half(b.text)}`, expected: ["stitched"] };
    },
    invented() {
      const [start, end] = pick(held);
      return { ...run(), text: squash(heldOut.slice(start, end)), expected: ["absent"] };
    },
    translated: () => ({ ...run(), text: pick(TRANSLATIONS), page: undefined, expected: ["translated"] }),
    missing() {
      const cut = run();
      return {
        ...cut,
        key: pick(["nobody1999", "smith2020lost", "muller1971verloren"]),
        expected: ["unknown"],
        citation: true,
      };
    },
    uncited: () => ({ ...run(), key: undefined, expected: ["uncited"] }),
  };
  const names = Object.keys(kinds);
  return Object.entries(FORMATS).map(([name, format]) => {
    const items = Array.from({ length: count }, (_, i) => ({
      kind: names[i % names.length],
      ...kinds[names[i % names.length]](),
    }));
    return { name, ...format.write(items, pick) };
  });
}

/** Running sentences of 8 to 40 words without marks of their own. */
function sentencesOf(text) {
  const found = [];
  for (const match of text.matchAll(/(?<=[a-z][.!?]\s)[A-Z][^.!?"“”‘’\n*_[\]()@\\{}%&#$~^]{40,260}[.!?](?=\s)/g)) {
    const words = match[0].split(/\s+/).length;
    if (words >= 9 && words <= 40 && !/[A-Z]{5}|\d/.test(match[0]))
      found.push([match.index, match.index + match[0].length]);
  }
  return found;
}

const authorOf = (key) => {
  const work = WORKS[key];
  if (work) return [work[0], work[3]];
  return [key[0].toUpperCase() + /[a-z]+/.exec(key)[0].slice(1), Number(/\d+/.exec(key)[0])];
};
const filler = (pick) =>
  `${pick(["This was long ago.", "Much has been made of it.", "The rest is silence.", "Nobody doubts it now."])} `;

/** Each item is a paragraph; `line` is where it begins. */
function paragraphs(items, pick, write) {
  const lines = [];
  const placed = items.map((item) => {
    const text = write(item, pick(LEADS), filler(pick));
    const line = lines.length + 1;
    lines.push(...text.split("\n"), "");
    return { ...item, line, lastLine: line + text.split("\n").length - 1 };
  });
  return { text: `${lines.join("\n")}\n`, items: placed };
}

const FORMATS = {
  "pandoc, inline": {
    write: (items, pick) =>
      paragraphs(items, pick, ({ text, key, page }, lead, more) => {
        const cited = key ? ` [@${key}${page ? `, p. ${page}` : ""}]` : "";
        return `${more}${lead} “${text}”${cited}.`;
      }),
  },
  "pandoc, blocks": {
    write: (items, pick) =>
      paragraphs(items, pick, ({ text, key, page }, lead) => {
        const words = text.split(" ");
        const half = Math.ceil(words.length / 2);
        const cited = key ? `\n> [@${key}${page ? `, p. ${page}` : ""}]` : "";
        return `${lead} at length:\n\n> ${words.slice(0, half).join(" ")}\n> ${words.slice(half).join(" ")}${cited}\n\nThat is all.`;
      }),
  },
  LaTeX: {
    write(items, pick) {
      const body = paragraphs(items, pick, ({ text, key, page }, lead, more) => {
        const cited = key ? `~\\autocite${page ? `[${page}]` : ""}{${key}}` : "";
        return `${more}${lead} ${pick(["``", "\\enquote{"]) === "``" ? `\`\`${text}''` : `\\enquote{${text}}`}${cited}.`;
      });
      return {
        ...body,
        text: `\\begin{document}\n${body.text}\\end{document}\n`,
        items: body.items.map((item) => ({ ...item, line: item.line + 1, lastLine: item.lastLine + 1 })),
      };
    },
  },
  "author and year, with a list": {
    write(items, pick) {
      const body = paragraphs(items, pick, ({ text, key, page }, lead, more) => {
        if (!key) return `${more}${lead} “${text}”.`;
        const [name, year] = authorOf(key);
        if (year < 1000) return `${more}${lead} “${text}” [@${key}${page ? `, p. ${page}` : ""}].`;
        return pick([true, false])
          ? `${more}${lead} “${text}” (${name}, ${year}${page ? `, p. ${page}` : ""}).`
          : `${more}As ${name} (${year}${page ? `, p. ${page}` : ""}) writes, “${text}”.`;
      });
      const list = Object.values(WORKS).map(
        ([family, given, title, year]) => `${family}, ${given} (${year}). *${title}*.\n`,
      );
      return { ...body, text: `${body.text}# References\n\n${list.join("\n")}` };
    },
  },
  "German marks, broken lines": {
    write: (items, pick) =>
      paragraphs(items, pick, ({ text, key, page }, lead, more) => {
        const cited = key ? ` [@${key}${page ? `, S. ${page}` : ""}]` : "";
        const [open, close] = pick([
          ["„", "“"],
          ["»", "«"],
          ["« ", " »"],
        ]);
        const words = text.split(" ");
        return `${more}${lead} ${open}${words.slice(0, 5).join(" ")}\n${words.slice(5).join(" ")}${close}${cited}.`;
      }),
  },
  footnotes: {
    write(items, pick) {
      const notes = [];
      const body = paragraphs(items, pick, ({ text, key, page }, lead, more) => {
        if (!key) return `${more}${lead} “${text}”`;
        notes.push(`[^n${notes.length + 1}]: @${key}${page ? ` [p. ${page}]` : ""}.`);
        return `${more}${lead} “${text}”[^n${notes.length}]`;
      });
      let at = body.text.split("\n").length + 1;
      let note = 0;
      const items2 = body.items.map((item) => (item.key ? { ...item, noteLine: at + 2 * note++ } : item));
      at = 0;
      return { text: `${body.text}\n${notes.join("\n\n")}\n`, items: items2 };
    },
  },
};

// Books as documents and quotes with known verdicts, all from one seed. Used by the benchmark and by a test.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";

/** A generator of numbers in [0,1) that gives the same run for the same seed. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const BOOKS = [
  ["carroll1865alice", "txt/alice-11-0.txt"],
  ["doyle1892sherlock", "txt/sherlock-1661.txt"],
  ["thoreau1854walden", "txt/walden-205-0.txt"],
  ["melville1851moby", "epub/moby-dick.epub"],
  ["darwin1859origin", "epub/se-charles-darwin_the-origin-of-species.epub"],
  ["aurelius180meditations", "epub/se-marcus-aurelius_meditations_george-long.epub"],
];
const HELD_OUT = "epub/se-mary-shelley_frankenstein.epub";

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

function bookText(file) {
  const bytes = readFileSync(file);
  if (file.endsWith(".txt")) {
    const text = bytes
      .toString("utf8")
      .replace(/^\ufeff/, "")
      .replaceAll("\r\n", "\n");
    const start = text.search(/^\*\*\* ?START OF.*$/m);
    const end = text.search(/^\*\*\* ?END OF.*$/m);
    return text.slice(start < 0 ? 0 : text.indexOf("\n", start), end < 0 ? text.length : end).trim();
  }
  const files = unzipSync(bytes, { filter: ({ name }) => /\.x?html?$/.test(name) && !/toc|nav/.test(name) });
  return Object.keys(files)
    .sort()
    .map((name) =>
      strFromU8(files[name])
        .replace(/^[\s\S]*?<body/i, "<body")
        .replace(/<(script|style)[\s\S]*?<\/\1>/gi, "")
        .replace(/\s+/g, " ")
        .replace(/<\/(p|h\d|li|div|blockquote|section|tr)>|<br ?\/?>/gi, "\n\n")
        .replace(/<[^>]+>/g, "")
        .replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name) =>
          name[0] === "#"
            ? String.fromCodePoint(name[1] === "x" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)))
            : (ENTITIES[name] ?? whole),
        )
        .replace(/[ \t]*\n\s*/g, "\n\n")
        .trim(),
    )
    .join("\n\n");
}

/** The books that are stored, and one that is not, to invent quotes from. */
export function loadBooks(documentsFolder) {
  const books = BOOKS.map(([citekey, file]) => ({
    id: `doc-${citekey}`,
    citekey,
    title: citekey,
    text: bookText(join(documentsFolder, file)),
  }));
  return { books, heldOut: bookText(join(documentsFolder, HELD_OUT)) };
}

/** Chunks of about `size` characters, cut between paragraphs or sentences. */
export function cutChunks(text, size = 900) {
  const spans = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + size);
    if (end < text.length) {
      const stop = Math.max(text.lastIndexOf("\n\n", end), text.lastIndexOf(". ", end) + 1, text.lastIndexOf(" ", end));
      if (stop > start) end = stop;
    }
    if (text.slice(start, end).trim()) spans.push([start, end]);
    start = end;
    while (start < text.length && /\s/.test(text[start])) start++;
  }
  return spans;
}

/** Pages of about 1,800 characters, so that a place can be named. */
export function cutPages(text, size = 1800) {
  return cutChunks(text, size).map(([start, end], i) => ({ number: i + 1, label: String(i + 1), start, end }));
}

const wordsOf = (text) =>
  [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));

/** `count` cases: `{ kind, quote, source?, expected, from? }`. */
export function makeCases({ books, heldOut, count, seed }) {
  const random = randomFrom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const listed = books.map((book) => ({ ...book, words: wordsOf(book.text) }));
  const held = wordsOf(heldOut);
  const run = (text, words, least, most) => {
    for (;;) {
      const length = least + Math.floor(random() * (most - least + 1));
      const first = 20 + Math.floor(random() * (words.length - length - 40));
      const start = words[first].start;
      const end = words[first + length - 1].end;
      const slice = text.slice(start, end);
      // Running text only: no headings, tables or rules, and real words on both ends.
      if (/\n\s*\n/.test(slice) || /[A-Z]{6}|[*_|]{2}|\d{4}/.test(slice) || !/^\W*[A-Za-z]/.test(slice)) continue;
      return { start, end, slice, words: words.slice(first, first + length) };
    }
  };
  const fromBook = (least, most) => {
    const book = pick(listed);
    return { book, ...run(book.text, book.words, least, most) };
  };
  const squash = (text) => text.replace(/\s+/g, " ");

  const kinds = {
    true() {
      const { book, slice, start, end } = fromBook(6, 45);
      return {
        quote: random() < 0.5 ? slice : squash(slice),
        expected: "exact",
        from: { doc_id: book.id, start, end },
        source: random() < 0.3 ? book.citekey : undefined,
      };
    },
    altered() {
      for (;;) {
        const { book, slice, start, end } = fromBook(8, 45);
        const quote = pick(ALTERATIONS)(squash(slice), random);
        if (squash(quote) !== squash(slice))
          return { quote, expected: "normalised", from: { doc_id: book.id, start, end } };
      }
    },
    one_word() {
      for (;;) {
        const { book, words, start, end } = fromBook(9, 40);
        const at = 1 + Math.floor(random() * (words.length - 2));
        const old = words[at].text;
        if (!/^[a-z]{3,}$/.test(old)) continue;
        const other = pick(["seldom", "granite", "purple", "merely", "harvest", "candle", "wander", "sevenfold"]);
        const quote = words.map((word, i) => (i === at ? other : word.text)).join(" ");
        return { quote, expected: "fuzzy", from: { doc_id: book.id, start, end }, changed: { from: old, to: other } };
      }
    },
    stitched() {
      for (;;) {
        const a = fromBook(7, 16);
        const b = fromBook(7, 16);
        if (a.book === b.book && Math.abs(a.start - b.start) < 8000) continue;
        return { quote: `${squash(a.slice)} ${squash(b.slice)}`, expected: "stitched" };
      }
    },
    wrong_book() {
      for (;;) {
        const { book, slice, start, end } = fromBook(9, 40);
        const other = pick(listed.filter((each) => each !== book));
        if (squash(other.text).includes(squash(slice))) continue;
        return {
          quote: squash(slice),
          source: other.citekey,
          expected: "misattributed",
          from: { doc_id: book.id, start, end },
        };
      }
    },
    invented() {
      const { slice } = run(heldOut, held, 9, 40);
      return { quote: squash(slice), expected: "absent" };
    },
  };
  const names = Object.keys(kinds);
  return Array.from({ length: count }, (_, i) => {
    const kind = names[i % names.length];
    return { kind, ...kinds[kind]() };
  });
}

const ALTERATIONS = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'"),
  (text) => text.replace(/"/g, "”").replace(/'/g, "’"),
  (text) => text.replace(/fi/g, "ﬁ").replace(/fl/g, "ﬂ").replace(/ff/g, "ﬀ"),
  (text) => text.replace(/—/g, " – ").replace(/--/g, "—"),
  (text, random) => breakWord(text, random, "-\n"),
  (text, random) => breakWord(text, random, "\u00ad"),
];

/** A hyphen where a printer would have set one. */
function breakWord(text, random, hyphen) {
  const long = [...text.matchAll(/\b[a-z]{7,}\b/g)];
  if (long.length === 0) return text;
  const { index, 0: word } = long[Math.floor(random() * long.length)];
  const at = index + Math.floor(word.length / 2);
  return text.slice(0, at) + hyphen + text.slice(at);
}

/** Text in the books' own words that none of them holds, to make a project of any size. */
export function* filler({ books, seed, chars }) {
  const random = randomFrom(seed);
  const next = new Map();
  for (const { text } of books) {
    const list = text.match(/\S+/g);
    for (let i = 0; i + 1 < list.length; i++) {
      const followers = next.get(list[i]);
      if (!followers) next.set(list[i], [list[i + 1]]);
      else if (followers.length < 40) followers.push(list[i + 1]);
    }
  }
  const starts = [...next.keys()];
  for (let made = 0; made < chars; ) {
    const words = [];
    let word = starts[Math.floor(random() * starts.length)];
    let length = 0;
    while (length < 400_000) {
      words.push(word);
      length += word.length + 1;
      const followers = next.get(word);
      word =
        followers && random() < 0.9
          ? followers[Math.floor(random() * followers.length)]
          : starts[Math.floor(random() * starts.length)];
    }
    made += length;
    yield words.join(" ");
  }
}

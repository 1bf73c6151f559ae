import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldedWords } from "./analysis.js";
import { isOneTypo } from "./vocabulary.js";
import { createWordIndex, type SearchOptions } from "./word-index.js";

const FIELDS = [
  { weight: 1, usual: 40 },
  { weight: 0.6, usual: 8 },
];

function indexOf(documents: (string | [text: string, title: string])[], language = "en") {
  const texts = documents.map((document) => (typeof document === "string" ? [document, ""] : document));
  const index = createWordIndex(FIELDS);
  for (const each of texts) index.add(each, language);
  const find = (query: string, options: Partial<SearchOptions> = {}) =>
    index.search(query, { limit: 10, order: (a, b) => a - b, ...options });
  return { index, texts, find, order: (query: string) => find(query).hits.map(({ document }) => document) };
}

describe("words", () => {
  it("are found in other forms, cases and spellings", () => {
    const { order } = indexOf(["Dependencies point inwards", "Ein Café an der Straße", "nothing of the kind"]);
    expect(order("dependency")).toEqual([0]);
    expect(order("CAFE")).toEqual([1]);
    expect(order("strasse")).toEqual([1]);
  });

  it("rank as typed above other forms, and other forms above guesses", () => {
    const { find } = indexOf(["the tides rise", "the tide rises", "a tidy room"]);
    expect(find("tide").hits.map(({ document }) => document)).toEqual([1, 0]);
    expect(find("tide").hits[0]!.score).toBeGreaterThan(0.8);
    expect(find("tide").hits[1]!.score).toBeLessThan(0.8);
  });

  it("may be mistyped by one letter or left unfinished", () => {
    const { order } = indexOf(["consciousness is a stream", "the stream is conscious", "gardens"]);
    expect(order("conciousness")).toEqual([0]);
    expect(order("consciuosness")).toEqual([0]);
    expect(order("garde")).toEqual([2]);
    expect(order("consc*").sort()).toEqual([0, 1]);
  });

  it("of scripts without spaces are found inside a run", () => {
    const { order } = indexOf(["我在东南大学读书", "大地很学术", "ノルウェイの森を読む"], "zh");
    expect(order("大学")[0]).toBe(0);
    expect(order("森")).toEqual([2]);
  });

  it("that are everywhere do not drown the others, yet can be looked for alone", () => {
    const { order } = indexOf([
      ...Array.from({ length: 200 }, (_, i) => `the day of the number${i}`),
      "to be or not to be, that is the question",
    ]);
    expect(order("the question")[0]).toBe(200);
    expect(order("to be or not to be")[0]).toBe(200);
  });

  it("weigh by field", () => {
    const { order } = indexOf([
      ["water", "on stoicism"],
      ["stoicism", "water"],
    ]);
    expect(order("stoicism")).toEqual([1, 0]);
  });
});

describe("a phrase", () => {
  it("in quotes must stand there word by word", () => {
    const { order } = indexOf(["the rule of law", "law of the rule", "rule by law", "rules of law"]);
    expect(order('"rule of law"')).toEqual([0]);
  });

  it("ranks above any number of the same words apart", () => {
    const apart = "law law law rule rule rule ".repeat(20);
    const { find } = indexOf([
      apart,
      "Some hold that the rule of law is older than states, and others that it is younger.",
      "rule by law",
    ]);
    const { hits } = find("rule of law");
    expect(hits[0]).toMatchObject({ document: 1 });
    expect(hits[0]!.score).toBeGreaterThan(0.8);
    expect(hits[1]!.score).toBeLessThan(0.8);
  });

  it("alone in quotes is a whole phrase wherever it is found, also where it is one word", () => {
    const { find } = indexOf(["there is no end", "no, there is an end", "there is no other, and there is no end"]);
    const { hits, total } = find('"there is no"');
    expect(hits.map(({ document }) => document).sort()).toEqual([0, 2]);
    for (const { score } of hits) expect(score).toBeGreaterThan(0.8);
    expect(total).toBe(2);
    expect(find('"there"').total).toBe(3);
    expect(find('"there is no" other').hits[0]).toMatchObject({ document: 2 });
  });

  it("is distinguished from its words apart in a library of more words than two bytes can number", () => {
    const many = Array.from({ length: 70 }, (_, i) => Array.from({ length: 1000 }, (_, k) => `w${i}x${k}`).join(" "));
    const { order } = indexOf(["early bird song", ...many, "late bird song", "song late bird", "w0x5 late"]);
    expect(order('"bird song"').sort()).toEqual([0, 71]);
    expect(order('"late bird"').sort()).toEqual([71, 72]);
    expect(order('"w69x998 w69x999"')).toEqual([70]);
    expect(order('"w0x5 late"')).toEqual([73]);
  });

  it("does not reach from one field into the next", () => {
    const { find } = indexOf([["clean", "architecture"]]);
    expect(find("clean architecture").hits[0]!.score).toBeLessThan(0.6);
    expect(find('"clean architecture"').hits).toEqual([]);
  });
});

it("forgets removed documents and finds appended ones", () => {
  const { index, texts, order } = indexOf(["first tide", "second tide"]);
  index.remove(0);
  texts.push(["third tide", ""]);
  index.add(texts[2]!, "en");
  expect(order("tide")).toEqual([1, 2]);
});

it("says how many matched beyond the limit, and keeps ties in the given order", () => {
  const { find } = indexOf(Array.from({ length: 300 }, () => "same words here"));
  const found = find("words", { limit: 3, order: (a, b) => b - a });
  expect(found.total).toBe(300);
  expect(found.hits.map(({ document }) => document)).toEqual([299, 298, 297]);
});

it("answers as ever after a search that broke off", () => {
  const { find } = indexOf(["the tide rises", "the tide and the rope", "a high tide"]);
  const before = find("rope tide");
  const broken = () => {
    throw new Error("broken off");
  };
  expect(() => find("tide", { filter: broken })).toThrow("broken off");
  expect(() => find("the tide", { order: broken })).toThrow("broken off");
  expect(find("rope").total).toBe(1);
  expect(find("rope tide")).toEqual(before);
});

it("answers nothing for a query without words", () => {
  expect(indexOf(["something"]).find("?!…")).toMatchObject({ hits: [], total: 0 });
});

const word = fc.constantFrom("sea", "seas", "tide", "moon", "the", "of", "and", "pull", "pulls", "salt");
const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));

it("puts every document with the whole query side by side before every one without, with scores in (0, 1]", () => {
  fc.assert(
    fc.property(
      fc.array(sentence, { minLength: 1, maxLength: 40 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      (documents, query) => {
        const typed = query.join(" ");
        const { find } = indexOf(documents);
        const { hits, total } = find(typed, { limit: 100 });
        const has = (document: number) => ` ${foldedWords(documents[document]!).join(" ")} `.includes(` ${typed} `);
        const ranks = hits.map(({ document }) => has(document));
        expect(ranks.lastIndexOf(true)).toBeLessThan(ranks.includes(false) ? ranks.indexOf(false) : Infinity);
        expect(ranks.filter(Boolean)).toHaveLength(documents.filter((_, i) => has(i)).length);
        for (const { score } of hits) expect(score > 0 && score <= 1).toBe(true);
        expect(total).toBe(hits.length);
      },
    ),
    { numRuns: 300 },
  );
});

it("finds a quoted phrase in just the documents that have it, however often and late its words stand there", () => {
  const word = fc.constantFrom("tide", "moon", "rope", "salt", "the", "of");
  const text = fc.array(word, { minLength: 1, maxLength: 130 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 12 }),
      fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 }),
      (documents, phrases) => {
        const { find } = indexOf(documents.map(([body, title]) => [body.join(" "), title.join(" ")]));
        const found = find(phrases.map((phrase) => `"${phrase.join(" ")}"`).join(" "), { limit: 100 });
        const has = (words: string[], phrase: string[]) => ` ${words.join(" ")} `.includes(` ${phrase.join(" ")} `);
        const expected = documents.flatMap((fields, i) =>
          phrases.every((phrase) => fields.some((field) => has(field, phrase))) ? [i] : [],
        );
        expect(found.hits.map(({ document }) => document).sort((a, b) => a - b)).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  );
});

it("takes one letter too many, too few, wrong, or two swapped as a typo, and nothing else", () => {
  for (const [a, b] of [
    ["tide", "tides"],
    ["tide", "tde"],
    ["tide", "tade"],
    ["tide", "tdie"],
  ])
    expect(isOneTypo(a!, b!), `${a} ${b}`).toBe(true);
  for (const [a, b] of [
    ["tide", "tide"],
    ["tide", "edit"],
    ["tide", "ti"],
    ["tide", "tidal"],
  ])
    expect(isOneTypo(a!, b!), `${a} ${b}`).toBe(false);
});

import { describe, expect, it } from "vitest";
import { analyse, foldedWords, hasPhrase, parseQuery, phraseText, queryWords } from "./analysis.js";
import { fold } from "./fold.js";
import { detectLanguage } from "./language.js";

const finds = (text: string, query: string, language: string) => {
  const indexed = new Set(analyse(text, language));
  return queryWords(parseQuery(query), [language]).some(({ terms }) => terms.some((term) => indexed.has(term)));
};

describe("words", () => {
  it("are the same with and without capitals, accents, ligatures and soft hyphens", () => {
    expect(fold("CAFÉ")).toBe(fold("cafe\u0301"));
    expect(fold("eﬃcient")).toBe("efficient");
    expect(fold("Stra\u00adße")).toBe("strasse");
    expect(finds("Le résumé des entités", "resume", "fr")).toBe(true);
    expect(finds("Der Fluß über dem Tal", "FLUSS", "de")).toBe(true);
  });

  it("keep letters that only look like accents", () => {
    expect(fold("й")).toBe("й");
    expect(fold("हिन्दी")).toBe("हिन्दी".normalize("NFC"));
  });

  it("are found in another form of the same word", () => {
    expect(finds("The dependencies were inverted", "dependency inversion", "en")).toBe(true);
    expect(finds("Die Abhängigkeiten", "Abhängigkeit", "de")).toBe(true);
    expect(finds("Зависимости между модулями", "модуль", "ru")).toBe(true);
  });

  it("keep numbers, with thousands in one spelling", () => {
    expect(analyse("1,000 of 3.14 in 2023", "en")).toEqual(["1000", "of", "3.14", "in", "2023"]);
  });

  it("lose the clitics an apostrophe leaves behind", () => {
    expect(foldedWords("the author’s l'homme we'll")).toEqual(["the", "author", "homme", "we"]);
  });

  it("of Chinese and Japanese are found by character and by pairs", () => {
    expect(analyse("东南大学", "zh")).toEqual(["东", "南", "东南", "大", "南大", "学", "大学"]);
    expect(finds("我在东南大学读书", "大学", "zh")).toBe(true);
    expect(analyse("GPT模型", "zh")).toEqual(["gpt", "模", "型", "模型"]);
  });

  it("of Arabic are found whatever the vowel points and alef form", () => {
    expect(fold("أَحْمَد")).toBe(fold("احمد"));
  });
});

describe("a query", () => {
  it("may hold quoted phrases and beginnings of words", () => {
    expect(parseQuery('why "clean architecture" and depend*')).toEqual({
      phrases: [["clean", "architecture"]],
      prefixes: ["depend"],
      words: ["why", "clean", "architecture", "and"],
    });
  });

  it("loses its stop words, but never all of its words", () => {
    const words = (query: string) => queryWords(parseQuery(query), ["en"]).map(({ word }) => word);
    expect(words("what is the dependency rule")).toEqual(["dependency", "rule"]);
    expect(words("to be or not to be")).toEqual(["to", "be", "or", "not"]);
  });

  it("is read in every language of the texts", () => {
    expect(queryWords(parseQuery("organisation"), ["en", "de"])).toEqual([
      { word: "organisation", terms: expect.arrayContaining([expect.any(String)]), required: false, weight: 1 },
    ]);
    expect(queryWords(parseQuery("Häuser"), ["de", "en"])[0]?.terms.length).toBe(2);
  });

  it("weighs a word by how often the question says it", () => {
    const weights = new Map(
      queryWords(parseQuery("the titles of chapters and the titles of books"), ["en"]).map(({ word, weight }) => [
        word,
        weight,
      ]),
    );
    expect(weights.get("titles")).toBeCloseTo(1.8);
    expect(weights.get("books")).toBe(1);
  });

  it("must have the words of its phrases, even where they are stop words", () => {
    const required = (query: string) =>
      queryWords(parseQuery(query), ["en"])
        .filter((word) => word.required)
        .map(({ word }) => word);
    expect(required('hamlet "not to be"')).toEqual(["not", "to", "be"]);
    expect(required('rules of "the clean architecture"')).toEqual(["clean", "architecture"]);
    expect(required("“东南” 大学")).toEqual(["东", "南"]);
  });

  it("stems a word by its own script", () => {
    expect(finds("Паттерн dependency inversion", "dependencies", "ru")).toBe(true);
  });

  it("of punctuation alone has no words", () => {
    expect(queryWords(parseQuery("?! -- …"), ["en"])).toEqual([]);
  });
});

it("checks phrases word by word", () => {
  const text = phraseText("Clean  Architecture, explained. 东南大学");
  expect(hasPhrase(text, ["clean", "architecture"])).toBe(true);
  expect(hasPhrase(text, ["lean", "architecture"])).toBe(false);
  expect(hasPhrase(text, [..."南大"])).toBe(true);
});

describe("language", () => {
  it.each([
    ["en", "The dependency rule says that source code must only point inward."],
    ["de", "Die Abhängigkeiten dürfen nur nach innen zeigen, und das ist die Regel."],
    ["fr", "Les entités sont des objets qui ont une identité dans le domaine."],
    ["es", "Las entidades son objetos que tienen una identidad en el dominio."],
    ["it", "Le entità sono oggetti che hanno una identità nel dominio della applicazione."],
    ["pt", "As entidades são objetos que não têm apenas uma identidade no domínio."],
    ["nl", "De afhankelijkheden mogen alleen naar binnen wijzen, en dat is een regel."],
    ["sv", "Beroenden får bara peka inåt och det är en regel som inte kan brytas."],
    ["ru", "Зависимости должны быть направлены только внутрь."],
    ["uk", "Залежності мають бути спрямовані лише всередину, і це правило."],
    ["ar", "يجب أن تشير التبعيات إلى الداخل فقط"],
    ["zh", "依赖关系只能指向内部"],
    ["ja", "依存関係は内側だけを指すべきです"],
    ["el", "Οι εξαρτήσεις πρέπει να δείχνουν μόνο προς τα μέσα"],
  ])("of a sentence in %s is found", (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it("is not guessed from a name or a number", () => {
    expect(detectLanguage("Kuhn 1962")).toBeNull();
    expect(detectLanguage("42")).toBeNull();
  });
});

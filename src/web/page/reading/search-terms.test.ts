import { expect, it } from "vitest";
import { searchTerms, termOf } from "./search-terms.js";

it("terms and words are kept apart, values in quotation marks keep their spaces", () => {
  expect(searchTerms('tides author:"Ann Lee" -tag:done before:2026 "a phrase"')).toMatchObject({
    words: 'tides "a phrase"',
    terms: [
      { key: "author", value: "Ann Lee", not: false },
      { key: "tag", value: "done", not: true },
      { key: "before", value: "2026", not: false },
    ],
  });
});

it("what only looks like a term is searched as it stands", () => {
  expect(searchTerms("Emma: a novel http://example.org 12:30")).toEqual({
    words: "Emma: a novel http://example.org 12:30",
    terms: [],
  });
});

it("a term that has no value yet asks for nothing", () => {
  expect(searchTerms("sea tag:")).toEqual({ words: "sea", terms: [] });
});

it.each(["sea", "Ann Lee", "a,b", 'the "deep" sea'])("a term made of %s is read back as it was", (value) => {
  expect(searchTerms(termOf("tag", value)).terms[0]?.value).toBe(value.replaceAll('"', ""));
});

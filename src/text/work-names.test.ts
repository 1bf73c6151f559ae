import { describe, expect, it } from "vitest";
import { isNameOf, nameIn } from "./work-names.js";

const DARWIN = { title: "The Origin of Species", author: "Charles Darwin" };
const SMITH = { title: "An Inquiry into the Nature and Causes of the Wealth of Nations", author: "Adam Smith" };
const THOREAU = { title: "Walden; or, Life in the Woods", author: "Henry David Thoreau" };
const names = (query: string, work: typeof DARWIN) => {
  const words = nameIn(query);
  return words !== undefined && isNameOf(words, work);
};

describe("a query that names a work", () => {
  it("is an author's name, or a part of it", () => {
    for (const query of ["Darwin", "charles darwin", "DARWIN, Charles"]) expect(names(query, DARWIN), query).toBe(true);
    expect(names("Darwin's finches", DARWIN)).toBe(false);
  });

  it("is a title, with its article or without, its main part, or two telling words it begins or ends with", () => {
    for (const query of ["The Origin of Species", "origin of species"]) expect(names(query, DARWIN), query).toBe(true);
    for (const query of ["Walden", "walden: or life in the woods", "life in the woods"])
      expect(names(query, THOREAU), query).toBe(true);
    expect(names("the wealth of nations", SMITH)).toBe(true);
  });

  it("is both together, in any order", () => {
    for (const query of ["Walden by Thoreau", "thoreau walden"]) expect(names(query, THOREAU), query).toBe(true);
    expect(names("Darwin on species", DARWIN)).toBe(true);
  });

  it("is not a topic that a title happens to speak of", () => {
    expect(names("species", DARWIN)).toBe(false);
    expect(names("woods", THOREAU)).toBe(false);
    expect(names("nature and causes", SMITH)).toBe(false);
    expect(names("Thoreau on solitude", THOREAU)).toBe(false);
    expect(nameIn("the")).toBeUndefined();
    expect(nameIn("what did the author of this book say about the origin of species on islands")).toBeUndefined();
  });
});

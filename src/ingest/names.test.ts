import { describe, expect, it } from "vitest";
import { isPersonName, splitAuthors } from "./names.js";

describe("names in a field", () => {
  it.each([
    ["The Debian Policy Mailing List", ["The Debian Policy Mailing List"]],
    ["Deri James, and, Peter Schaffter,", ["Deri James", "Peter Schaffter"]],
    ["Lovelace, Ada", ["Lovelace, Ada"]],
    ["Ada Lovelace, Charles Babbage & Mary Somerville", ["Ada Lovelace", "Charles Babbage", "Mary Somerville"]],
    ["The XFree86 Project, Inc", ["The XFree86 Project, Inc"]],
    ["Scott Pakin <scott+iecnf@pakin.org>", ["Scott Pakin"]],
    ["by Alexandros Stamatakis, maintained by others", ["Alexandros Stamatakis"]],
    ["(c) 2007 Jean-Marc Valin", ["Jean-Marc Valin"]],
    ["Tessa Long et al.", ["Tessa Long"]],
    [
      "W. Martin Borgert, Holger Wansing, Ilya V. Golovko (Russian)",
      ["W. Martin Borgert", "Holger Wansing", "Ilya V. Golovko"],
    ],
    ["Josip Rodin、Osamu Aoki（青木修）、周 默和杨 博远", ["Josip Rodin", "Osamu Aoki", "周 默", "杨 博远"]],
    ["ARRAY(0x55d0c8)", []],
    ['Your Name ("Language")', []],
    ["al.", []],
    ["Administrator", []],
    ["", []],
  ])("%s", (field, names) => {
    expect(splitAuthors(field)).toEqual(names);
  });
});

it("a person's name is distinguished from a heading", () => {
  for (const name of ["Simone de Beauvoir", "G.K.M. Tobin", "Hossam A. H. Fahmy", "LÁSZLÓ NÉMETH", "青木修"])
    expect([name, isPersonName(name)]).toEqual([name, true]);
  for (const name of ["Introduction", "How to use the engine", "Xiph.org Foundation", "January 27, 2022"])
    expect([name, isPersonName(name)]).toEqual([name, false]);
});

import { describe, expect, it } from "vitest";
import { layOut } from "./pdf-layout.js";
import type { Run } from "./pdf-segments.js";

const run = (text: string, x: number, y: number, more: Partial<Run> = {}): Run => ({
  text,
  x,
  y,
  width: text.length * 5,
  size: 10,
  mono: false,
  font: "f",
  turned: false,
  ...more,
});
const texts = (runs: readonly Run[]) => layOut(runs, 1).map(({ text }) => text);

describe("the lines of a page", () => {
  it("read one column after the other below a title and an abstract across both", () => {
    const abstract = run("An abstract that is about as wide as the whole page, across the gutter", 90, 60);
    const left = Array.from({ length: 8 }, (_, i) => run(`left column line ${i} of the text`, 50, 120 + i * 12));
    const right = Array.from({ length: 8 }, (_, i) => run(`right column line ${i} of the text`, 300, 120 + i * 12));
    const heads = [run("I. FIRST", 100, 96), run("A. Second", 350, 96)] as const;
    expect(texts([abstract, heads[0], ...left, heads[1], ...right])).toEqual(
      [abstract, heads[0], ...left, heads[1], ...right].map(({ text }) => text),
    );
  });

  it("have a letter once that is drawn twice to look bold", () => {
    const drawn = [
      run("A", 50, 100, { width: 10 }),
      run("AM", 50.1, 100, { width: 20 }),
      run("MP", 60, 100, { width: 20 }),
    ];
    expect(texts(drawn)).toEqual(["AMP"]);
  });

  it("read one column after the other where one side is code and the gutter is ragged", () => {
    const left = ["int main() {", "  return a[0] + a[1] + a[2];", "}", "void f(void);"].map((text, i) =>
      run(text, 50, 100 + i * 12, { mono: true }),
    );
    const right = ["The function on the left", "adds three numbers and", "returns what it found", "to the caller."].map(
      (text, i) => run(text, 300, 100 + i * 12),
    );
    const head = run("A Paper in Two Columns, with a Title across Both of Them", 80, 60);
    expect(texts([...left, ...right, head])).toEqual([
      "A Paper in Two Columns, with a Title across Both of Them",
      ...left.map(({ text }) => text.trim()),
      ...right.map(({ text }) => text),
    ]);
  });

  it("keep a table's cells together where they have several lines, row by row", () => {
    const row = (y: number, term: string[], meaning: string[]) => [
      ...term.map((text, i) => run(text, 50, y + i * 12)),
      ...meaning.map((text, i) => run(text, 200, y + i * 12)),
    ];
    const lines = texts([
      ...row(100, ["--get", "selections"], ["Write the selections", "to a file."]),
      ...row(140, ["--set", "selections"], ["Read the selections", "from a file."]),
    ]);
    expect(lines.join(" | ")).toBe(
      "--get | selections | Write the selections | to a file. | --set | selections | Read the selections | from a file.",
    );
  });

  it("keep centred cells whole below a centred heading, and where a word nearly touches the next cell", () => {
    const heading = run("Getting Help", 180, 88, { font: "bold" });
    const card = [
      heading,
      run("man page or", 50, 106),
      run("man bash", 50, 118),
      run("Read help for every", 220, 100),
      run("command and many", 220, 112),
      run("configuration files.", 220, 124),
      run("su -", 50, 142),
      run("[name_of_user]", 50, 154, { width: 165 }),
      run("Become another", 220, 136),
      run("user of the system, e.g.", 220, 148),
      run("root.", 220, 160),
    ];
    expect(texts(card)).toEqual(card.map(({ text }) => text));
  });

  it("leave line numbers of a listing or a draft aside", () => {
    const lines = [
      "This sentence describes",
      "the different ways of",
      "counting lines, of which",
      "there are too many.",
    ];
    const runs = lines.flatMap((text, i) => [run(String(91 + i), 20, 100 + i * 12), run(text, 50, 100 + i * 12)]);
    const read = layOut(runs, 1);
    expect(read.filter(({ lineNumber }) => !lineNumber).map(({ text }) => text)).toEqual(lines);
    expect(read.filter(({ lineNumber }) => lineNumber).map(({ text }) => text)).toEqual(["91", "92", "93", "94"]);
  });

  it("from right to left keep Latin words between them in their own order", () => {
    const words = [
      run("قرأ", 300, 100, { width: 20 }),
      run("كتاب", 270, 100, { width: 20 }),
      run("Project", 190, 100),
      run("Gutenberg", 230, 100, { width: 30 }),
      run("أمس", 160, 100, { width: 20 }),
    ];
    expect(texts(words)).toEqual(["قرأ كتاب Project Gutenberg أمس"]);
  });
});

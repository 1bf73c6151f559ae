import { describe, expect, it } from "vitest";
import { citationsIn } from "./citations-in.js";
import { latexView } from "./latex-view.js";
import { markdownView } from "./markdown-view.js";
import { parseDraft } from "./parse.js";
import { quotationsIn } from "./quotations.js";
import { referencesIn } from "./references.js";
import type { DraftView } from "./view.js";

const quoted = (view: DraftView) =>
  quotationsIn(view).map(({ start, end, depth, kind }) => {
    const text = view.text.slice(start, end).replace(/\s+/g, " ");
    return kind === "block" ? `block: ${text}` : `${">".repeat(depth)}${text}`;
  });
const markdown = (text: string) => quoted(markdownView(text));
const cited = (view: DraftView, families: string[] = []) =>
  citationsIn(view, new Set(families)).map(({ key, names, year, locator, again }) =>
    [again ? "ibid" : (key ?? names?.join("+")), year, locator && `${locator.label} ${locator.value}`]
      .filter(Boolean)
      .join(" "),
  );

describe("finding the quotations of a draft", () => {
  it.each([
    ["English", "He says “the mass of men” here.", ["the mass of men"]],
    ["straight", 'He says "the mass of men" here.', ["the mass of men"]],
    ["German", "Er sagt „die Masse der Menschen“ hier.", ["die Masse der Menschen"]],
    ["Polish", "Mówi „większość ludzi” tutaj.", ["większość ludzi"]],
    ["French", "Il dit « la masse des hommes » ici.", ["la masse des hommes"]],
    ["Danish", "Han siger »mængden af mennesker« her.", ["mængden af mennesker"]],
    ["Swedish", "Han säger ”massan av människor” här.", ["massan av människor"]],
    ["Japanese", "彼は「大多数の人間は」と言う。", ["大多数の人間は"]],
    ["British", "He says ‘the mass of men don’t know’ here.", ["the mass of men don’t know"]],
    ["straight single", "He says 'the mass of men' and it's so.", ["the mass of men"]],
  ])("in %s marks", (_name, text, expected) => {
    expect(markdown(text)).toEqual(expected);
  });

  it("inside each other, over line ends, and as blocks", () => {
    expect(markdown("“and what is the use of a book,\nthought Alice, ‘without pictures’ in it”")).toEqual([
      "and what is the use of a book, thought Alice, ‘without pictures’ in it",
      ">without pictures",
    ]);
    expect(
      markdown("Thoreau says:\n\n> The mass of men lead lives\n> of quiet desperation. [@walden, p. 7]\n\nSo."),
    ).toEqual(["block: The mass of men lead lives of quiet desperation."]);
  });

  it("but not in code, comments, headings or front matter", () => {
    expect(
      markdown(
        '---\ntitle: "A title in marks"\n---\n# A “heading” here\n\n<!-- “hidden words” -->\n\n```\n"code"\n```\n\n`"tick"` end',
      ),
    ).toEqual([]);
  });

  it("without the markup inside them, and with their place in the draft", () => {
    const draft = "He says “the *mass* of [men](http://x.example/a_b)” here.";
    const view = markdownView(draft);
    const [quotation] = quotationsIn(view);
    expect(view.text.slice(quotation!.start, quotation!.end)).toBe("the mass of men");
    expect(draft.slice(view.at[quotation!.start]!, view.at[quotation!.end - 1]! + 1)).toBe("the *mass* of [men");
  });

  it("in LaTeX", () => {
    expect(
      quoted(
        latexView(
          "\\documentclass{article}\\begin{document}\nHe says ``the \\emph{mass} of men'' % “no”\nand \\enquote{the \\enquote*{inner} caf\\'e \\ldots{} end}.\n\\begin{quote}The mass of men~lead lives.\\end{quote}\n\\end{document}",
        ),
      ),
    ).toEqual(["the mass of men", "the ‘inner’ café … end", ">inner", "block: The mass of men lead lives."]);
  });
});

describe("finding the citations of a draft", () => {
  it("in pandoc's syntax", () => {
    expect(
      cited(
        markdownView(
          "As @thoreau1854 [p. 7] says [see @a_b, pp. 3-4; -@{odd key}, ch. 2], write to me@example.org. [-@x]. @last.",
        ),
      ),
    ).toEqual(["thoreau1854 page 7", "a_b page 3–4", "odd key chapter 2", "x", "last"]);
  });

  it("as author and year", () => {
    expect(
      cited(
        markdownView(
          "One (Thoreau, 1854, p. 7; Lakoff & Johnson 1980: 12–13). Darwin (1859) says so; see van den Berg et al. (2001, pp. 4–5). In 1862 (a cold year) nothing. (ibid., p. 8)",
        ),
      ),
    ).toEqual([
      "thoreau 1854 page 7",
      "lakoff+johnson 1980 page 12–13",
      "darwin 1859",
      "van den berg 2001 page 4–5",
      "ibid page 8",
    ]);
  });

  it("as name and page where the author is known, and in footnotes", () => {
    expect(cited(markdownView("He says so (Thoreau 45) and (see Figure 2)."), ["thoreau"])).toEqual([
      "thoreau page 45",
    ]);
    expect(
      cited(markdownView("So he says.[^1]\n\n[^1]: Henry David Thoreau, *Walden*, 45.\n[^2]: Ibid., 46."), ["thoreau"]),
    ).toEqual(["henry david thoreau page 45", "ibid page 46"]);
  });

  it("in LaTeX", () => {
    expect(
      cited(
        latexView(
          "A \\autocite[see][p.~7]{thoreau1854} b \\citep{a,b} c \\autocites[3]{x}[4--5]{y} d \\textcquote[9]{z}{quoted words}.",
        ),
      ),
    ).toEqual(["thoreau1854 page 7", "a", "b", "x page 3", "y page 4–5", "z page 9"]);
  });

  it("in LaTeX, where commands that only set up citations cite nothing", () => {
    const setUp = [
      "\\citestyle{apa}\\setcitestyle{square,comma}\\nocite{*}",
      "\\newcites{prim}{Primary sources}\\nociteprim{x}\\DeclareCiteCommand{\\own}{}{}{}{}\\citereset",
    ];
    for (const commands of setUp)
      expect(cited(latexView(`${commands} Text \\citep{a}, \\newcite{b} and \\notecite{c}.`))).toEqual(["a", "b", "c"]);
  });

  it("and the works it lists", () => {
    const view = markdownView(
      "Text (Thoreau, 1854).\n\n## References\n\nThoreau, H. D. (1854). *Walden*. Boston.\n\nCarroll, Lewis. 1865. Alice.\n\n# Notes\n\nNothing, 1999.",
    );
    expect(referencesIn(view).listed.map(({ name, year }) => [name, year])).toEqual([
      ["thoreau", 1854],
      ["carroll", 1865],
    ]);
  });
});

describe("a draft with more than anybody writes", () => {
  it.each([
    ["quotations", "“the mass of men” "],
    ["citations", "so it is [@key]. "],
    ["paragraphs", "# a\n\nb\n\n"],
  ])("is refused: too many %s", (what, part) => {
    const most = what === "paragraphs" ? 50_000 : 5_000;
    const text = part.repeat(what === "paragraphs" ? 26_000 : 5_001);
    expect(() => parseDraft(text, { families: [] })).toThrow(new RegExp(`${what}; up to ${most}`));
  });
});

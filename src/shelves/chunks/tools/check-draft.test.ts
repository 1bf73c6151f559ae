import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Connected, connect } from "../../../../tests/support/connect.js";
import { fakeEmbedders } from "../../../../tests/support/fake-embedders.js";
import { type Fixture, readwiseFixture } from "../../../../tests/support/readwise.js";
import { smallLibrary } from "../../../../tests/support/small-library.js";
import { twoBooks } from "../../../../tests/support/two-books.js";
import { createCitations } from "../../../citations/citations.js";
import { createDrafts } from "../../../citations/draft/drafts.js";
import { createQuotes, type Quotes } from "../../../citations/quotes.js";
import { STYLE_NAMES } from "../../../citations/style.js";
import { createSearch } from "../search.js";
import { checkDraft } from "./check-draft.js";

interface Finding {
  line: number;
  kind: string;
  verdict: string;
  severity: string;
  text: string;
  [field: string]: unknown;
}

describe("check_draft", () => {
  let fixture: Fixture;
  let client: Connected;
  let quotes: Quotes;
  beforeAll(async () => {
    const store = await twoBooks();
    quotes = createQuotes({ store });
    fixture = await readwiseFixture({ libraries: { key: smallLibrary().library } });
    const search = createSearch({ store, embedders: fakeEmbedders() });
    client = await connect({
      tools: [checkDraft],
      services: { drafts: createDrafts({ quotes, store, search }), readwise: fixture.shelf },
      readwiseKey: "key",
    });
  });
  afterAll(async () => {
    await client.close();
    await fixture.close();
  });
  const check = async (text: string, more: Record<string, unknown> = {}) => {
    const answer = await client.call("check_draft", { text, show: "all", claims: false, ...more });
    expect(answer.error).toBeUndefined();
    return answer as {
      findings: Finding[];
      summary: string;
      ok: boolean;
      total: number;
      next_from: number | null;
      not_searched: string[];
    };
  };
  const quotation = async (text: string, more?: Record<string, unknown>) =>
    (await check(text, more)).findings.find(({ kind }) => kind === "quotation");

  it("looks a draft up once for all pages of its findings, and again when it is asked from the beginning", async () => {
    const text = `${"“The mass of men lead lives of noisy desperation” [@thoreau1854, p. 8].\n\n".repeat(60)}`;
    const opened = vi.spyOn(quotes, "open");
    const first = await check(text, { show: "edits" });
    expect(first.total).toBeGreaterThan(first.findings.length);
    const once = opened.mock.calls.length;
    const seen = [...first.findings];
    for (let from = first.next_from; from !== null; ) {
      const page = await check(text, { show: "edits", from });
      seen.push(...page.findings);
      from = page.next_from;
    }
    expect(seen).toHaveLength(first.total);
    expect(opened.mock.calls.length).toBe(once);
    await check(text, { show: "edits" });
    expect(opened.mock.calls.length).toBe(2 * once);
    opened.mockRestore();
  });

  it("proposes a citation in the form the draft itself uses", async () => {
    const proposed = async (text: string) => (await quotation(text))?.cite;
    expect(await proposed("“The mass of men lead lives of quiet desperation” [@thoreau1854, p. 70].")).toBe(
      "[@thoreau1854, p. viii]",
    );
    expect(await proposed("\\section{A} ``The mass of men lead lives'' \\cite[70]{thoreau1854}.")).toBe(
      "\\autocite[viii]{thoreau1854}",
    );
    expect(await proposed("“The mass of men lead lives of quiet desperation” (Thoreau, 1854, p. 70).")).toBe(
      "(Thoreau, 1854, p. viii)",
    );
  });

  it("gives the true wording with the source's own stops inside, and leaves those at the ends", async () => {
    const found = await quotation(
      "“I went to the forest because I wished, to live deliberately to front only the essential facts” [@thoreau1854].",
    );
    expect(found).toMatchObject({
      verdict: "altered",
      wording: "I went to the woods because I wished to live deliberately, to front only the essential facts",
    });
  });

  it.each([
    ["exact", "“The mass of men lead lives of quiet desperation” [@thoreau1854, p. 8]."],
    ["exact", "“The mass of men lead lives of quiet desperation” [@thoreau1854, p. viii]."],
    ["exact", "“I went to the woods […] to front only the essential facts” [@thoreau1854, p. 7]."],
    ["exact", "> The mass of men lead lives\n> of quiet desperation.\n\n[@thoreau1854, p. 8]"],
    ["exact", "He says „The mass of men lead lives of quiet desperation“ (Thoreau, 1854, p. 8)."],
    ["exact", "Thoreau (1854, p. 8) says “The mass of men lead lives of quiet desperation”."],
    ["exact", "“The mass of men lead lives of quiet desperation.”[^1]\n\n[^1]: Thoreau, *Walden*, 8."],
    ["exact", "“The mass of [people] lead lives of quiet desperation” [@thoreau1854, p. 8]."],
    ["exact", "\\section{A} ``The mass of men lead lives of quiet desperation'' \\autocite[8]{thoreau1854}."],
    [
      "exact",
      "Thoreau (1854) says “The mass of men lead lives of quiet desperation”. See also Alice [@carroll1865] on this.",
    ],
    [
      "exact",
      "“The mass of men lead lives of quiet desperation” [@thoreau1854, p. 8].[^1]\n\n[^1]: See also @carroll1865 on something else.",
    ],
    [
      "exact",
      "\\section{A} \\textquote[{\\cite[8]{thoreau1854}}]{The mass of men lead lives of quiet desperation}. Alice \\cite{carroll1865} does not.",
    ],
    ["exact", "\\section{A} ``The mass of $m_en$ lead lives of quiet desperation'' \\autocite[8]{thoreau1854}."],
    ["normalised", "“the mass of men lead lives of quiet desperation” [@thoreau1854]."],
    ["normalised", "“the mass of men lead lives of quiet desperation,” says Thoreau [@thoreau1854]."],
    ["normalised", "“The mass of men lead lives of quiet desperation;” so it is [@thoreau1854]."],
    ["normalised", "“The mass of men lead lives.” [@thoreau1854]"],
    ["altered", "“The mass of women lead lives of quiet desperation” [@thoreau1854, p. 8]."],
    ["misattributed", "“The mass of men lead lives of quiet desperation” [@carroll1865]."],
    ["wrong_page", "“The mass of men lead lives of quiet desperation” [@thoreau1854, p. 7]."],
    ["stitched", "“I went to the woods because I wished once or twice she had peeped into the book” [@thoreau1854]."],
    ["absent", "“Nobody ever wrote these seven peculiar words here” [@thoreau1854, p. 8]."],
    ["uncited", "As they say, “The mass of men lead lives of quiet desperation”."],
    [
      "translated",
      "„Ich ging in die Wälder, weil ich bewusst leben wollte, und nur den wesentlichen Dingen des Lebens begegnen“ [@thoreau1854].",
    ],
  ])("calls a quotation %s: %s", async (verdict, text) => {
    expect(await quotation(text)).toMatchObject({ verdict });
  });

  const MASS = "“The mass of men lead lives of quiet desperation”.[^1]\n\n[^1]: ";
  it.each([
    ["misattributed", "error", "Lewis Carroll, “Alice’s Adventures in Wonderland,” *Journal* (Bookwheel, 2025), 12."],
    ["misattributed", "error", "Lewis Carroll, *Alice’s Adventures in Wonderland* (London: Macmillan, 1865), 12."],
    ["misattributed", "error", "Carroll, *Alice’s Adventures* (1865), 12."],
    ["exact", "ok", "Henry David Thoreau, *Walden* (Boston: Ticknor and Fields, 1854), 8."],
    ["exact", "ok", "See Henry David Thoreau, “Walden,” *Essays* 3, no. 2 (2004): pp. 7-8, https://doi.org/10.1/99."],
    ["exact", "ok", "Henry David Thoreau,\n    *Walden* (Carroll, 1854), 8 (emphasis added)."],
    ["exact", "ok", "Henry David Thoreau, *Walden*, 1854."],
    ["exact", "ok", "Thoreau (1854), 8."],
    ["wrong_page", "error", "Henry David Thoreau, *Walden* (Ticknor, 1854), 99."],
    ["wrong_page", "error", "Henry David Thoreau, *Walden* (1854), p. 99. Emphasis added."],
    ["wrong_page", "error", "Henry David Thoreau, “Walden,” pp. 20-25."],
    ["unchecked", "warning", "Dara Quill, “Nowhere to be Found in What Was Read,” *Journal* (Bookwheel, 2025), 12."],
    ["unchecked", "warning", "Henry David Thoreau, “Some Other Essay of His,” *Journal* (2025), 12."],
  ])("checks a quotation by the author, title and page of its note, %s: %s %s", async (verdict, severity, note) => {
    const { findings } = await check(MASS + note);
    expect(findings.filter(({ kind }) => kind === "quotation")).toMatchObject([{ verdict, severity }]);
  });

  const LIST = [
    "# References",
    "[1] H. D. Thoreau, *Walden*. Boston: Ticknor and Fields, 1854.",
    "[2] L. Carroll, *Alice’s Adventures in Wonderland*. London: Macmillan, 1865.",
    "[3] D. Quill, *Nowhere to be Found*. Bookwheel, 2025.",
  ];
  it.each([
    ["exact", "“The mass of men lead lives of quiet desperation” [1]."],
    ["exact", "“The mass of men lead lives of quiet desperation” [1, p. 8]."],
    ["exact", "“The mass of men lead lives of quiet desperation” [1–3]."],
    ["wrong_page", "“The mass of men lead lives of quiet desperation” [1, pp. 20-25]."],
    ["misattributed", "“The mass of men lead lives of quiet desperation” [2]."],
    ["unchecked", "“The mass of men lead lives of quiet desperation” [3]."],
    ["misattributed", "“The mass of men lead lives of quiet desperation” (2)."],
    ["uncited", "“The mass of men lead lives of quiet desperation”: (1) in towns, (2) in the country."],
  ])("follows a number to the draft's own list, %s: %s", async (verdict, text) => {
    const { findings } = await check([text, ...LIST].join("\n\n"));
    expect(findings.filter(({ kind }) => kind === "quotation")).toMatchObject([{ verdict }]);
  });

  it("reads a numbered list in one paragraph and in Vancouver's form", async () => {
    const listed =
      "# References\n\n1. Thoreau HD. Walden. Boston: Ticknor; 1854.\n2. Carroll L. Alice’s Adventures in Wonderland. London: Macmillan; 1865.";
    const { findings } = await check(`“The mass of men lead lives of quiet desperation” [2].\n\nAnd [1].\n\n${listed}`);
    expect(findings.map(({ kind, verdict, text }) => [kind, verdict, text])).toEqual([
      ["quotation", "misattributed", expect.any(String)],
      ["citation", "known", "[2]"],
      ["citation", "known", "[1]"],
    ]);
  });

  it("reports numbers that the list lacks, and entries that no number cites", async () => {
    const { findings } = await check(["As was shown [1, 7].", ...LIST].join("\n\n"));
    expect(findings.map(({ verdict, text }) => [verdict, text.slice(0, 8)])).toEqual([
      ["not_listed", "[1, 7]"],
      ["not_cited", "[2] L. C"],
      ["not_cited", "[3] D. Q"],
      ["known", "[1, 7]"],
    ]);
  });

  it("takes a number in brackets for a citation only where the list is numbered", async () => {
    const { findings } = await check(
      "He said it [2] twice.\n\n# References\n\nThoreau, H. D. (1854). Walden. Ticknor.",
    );
    expect(findings.map(({ verdict }) => verdict)).toEqual(["not_cited"]);
  });

  it("never passes a quotation whose citation names no known work", async () => {
    expect(await quotation("“The mass of men lead lives of quiet desperation” (Nobody, 1999).")).toMatchObject({
      verdict: "unchecked",
      severity: "warning",
      also: [expect.stringContaining("attribution not checked")],
      next: expect.stringContaining("Walden"),
    });
  });

  it("gives the true wording, the work, the page and the next step", async () => {
    expect(
      await quotation("First.\n\nHe says “The mass of *women* lead lives of quiet despair” [@thoreau1854, p. 3].", {
        show: "edits",
      }),
    ).toMatchObject({
      line: 3,
      verdict: "altered",
      severity: "error",
      wording: "The mass of men lead lives of quiet desperation",
      work: { citekey: "thoreau1854", author: "Henry David Thoreau", url: "https://books.example/walden" },
      page: "p. viii",
      also: ["wrong page: it stands on p. viii"],
      cite: "[@thoreau1854, p. viii]",
      next: expect.stringContaining("true wording"),
      edits: [
        { text: "men", start: expect.any(Number), end: expect.any(Number) },
        { text: "desperation", start: expect.any(Number), end: expect.any(Number) },
      ],
    });
  });

  it.each([
    ["The mass of men lead lives of quiet despair.", "The mass of men lead lives of quiet desperation."],
    ["the mass of men lead lives of quiet calm", "the mass of men lead lives of quiet desperation"],
    ["A mass of men lead lives of quiet desperation", "The mass of men lead lives of quiet desperation"],
    ["The mass of men lead lives of quiet desperation indeed.", "The mass of men lead lives of quiet desperation."],
  ])("gives the true wording where the first or last word differs: %s", async (quoted, wording) => {
    expect(await quotation(`He says “${quoted}” [@thoreau1854].`)).toMatchObject({ verdict: "altered", wording });
  });

  it("checks what is quoted inside the draft's own quotation marks", async () => {
    expect(
      await quotation("“As Thoreau says, ‘The mass of men lead lives of quiet desperation’, and so on and on”"),
    ).toMatchObject({
      verdict: "uncited",
      text: "The mass of men lead lives of quiet desperation",
    });
  });

  it("takes the citation before a quotation where the sentence ends with it and another work follows", async () => {
    const text =
      "“Once or twice she had peeped into the book” (Carroll, 1865). Thoreau (1854) insists: “The mass of men lead lives of quiet desperation.” Carroll (1865) has Alice wonder about “nothing at all that was ever printed”.";
    const { findings } = await check(text);
    const quoted = findings.filter(({ kind }) => kind === "quotation").sort((a, b) => a.text.localeCompare(b.text));
    expect(quoted.map(({ verdict }) => verdict)).toEqual(["absent", "normalised", "exact"]);
  });

  it("gives a quotation no citation of the next sentence's quotation", async () => {
    const text =
      "One remembers “The mass of men lead lives of quiet desperation”. “Once or twice she had peeped into the book” (Carroll, 1865).";
    const { findings } = await check(text);
    expect(findings[0]).toMatchObject({ verdict: "uncited", severity: "warning" });
  });

  it("reports a cited quotation that stands nowhere even where one inside it stands", async () => {
    const text = "“She whispered that ‘the mass of men lead lives of quiet desperation’ by the lamp” [@carroll1865].";
    const { findings } = await check(text);
    expect(findings[0]).toMatchObject({ verdict: "absent", severity: "error" });
  });

  it("finds highlights and notebooks", async () => {
    expect(await quotation("“The moon pulls first, the shore answers later” (Moss).")).toMatchObject({
      verdict: "uncited",
      work: { citekey: "mossField", author: "R. Moss" },
    });
    expect(await quotation("“steers by the smell of the reed beds at night”")).toMatchObject({ verdict: "uncited" });
  });

  it.each([
    ["misattributed", "error", "exact", "“The mass of men lead lives of quiet desperation” [@carroll1865]."],
    ["unchecked", "warning", "exact", "“The mass of men lead lives of quiet desperation” [@thoreau1854]."],
    ["uncited", "warning", "exact", "“The moon pulls first, the shore answers later”, as they say."],
    ["altered", "error", "fuzzy", "“The mass of women lead lives of quiet desperation” [@thoreau1854]."],
  ])("calls words outside the project asked about %s (%s), not absent", async (verdict, severity, level, text) => {
    const { findings, not_searched } = await check(text, { project: "rabbits" });
    expect(findings.find(({ kind }) => kind === "quotation")).toMatchObject({
      verdict,
      severity,
      also: expect.arrayContaining([`${level} outside the projects asked about`]),
      next: expect.stringMatching(/Walden|Tides/),
    });
    expect(not_searched).toEqual([expect.stringContaining("highlights: only for quotations")]);
  });

  it("leaves terms and titles in quotation marks alone", async () => {
    expect(
      (await check("The “so-called rule” in “Alice’s Adventures in Wonderland” is “a term of art”.")).findings,
    ).toEqual([]);
  });

  it("checks every citation: unknown keys with what is near, other years, works missing from the list", async () => {
    const { findings } = await check(
      "One [@thoreau1845]. Two (Thoreau, 1862). Three (Carroll, 1865). Four (Nobody, 1999).\n\n# References\n\nCarroll, L. (1865). Alice.\n\nMelville, H. (1851). Moby-Dick.",
    );
    const brief = findings.map(({ kind, verdict, text }) => `${kind} ${verdict} ${text.slice(0, 20)}`);
    expect(brief).toEqual([
      "citation unknown [@thoreau1845]",
      "citation not_listed [@thoreau1845]",
      "citation not_listed (Thoreau, 1862)",
      "citation unknown (Nobody, 1999)",
      "citation not_listed (Nobody, 1999)",
      "citation other_year (Thoreau, 1862)",
      "list not_cited Melville, H. (1851).",
      "citation known (Carroll, 1865)",
    ]);
    expect(findings[0]).toMatchObject({ next: expect.stringContaining("thoreau1854") });
  });

  it("gives evidence for a cited claim, and the facts that do not stand in it", async () => {
    const { findings } = await check(
      "Thoreau built a house twelve feet wide near Boston in 1845 [@thoreau1854, p. 8].",
      {
        claims: true,
      },
    );
    expect(findings.find(({ kind }) => kind === "claim")).toMatchObject({
      verdict: "evidence",
      severity: "info",
      missing: ["1845", "Boston"],
      passages: [{ chunk_id: "walden-0" }],
    });
  });

  it("fits into an answer, and leads through all findings exactly once", async () => {
    const draft = Array.from(
      { length: 150 },
      (_, i) => `“Nobody ever wrote these ${i} peculiar words here” [@thoreau1854].`,
    ).join("\n\n");
    const lines: number[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const answer = await check(draft, { show: "problems", from });
      expect(JSON.stringify(answer).length).toBeLessThan(20_000);
      lines.push(...answer.findings.map(({ line }) => line));
      from = answer.next_from;
    }
    expect(lines).toEqual(Array.from({ length: 150 }, (_, i) => 1 + 2 * i));
  });

  it("sums up", async () => {
    const { summary, ok } = await check("“The mass of men lead lives of quiet desperation” [@thoreau1854, p. 8].");
    expect(summary).toBe("12 words. 1 quotation: 1 right. 1 citation: 1 known.");
    expect(ok).toBe(true);
  });
});

describe("a draft with citations that cite has written", () => {
  let drafts: ReturnType<typeof createDrafts>;
  let citations: ReturnType<typeof createCitations>;
  beforeAll(async () => {
    const store = await twoBooks();
    const document = (await store.document("woods", "walden"))!;
    const csl = {
      ...document.csl,
      type: "article-journal",
      title: "Walden; or, Life in the Woods",
      "container-title": "Journal of Ponds",
      publisher: "Ticknor",
      volume: "3",
      issue: "2",
      page: "1–20",
    };
    await store.replaceDocument("woods", { ...document, csl }, []);
    citations = createCitations({ store });
    drafts = createDrafts({
      quotes: createQuotes({ store }),
      store,
      search: createSearch({ store, embedders: fakeEmbedders() }),
    });
  });
  const sources = ["thoreau1854, 8", "carroll1865, 7", "thoreau1854, 8"];
  const quoted = [
    "the mass of men lead lives of quiet desperation,",
    "Once or twice she had peeped into the book.",
    "What is called resignation is confirmed desperation",
  ];

  it.each(["pandoc", "latex", ...STYLE_NAMES] as const)("has no error: %s", async (style) => {
    const answer = await citations.cite(undefined, { sources, style, each: true, bibliography: "formatted" });
    const written = answer.citations!.map(({ citation }) => citation);
    const isNote = style.includes("notes");
    const text = quoted.map((words, i) => `One says: “${words}” ${isNote ? `[^${i}]` : `${written[i]}.`}`);
    const notes = isNote ? written.map((note, i) => `[^${i}]: ${note}`) : [];
    const list = style === "pandoc" || style === "latex" ? [] : ["# References", answer.bibliography!];
    const { findings, quotations } = await drafts.check([...text, ...notes, ...list].join("\n\n"));
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(quotations).toBe(3);
  });

  it.each([
    "pandoc",
    "latex",
    "apa",
    "mla",
    "chicago-author-date",
    "chicago-notes",
    "chicago-short-notes",
    "harvard",
    "ieee",
    "vancouver",
  ] as const)("is checked against the works cited: %s", async (style) => {
    const answer = await citations.cite(undefined, { sources, style, each: true, bibliography: "formatted" });
    const [first, second] = answer.citations!.map(({ citation }) => citation);
    const list = style === "ieee" || style === "vancouver" ? `\n\n# References\n\n${answer.bibliography}` : "";
    const draft = style.includes("notes")
      ? `“${quoted[1]}”[^1]\n\n“${quoted[0]}”[^2]\n\n[^1]: ${first}\n\n[^2]: ${second}`
      : `“${quoted[1]}” ${first}.\n\n“${quoted[0]}” ${second}.${list}`;
    const { findings } = await drafts.check(draft);
    const verdicts = findings.filter(({ kind }) => kind === "quotation").map(({ verdict }) => verdict);
    expect(verdicts).toEqual(["misattributed", "misattributed"]);
  });
});

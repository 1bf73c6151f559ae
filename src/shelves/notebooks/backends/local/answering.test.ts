import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readingMachines } from "../../../../../sandbox/sample/notebook-reading-machines.js";
import { tides } from "../../../../../sandbox/sample/notebook-tides.js";
import { type LocalNotebooks, openLocalNotebooks } from "../../../../../tests/support/local-notebooks.js";

const signal = () => AbortSignal.timeout(20_000);

/** Asked in other words than the sources use wherever that comes naturally. */
const ANSWERED: [string, string][] = [
  ["How heavy was Harrison's first marine timekeeper?", "34 kilograms"],
  ["Who took a copy of the H4 watch on a voyage?", "James Cook"],
  ["Why is the sun's tide weaker than the moon's?", "cube of the distance"],
  ["What was the nickname of the American tide predicting machine?", "Old Brass Brains"],
  ["In which year did Ramelli publish his book of machines?", "1588"],
  ["What reward did Parliament offer for finding longitude?", "20,000 pounds"],
  ["How many metres are there in a nautical mile?", "1,852 metres"],
  ["Which mechanism keeps the shelves of the book wheel level?", "epicyclic gearing"],
  ["When were the last catalogue cards printed?", "1 October 2015"],
  ["Who founded the International Institute of Bibliography?", "Paul Otlet"],
  ["What is a kamal?", "wooden board"],
  ["Where can the water rise more than sixteen metres?", "Bay of Fundy"],
];
const UNANSWERED = [
  "Who won the football World Cup in 1998?",
  "How do I bake sourdough bread?",
  "What is the capital of Mongolia?",
  "Which enzyme unwinds DNA before replication?",
];

describe("a notebook asked with no language model", () => {
  let local: LocalNotebooks;
  let id: string;
  const sources = new Map<string, { title: string; text: string }>();
  beforeAll(async () => {
    local = await openLocalNotebooks({ model: true });
    id = await local.notebook();
    for (const { title, text } of [...tides.sources, ...readingMachines.sources]) {
      const added = await local.backend.addSource(id, { source_type: "text", title, text }, signal());
      sources.set(String(added.source_id), { title, text });
    }
  }, 120_000);
  afterAll(() => local.close());

  it("answers what its sources say, in their words, with marks that lead to them", async () => {
    const missed: string[] = [];
    for (const [question, gold] of ANSWERED) {
      const { answer, citations, confidence, method } = await local.backend.ask(id, question, signal());
      if (!answer.includes(gold)) missed.push(`${question} → ${answer}`);
      expect(method).toBe("extractive");
      expect(["high", "medium", "low"]).toContain(confidence);
      expect([...answer.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n))).toEqual(citations.map(({ mark }) => mark));
      expect(citations.map(({ mark }) => mark)).toEqual(citations.map((_, i) => i + 1));
      for (const { source_id, source_title, excerpt } of citations) {
        expect(sources.get(source_id)?.title).toBe(source_title);
        expect(sources.get(source_id)?.text).toContain(excerpt);
        expect(answer).toContain(excerpt);
      }
    }
    // One of them is answered by a sentence that shares no word with the question: words and meaning may both pass it by.
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(1);
  }, 120_000);

  it("begins with the date or the reason where that is asked for", async () => {
    const machines = await local.notebook();
    for (const { title, text } of readingMachines.sources)
      await local.backend.addSource(machines, { source_type: "text", title, text }, signal());
    const first = async (question: string) =>
      (await local.backend.ask(machines, question, signal())).citations[0]?.excerpt;
    expect(await first("When did Ramelli publish his wheel?")).toContain("1588");
    expect(await first("Why did people want a bookwheel?")).toContain("answers a need");
  }, 60_000);

  it("says so where they say nothing", async () => {
    for (const question of UNANSWERED)
      expect(await local.backend.ask(id, question, signal()), question).toMatchObject({
        citations: [],
        confidence: "low",
      });
  });

  it("says what the sources are about, each in its first words", async () => {
    const { answer, citations, confidence } = await local.backend.ask(id, "What is this notebook about?", signal());
    expect(confidence).toBe("medium");
    expect(citations.length).toBe(8);
    for (const { source_title, excerpt, mark } of citations)
      expect(answer).toContain(`“${source_title}”: ${excerpt} [${mark}]`);
    expect(answer).toContain(`And ${sources.size - 8} more sources.`);
  });

  it("compares both sides, lists all items, and never takes a question for an answer", async () => {
    const ask = async (question: string) => (await local.backend.ask(id, question, signal())).answer;
    const differ = await ask("How do H1 and H4 differ?");
    expect(differ).toContain("weighed about 34 kilograms");
    expect(differ).toContain("was a watch of 13 centimetres across");
    expect(await ask("Which kinds of stick charts are there?")).toMatch(/the mattang.*the meddo.*the rebbelib/);
    const want = await ask("Why did the late sixteenth century want such a thing as the bookwheel?");
    expect(want).not.toContain("Why did the late sixteenth century want such a thing?");
    expect(want).toContain("scholars had begun to read in a new way");
  });

  it("hands over the passages it chose from, whole", async () => {
    const { passages, citations } = await local.backend.ask(id, "What is a kamal?", signal());
    expect(passages.length).toBeGreaterThan(0);
    expect(passages[0]?.text).toContain(citations[0]?.excerpt);
    expect(sources.get(String(passages[0]?.source_id))?.text).toContain(passages[0]?.text);
  });

  it("is not confident where the kind of thing asked for is not there", async () => {
    const { confidence } = await local.backend.ask(id, "How much did a memex cost?", signal());
    expect(confidence).toBe("low");
  });

  it("says no where a name or the thing asked for stands nowhere, and without a line about its own words", async () => {
    for (const question of [
      "Who was the captain of the Titanic?",
      "Why did the Vikings leave Greenland?",
      "Why did Gutenberg go bankrupt?",
    ]) {
      const { citations, notes } = await local.backend.ask(id, question, signal());
      expect({ question, citations, notes }).toEqual({ question, citations: [], notes: [] });
    }
  });

  it("quotes a sentence that points back together with the one it points to", async () => {
    const { answer } = await local.backend.ask(
      id,
      "How long did the second Coast and Geodetic Survey machine stay in service?",
      signal(),
    );
    expect(answer).toMatch(/It handled 37 constituents[^[]*It remained in service until 1965/);
  });
});

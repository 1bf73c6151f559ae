import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connected, connect } from "../../../../tests/support/connect.js";
import { type Fixture, readwiseFixture } from "../../../../tests/support/readwise.js";
import { smallLibrary } from "../../../../tests/support/small-library.js";
import { twoBooks } from "../../../../tests/support/two-books.js";
import { createQuotes } from "../../../citations/quotes.js";
import { verifyQuote } from "./verify-quote.js";

describe("verify_quote over everything the person has read", () => {
  let fixture: Fixture;
  let client: Connected;
  let keyless: Connected;

  beforeAll(async () => {
    fixture = await readwiseFixture({ libraries: { key: smallLibrary().library } });
    const services = { quotes: createQuotes({ store: await twoBooks() }), readwise: fixture.shelf };
    client = await connect({ tools: [verifyQuote], services, readwiseKey: "key" });
    keyless = await connect({ tools: [verifyQuote], services });
  });
  afterAll(async () => {
    await client.close();
    await keyless.close();
    await fixture.close();
  });
  const verify = (quote: string, more: Record<string, unknown> = {}) => client.call("verify_quote", { quote, ...more });

  it("finds a true highlight, with its author, its title and a link", async () => {
    expect(await verify("The moon pulls first, the shore answers later.")).toMatchObject({
      verdict: "exact",
      matches: [
        {
          origin: "highlights",
          author: "R. Moss",
          title: "A Field Guide to Tides",
          citekey: "mossField",
          page_span: [40, 40],
          cite: "[@mossField, p. 40]",
          url: expect.stringMatching(/^https:\/\/readwise\.io\/open\/\d+$/),
          source_id: expect.any(Number),
          location: 40,
          location_type: "page",
        },
      ],
    });
    expect(await verify("Water keeps no straight lines.")).toMatchObject({ matches: [{ note: "compare rivers" }] });
  });

  it("finds what stands in a notebook, or in any project", async () => {
    expect(await verify("steers by the smell of the reed beds")).toMatchObject({
      verdict: "exact",
      matches: [{ origin: "notebook", project: "n1", title: "Wayfinding" }],
    });
    expect(await verify("The mass of men lead lives of quiet desperation")).toMatchObject({
      verdict: "exact",
      matches: [{ project: "woods", author: "Henry David Thoreau", cite: "[@thoreau1854, p. viii]" }],
    });
  });

  it("names what it searched for an absent quote, and what it did not", async () => {
    expect(await verify("Nobody ever wrote these seven peculiar words")).toMatchObject({
      verdict: "absent",
      searched: { projects: ["rabbits", "woods"], notebooks: ["Navigation"], highlights: 4 },
      not_searched: [expect.stringContaining("Reader documents")],
      note: expect.stringContaining("Searched: 2 projects, 1 notebook, 4 highlights."),
    });
    expect(await keyless.call("verify_quote", { quote: "Nobody ever wrote these seven peculiar words" })).toMatchObject(
      {
        searched: { highlights: null },
        not_searched: [expect.stringContaining("no valid key"), expect.anything()],
      },
    );
  });

  it("says where a quote stands that is not in the project asked about", async () => {
    expect(await verify("The mass of men lead lives of quiet desperation", { project: "rabbits" })).toMatchObject({
      verdict: "absent",
      elsewhere: [{ project: "woods", level: "exact" }],
      note: expect.stringContaining("exact in woods"),
    });
    expect(await verify("Water keeps no straight lines.", { project: ["rabbits", "woods"] })).toMatchObject({
      verdict: "absent",
      elsewhere: [{ origin: "highlights" }],
    });
  });

  it("calls two places with altered words stitched", async () => {
    const answer = await verify(
      "I went to the forest because I wished to live deliberately, once or twice she had looked into the book her sister was reading",
    );
    expect(answer).toMatchObject({
      verdict: "stitched",
      matches: [
        { project: "woods", differences: [{ quote: "forest", source: "woods" }] },
        { project: "rabbits", differences: [{ quote: "looked", source: "peeped" }] },
      ],
    });
  });

  it.each(["Walden", "Thoreau", "henry david thoreau", "@thoreau1854", "Walden; or, Life in the Woods"])(
    "takes %j for the source it names",
    async (source) => {
      expect(await verify("The mass of men lead lives of quiet desperation", { source })).toMatchObject({
        verdict: "exact",
      });
      expect(await verify("once or twice she had peeped into the book", { source })).toMatchObject({
        verdict: "misattributed",
        matches: [{ citekey: "carroll1865" }],
      });
    },
  );

  it("takes a highlighted book by its title or author", async () => {
    for (const source of ["A Field Guide to Tides", "Moss"])
      expect(await verify("Water keeps no straight lines.", { source })).toMatchObject({ verdict: "exact" });
  });

  it("refuses a source that is nowhere, and names what is near", async () => {
    expect(await verify("Water keeps no straight lines.", { source: "thoreau1845" })).toMatchObject({
      error: { code: "NOT_FOUND", message: expect.stringContaining("thoreau1854") },
    });
  });
});

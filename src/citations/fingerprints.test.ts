import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprint, runsOf, sharedRuns } from "./fingerprints.js";
import { normalise } from "./normalise.js";
import { prepareQuote } from "./quote.js";

const WORDS =
  "the of and a rabbit hole daisy chain sister book pictures conversation trouble pleasure considering".split(" ");
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 30, maxLength: 200 });

describe("the fingerprint of a text", () => {
  it("never denies a quote of it, even with as many words changed as a fuzzy one may have", () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 8, max: 25 }), (list, from, length) => {
        const start = from % (list.length - length);
        const quoted = list.slice(start, start + length);
        const changed = Math.floor(length * 0.15);
        for (let i = 0; i < changed; i++) quoted[Math.floor(((i + 0.5) * length) / changed)] = "another";
        const runs = runsOf(prepareQuote(quoted.join(" ")));
        const print = fingerprint(normalise(list.join(" ")).text);
        expect(sharedRuns(print, runs).count).toBeGreaterThanOrEqual(runs.least);
      }),
      { seed: 3 },
    );
  });

  it("denies most texts a quote does not come from", () => {
    const runs = runsOf(prepareQuote("The mass of men lead lives of quiet desperation and go to the grave"));
    const print = fingerprint(
      normalise("Alice was beginning to get very tired of sitting by her sister on the bank").text,
    );
    expect(sharedRuns(print, runs).count).toBeLessThan(runs.least);
  });

  it("does not look at punctuation, dashes or case", () => {
    const runs = runsOf(prepareQuote("“Oh dear! Oh dear! I shall be LATE—too late!”"));
    const print = fingerprint(normalise("oh dear, oh dear; I shall be late -- too late").text);
    expect(sharedRuns(print, runs).count).toBe(runs.hashes.length);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastCut, windowOf } from "./answer-budget.js";

describe("an answer that is too long though its tool did what it could", () => {
  it("is left alone where it fits", () => {
    const data = { text: "short", items: [1, 2] };
    expect(lastCut(data, 1_000)).toBe(data);
  });

  it("loses the end of its longest text, and says so", () => {
    const cut = lastCut({ title: "Tides", body: "x".repeat(90_000), note: "y".repeat(3_000) }, 20_000);
    expect(JSON.stringify(cut).length).toBeLessThanOrEqual(20_000);
    expect(cut).toMatchObject({ title: "Tides", note: "y".repeat(3_000) });
    expect(cut.left_out).toEqual([expect.stringMatching(/^body: its last \d+ of 90000 characters$/)]);
    expect((cut.body as string).length).toBeGreaterThan(15_000);
  });

  it("then the end of its longest list", () => {
    const skipped = Array.from({ length: 2_000 }, (_, i) => ({ file: `paper-${i}.pdf`, why: "no text" }));
    const cut = lastCut({ read: 3, skipped }, 20_000);
    expect(JSON.stringify(cut).length).toBeLessThanOrEqual(20_000);
    const kept = (cut.skipped as unknown[]).length;
    expect(cut.left_out).toEqual([`skipped: its last ${2_000 - kept} of 2000 items`]);
    expect(kept).toBeGreaterThan(300);
    expect(skipped).toHaveLength(2_000);
  });

  it("always fits then, whatever it holds", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ text: fc.nat(9_000), tags: fc.nat(60) }), { maxLength: 12 }),
        fc.constantFrom("x", '"', "\u0007", "😀"),
        (rows, unit) => {
          const data = {
            rows: rows.map(({ text, tags }) => ({ text: unit.repeat(text), tags: Array(tags).fill("sea and shore") })),
          };
          expect(JSON.stringify(lastCut(data, 8_000)).length).toBeLessThanOrEqual(8_000);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("a window of a text", () => {
  it("never cuts a pair of units: one that begins or ends inside has the whole character", () => {
    expect(windowOf("ab😀cd", 3, 10, 1_000)).toMatchObject({ start: 2, text: "😀cd", next: null });
    expect(windowOf("ab😀cd", 0, 3, 1_000)).toMatchObject({ start: 0, text: "ab😀", next: 4 });
    expect(windowOf("😀😀", 1, 1, 1_000)).toMatchObject({ start: 0, text: "😀", next: 2 });
  });
});

import { describe, expect, it } from "vitest";
import { closing, frame, PREFIX, resultItem, statusItem, unary } from "./frames.js";

const bookkeeping = { ms: 180, token: "-100200300" };

describe("reply framing", () => {
  it("counts UTF-16 units, so an emoji counts two", () => {
    expect(frame([["🌊"]])).toBe('10\n[["🌊"]]\n');
    expect(frame([["é"]])).toBe('9\n[["é"]]\n');
  });

  it("frames a list reply with the recorded lengths and totals", () => {
    const row = [
      "Ocean notes",
      [
        [
          ["11111111-1111-4111-8111-111111111111"],
          "Tides primer",
          [
            null,
            420,
            [1790000000, 5000000],
            ["22222222-2222-4222-8222-222222222222", [1790000000, 1000000]],
            5,
            null,
            1,
            ["https://example.org/tides"],
          ],
          [null, 2],
        ],
      ],
      "33333333-3333-4333-8333-333333333333",
      "🌊",
      null,
      [1, false, true, null, null, [1790000500, 0], 1, false, [1789990000, 0], null, null, null, false, true, 1, false],
      null,
      null,
      null,
      [true, true, true],
      [6, 500, 300, 500000],
    ];
    const lines = unary([resultItem("wXbhsf", [[row]])], bookkeeping).split("\n");
    expect([lines[0], lines[1], lines[2], lines[4], lines[5]]).toEqual([
      ")]}'",
      "",
      "528",
      "25",
      '[["e",4,null,null,566]]',
    ]);
  });

  it("frames a refusal with the recorded lengths and totals", () => {
    expect(unary([statusItem("rLM1Ne", [5])], bookkeeping)).toBe(
      [
        ")]}'",
        "",
        "97",
        '[["wrb.fr","rLM1Ne",null,null,null,[5],"generic"],["di",180],["af.httprm",180,"-100200300",10]]',
        "25",
        '[["e",4,null,null,132]]',
        "",
      ].join("\n"),
    );
  });

  it("counts bytes of the whole body in its closing frame, across a change of digits", () => {
    for (const filler of [1, 60, 70, 960, 970, 9_960]) {
      const body = PREFIX + frame([["é".repeat(filler)]]);
      const whole = body + closing(body, 1);
      expect(JSON.parse(whole.trim().split("\n").at(-1) ?? "")[0][4]).toBe(Buffer.byteLength(whole));
    }
  });
});

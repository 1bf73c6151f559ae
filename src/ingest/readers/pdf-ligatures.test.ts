import { expect, it } from "vitest";
import { restoreCorkSigns } from "./pdf-ligatures.js";

const restored = (...texts: string[]) => {
  const runs = texts.map((text) => ({ text, x: 0, y: 0, width: 1, size: 10, mono: false, font: "f", turned: false }));
  restoreCorkSigns(runs);
  return runs.map(({ text }) => text);
};

it("reads the ligatures, quotation marks and dashes that a font without names gives as control characters", () => {
  expect(restored("the \x1crst su\x1ecient \x1dag", "\x10e\x1bect\x11, pp. 3\x154")).toEqual([
    "the first sufficient flag",
    "“effect”, pp. 3–4",
  ]);
});

it("leaves them where the page uses TeX's older encoding, or no word is beside them", () => {
  expect(restored("sm\x1crrebr\x1dd", "e\x0eciency")).toEqual(["sm\x1crrebr\x1dd", "e\x0eciency"]);
  expect(restored("1 \x1c 2")).toEqual(["1 \x1c 2"]);
});

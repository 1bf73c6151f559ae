import { expect, it } from "vitest";
import { linesOf } from "./transcript-lines.js";

it("a transcript's lines have their times, in seconds too", () => {
  expect(linesOf("[0:03] The poet\n[1:02:05] A roof [fell] in\n\nno time")).toEqual([
    { time: "0:03", seconds: 3, text: "The poet" },
    { time: "1:02:05", seconds: 3725, text: "A roof [fell] in" },
    { time: "", seconds: 0, text: "no time" },
  ]);
});

import { expect, it } from "vitest";
import { plural } from "./plural.js";

it.each([
  [plural(0, "file"), "0 files"],
  [plural(1, "file"), "1 file"],
  [plural(2, "word differs", "words differ"), "2 words differ"],
  [plural(1234, "file", undefined, "1,234"), "1,234 files"],
])("%s", (said, expected) => expect(said).toBe(expected));

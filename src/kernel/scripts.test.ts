import { expect, it } from "vitest";
import { isUnspaced } from "./scripts.js";

it("knows the scripts that put no spaces between words", () => {
  for (const word of ["記憶", "ひらがな", "カタカナ", "ー", "ไทย", "ລາວ", "ខ្មែរ", "မြန်မာ", "𠀀"])
    expect(isUnspaced(word)).toBe(true);
  for (const word of ["", "word", "слово", "한국어", "ქართული", "አማርኛ", "7", "。", "!"])
    expect(isUnspaced(word)).toBe(false);
});

import { expect, it } from "vitest";
import { readsBoth } from "./model-languages.js";

it("a model reads English, its own language or many, as its name says", () => {
  const reads = (model: string) => ["en", "de", "zh"].map((language) => readsBoth(model, language, language));
  expect(reads("all-MiniLM-L6-v2")).toEqual([1, 0.4, 0]);
  expect(reads("bge-small-zh-v1.5")).toEqual([0.4, 0.4, 1]);
  expect(reads("bge-small-en-v1.5")).toEqual([1, 0.4, 0]);
  expect(reads("intfloat/multilingual-e5-small")).toEqual([1, 1, 1]);
  expect(readsBoth("intfloat/multilingual-e5-small", "en", "de")).toBe(1);
  expect(readsBoth("bge-small-zh-v1.5", "en", "zh")).toBe(0.4);
});

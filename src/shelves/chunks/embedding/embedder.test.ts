import { expect, it } from "vitest";
import { usualName } from "./embedder.js";

it("knows a model by any of its usual names", () => {
  for (const name of ["all-MiniLM-L6-v2", "fastembed/all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"])
    expect(usualName(name)).toBe("all-MiniLM-L6-v2");
  expect(usualName("nomic-ai/nomic-embed-text")).toBe("nomic-ai/nomic-embed-text");
});

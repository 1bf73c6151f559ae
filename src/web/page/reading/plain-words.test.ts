import { describe, expect, it } from "vitest";
import { plainWords } from "./plain-words.js";

describe("a failure in words for a person", () => {
  it("names neither tools nor parameters nor codes", () => {
    expect(plainWords({ code: "NO_SOURCES", message: "Add one with add_source first." })).toBe(
      "This notebook has no text to answer from yet. Add a source first.",
    );
    expect(
      plainWords({
        code: "INVALID_INPUT",
        message: "search_library was not called. query: Too big. Parameters: query, limit, project.",
      }),
    ).toBe("query: Too big.");
  });

  it("keeps what the server says in plain sentences", () => {
    expect(
      plainWords({
        code: "UNSUPPORTED_URL",
        message: "That page is an image. Paste its text instead; see add_source.",
      }),
    ).toBe("That page is an image.");
  });

  it("is never empty", () => {
    expect(plainWords({ code: "X", message: "Call list_projects." })).toBe("This could not be done.");
  });
});

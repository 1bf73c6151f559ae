import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openKeptLibrary } from "./kept-library.js";
import { sampleLibrary } from "./sample.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kept-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("comes back from its file as it was, and goes on with new ids", () => {
  const file = join(folder, "library.bin");
  const first = openKeptLibrary(file, sampleLibrary);
  const book = [...first.library.books.values()][0]!;
  const added = first.library.addHighlight(book, { text: "Kept." }, Date.now());
  first.keep();

  const second = openKeptLibrary(file, () => {
    throw new Error("must not be made again");
  });
  expect(second.library.highlights.get(added.id)?.text).toBe("Kept.");
  expect(second.library.books.get(book.id)!.highlights.at(-1)).toBe(second.library.highlights.get(added.id));
  expect(second.library.documents.size).toBe(first.library.documents.size);
  expect(second.library.addHighlight(second.library.books.get(book.id)!, { text: "Next." }, Date.now()).id).toBe(
    added.id + 1,
  );
});

it("is made again where its file cannot be read, which is kept aside", () => {
  const file = join(folder, "library.bin");
  writeFileSync(file, "not a library");
  expect(openKeptLibrary(file, sampleLibrary).library.highlights.size).toBeGreaterThan(100);
  expect(readFileSync(`${file}.unreadable`, "utf8")).toBe("not a library");
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { highlights } from "./shelf-verbs.js";
import { terminalPage } from "./terminal-page.js";

const answerOf = (tool: string) =>
  JSON.parse(readFileSync(new URL(`../../../docs/examples/${tool}.json`, import.meta.url), "utf8")).answer;

it.each([
  ["list_highlights", "Walt Whitman · Leaves of Grass · 2026-04-12"],
  ["search_highlights", "Arthur Conan Doyle · The Adventures of Sherlock Holmes · 2025-03-14"],
])("names the author and the work of each highlight of %s", (tool, line) => {
  const page = terminalPage({ columns: 100 });
  highlights.show(answerOf(tool), page);
  expect(page.lines().find((shown) => shown.startsWith(line))).toBeDefined();
});

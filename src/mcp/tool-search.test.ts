import { expect, it } from "vitest";
import { connect } from "../../tests/support/connect.js";
import { instructionsFor } from "./instructions.js";

it("loads the two tools people begin with, and says for the others what people call them", async () => {
  const { client, close } = await connect({ services: {} });
  const { tools } = await client.listTools();
  const meta = (name: string) => tools.find((tool) => tool.name === name)?._meta;
  expect(tools.filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"]).map(({ name }) => name)).toEqual([
    "search_library",
    "verify_quote",
  ]);
  expect(meta("query_hybrid")?.["anthropic/searchHint"]).toContain("find a quote");
  await close();
});

it("names a tool for each usual wish, and none that is not on offer", () => {
  expect(instructionsFor([])).not.toMatch(/search_library|verify_quote|save_document/);
});

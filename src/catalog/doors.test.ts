import { expect, it } from "vitest";
import { connect } from "../../tests/support/connect.js";
import { TOOLS } from "../app/tools.js";
import { ShelfError } from "../kernel/errors.js";
import type { DoorName } from "./doors.js";

const missing = new ShelfError("NOT_FOUND", "There is no source 'x'. Check the id with list_notebook_sources.");
const notebooks = { sourceText: () => Promise.reject(missing), deadlineFor: () => undefined };
const at = (door: DoorName) => connect({ services: { notebooks: notebooks as never }, door });

it.each([
  ["all", "list_notebook_sources"],
  ["notebooks", "list_sources"],
] as const)("at the door '%s' descriptions and errors say %s", async (door, name) => {
  const { client, call, close } = await at(door);
  const { tools } = await client.listTools();
  const { inputSchema } = tools.find((tool) => tool.name === "get_source_text")!;
  expect(JSON.stringify(inputSchema)).toContain(`From ${name}`);
  const args = { notebook_id: "n", source_id: "x" };
  expect(await call("get_source_text", args)).toMatchObject({
    error: { message: `There is no source 'x'. Check the id with ${name}.` },
  });
  await close();
});

it("no door names a tool it shows under another name", async () => {
  const renamed = TOOLS.filter(({ name, doorName }) => name !== doorName).map(({ name }) => name);
  expect(renamed).not.toEqual([]);
  for (const door of ["readwise", "notebooks", "chunks"] as const) {
    const { client, close } = await at(door);
    const { tools } = await client.listTools();
    const texts = JSON.stringify([
      tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]),
      client.getInstructions(),
    ]);
    for (const name of renamed) expect(texts).not.toContain(name);
    await close();
  }
});

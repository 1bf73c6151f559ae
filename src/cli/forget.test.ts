import { expect, it } from "vitest";
import { memoryMeaningStore } from "../../tests/support/memory-meaning-store.js";
import { hashOfKey } from "../shelves/readwise/cache/cache.js";
import { forgetCommand } from "./forget.js";

async function filled() {
  const store = memoryMeaningStore();
  for (const key of ["ann", "bob"])
    await store.write(
      { keyHash: hashOfKey(key), kind: "highlights", model: "m" },
      new Map([["0a", new Uint8Array(1)]]),
    );
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const run = (all: boolean, key?: string) => forgetCommand({ all, key }, { store, print: say, complain: say });
  return { store, said, run };
}

it("forgets the vectors of one key and leaves the others'", async () => {
  const { store, said, run } = await filled();
  expect(await run(false, "ann")).toBe(0);
  expect(said).toEqual(["Forgotten: the vectors of 1 highlight or document."]);
  expect(store.rows).toBe(1);
});

it("forgets those of every key when asked, and nothing where no key is named", async () => {
  const { store, run } = await filled();
  expect(await run(false)).toBe(2);
  expect(store.rows).toBe(2);
  expect(await run(true)).toBe(0);
  expect(store.rows).toBe(0);
});

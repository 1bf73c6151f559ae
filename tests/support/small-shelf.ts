import { afterEach, beforeEach } from "vitest";
import type { Connected } from "./connect.js";
import { type Fixture, readwiseFixture } from "./readwise.js";
import { type SmallLibrary, smallLibrary } from "./small-library.js";

/** For each test of a file: a small library, the simulator that serves it, and a client of the shelf over it. */
export interface SmallShelf {
  small: SmallLibrary;
  fixture: Fixture;
  client: Connected;
}

export function smallShelf(): SmallShelf {
  const shelf = {} as SmallShelf; // filled before each test
  beforeEach(async () => {
    shelf.small = smallLibrary();
    shelf.fixture = await readwiseFixture({ libraries: { key: shelf.small.library } });
    shelf.client = await shelf.fixture.as("key");
  });
  afterEach(() => shelf.fixture.close());
  return shelf;
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

/** What is undone after each test, the last first. */
export const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean();
});

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bookwheel-killed-"));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

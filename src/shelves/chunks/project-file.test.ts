import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readProjectFile } from "./project-file.js";

const folder = await mkdtemp(join(tmpdir(), "bookwheel-projects-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(content: unknown): Promise<string> {
  const path = join(folder, `${Math.random()}.json`);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

it("reads the projects a person declared, and none where there is no file", async () => {
  const projects = [{ project: "citeloom/ddd", hybrid_enabled: false }, { project: "notes" }];
  expect(readProjectFile(await file({ projects }))).toEqual(projects);
  expect(readProjectFile(join(folder, "missing.json"))).toEqual([]);
});

it.each([
  ["is not JSON", "{ projects: "],
  ["has a key nobody knows", { projects: [{ project: "a", hybrid: true }] }],
  ["has a name that cannot be one", { projects: [{ project: "a b" }] }],
  ["has two projects that would share a collection", { projects: [{ project: "a/b-c" }, { project: "a-b/c" }] }],
])("names the file when it %s", async (_what, content) => {
  const path = await file(content);
  expect(() => readProjectFile(path)).toThrow(
    expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringContaining(path) }),
  );
});

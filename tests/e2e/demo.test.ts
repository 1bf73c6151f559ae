import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startProgram, temporaryHome } from "../support/program.js";

it("the demo starts beside a store it cannot read, and keeps that", { timeout: 60_000 }, async () => {
  const home = await temporaryHome();
  await mkdir(join(home, "demo"));
  await writeFile(join(home, "demo", "bookwheel.db"), "something of an older demo");
  const demo = await startProgram(["demo"], { BOOKWHEEL_HOME: home });
  expect(demo.stderr()).toContain("The demo starts again from the samples");
  await demo.stop();
  const aside = (await readdir(home)).find((name) => name.startsWith("demo-"));
  expect(await readFile(join(home, aside ?? "", "bookwheel.db"), "utf8")).toBe("something of an older demo");
  await rm(home, { recursive: true, force: true });
});

import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleLibrary } from "../../sandbox/readwise/sample.js";
import { startReadwiseSandbox } from "../../sandbox/readwise/server.js";
import { run } from "../support/peers.js";
import { PROGRAM, temporaryHome } from "../support/program.js";
import { blocksOf, markdown } from "./markdown.js";

/** Each block of commands after the preparations, with what the tutorial says it answers. */
const blocks = blocksOf(markdown("docs/TUTORIAL.md")).filter(({ heading }) => /^\d/.test(heading));
const steps = blocks.flatMap((block, i) => {
  const next = blocks[i + 1];
  const answer = next && next.language !== "sh" && next.heading === block.heading ? next : undefined;
  return block.language === "sh" ? [{ heading: block.heading, commands: block.text, answer }] : [];
});

let readwise: Awaited<ReturnType<typeof startReadwiseSandbox>>;
let home: string;
let folder: string;
beforeAll(async () => {
  readwise = await startReadwiseSandbox({ libraries: { demo: () => sampleLibrary() } });
  [home, folder] = await Promise.all([temporaryHome(), temporaryHome()]);
});
afterAll(async () => {
  await readwise?.close();
  await Promise.all([home, folder].map((each) => rm(each, { recursive: true, force: true })));
});

/** Counts and seconds differ between machines; the sentence around them does not. */
const withoutNumbers = (text: string) => text.replace(/\d+(\.\d+)?/g, "#");

describe("the tutorial", () => {
  it("has its steps", () => {
    expect(steps.length).toBeGreaterThanOrEqual(8);
    expect(steps.filter(({ answer }) => answer).length).toBeGreaterThanOrEqual(7);
  });

  // One after the other: each step needs what the one before it made.
  it.each(steps.map((step) => [step.heading, step] as const))(
    "%s",
    async (_heading, { commands, answer }) => {
      const script = `set -e\nbookwheel() { "${process.execPath}" "${PROGRAM}" "$@"; }\n${commands}`;
      const { code, stdout, stderr } = await run("bash", ["-c", script], {
        cwd: folder,
        env: {
          BOOKWHEEL_HOME: home,
          READWISE_API_KEY: "demo",
          READWISE_API_URL: readwise.url,
          LOG_LEVEL: "warn",
          PORT: "0",
        },
      });
      expect({ code, stderr: code ? stderr : "" }).toEqual({ code: 0, stderr: "" });
      if (answer?.language === "json") expect(JSON.parse(stdout)).toMatchObject(JSON.parse(answer.text));
      if (answer?.language === "text")
        for (const line of answer.text.trimEnd().split("\n"))
          expect(withoutNumbers(stdout)).toContain(withoutNumbers(line));
    },
    120_000,
  );
});

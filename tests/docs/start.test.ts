import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleLibrary } from "../../sandbox/readwise/sample.js";
import { startReadwiseSandbox } from "../../sandbox/readwise/server.js";
import { run } from "../support/peers.js";
import { PROGRAM, temporaryHome } from "../support/program.js";
import { blocksOf, markdown } from "./markdown.js";

/** The commands of the start page that need neither an account nor a server of the reader's own. */
const commandsOf = (heading: string) =>
  blocksOf(markdown("docs/START.md")).find((block) => block.heading === heading && block.language === "sh")!.text;

describe("the start page", () => {
  let readwise: Awaited<ReturnType<typeof startReadwiseSandbox>>;
  let home: string;
  let person: string;
  beforeAll(async () => {
    readwise = await startReadwiseSandbox({ libraries: { "your-key": () => sampleLibrary() } });
    [home, person] = await Promise.all([temporaryHome(), temporaryHome()]);
    await run("bash", ["-ec", commandsOf("Samples")], { cwd: person, env: { HOME: person } });
  });
  afterAll(async () => {
    await readwise?.close();
    await Promise.all([home, person].map((each) => rm(each, { recursive: true, force: true })));
  });

  it.each([
    ["Readwise", ["brain-attic", "mcpServers"]],
    ["Papers and Zotero", ["1 read", "An index is the same answer in paper", "[-The-] {+An+}", "Marlowe, I. (2025)."]],
    ["Notebooks", ["The bookwheel was an answer to the problem of place"]],
  ])(
    "%s: every command works as it stands, one after the other",
    async (heading, expected) => {
      const program = `bookwheel() { "${process.execPath}" "${PROGRAM}" "$@"; }`;
      const { code, stdout, stderr } = await run("bash", ["-c", `set -e\n${program}\n${commandsOf(heading)}`], {
        cwd: person,
        env: { HOME: person, BOOKWHEEL_HOME: home, READWISE_API_URL: readwise.url, LOG_LEVEL: "warn" },
      });
      expect({ code, said: code ? stderr + stdout : "" }).toEqual({ code: 0, said: "" });
      const flat = stdout.replace(/\s+/g, " ");
      for (const words of expected) expect(flat).toContain(words);
    },
    120_000,
  );
});

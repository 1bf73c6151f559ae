import { expect, it } from "vitest";
import { run } from "../../tests/support/peers.js";
import { COMMANDS } from "./commands.js";
import { completionFor } from "./completion.js";

/** What bash offers for a line, its last word being typed. */
async function offered(...line: string[]): Promise<string[]> {
  const words = line.map((word) => `'${word}'`).join(" ");
  const ask = `COMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _bookwheel; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run("bash", ["-c", `${completionFor("bash", COMMANDS)}\n${ask}`]);
  return stdout.trim().split("\n");
}

it.skipIf(process.platform === "win32")(
  "bash completes commands, their flags, their values and the settings",
  async () => {
    expect(await offered("bookwheel", "")).toEqual(Object.keys(COMMANDS));
    expect(await offered("bookwheel", "s")).toEqual(["search", "serve", "stdio", "sync", "setup"]);
    expect(await offered("bookwheel", "ingest", "thesis", "--pr")).toEqual(["--prune"]);
    expect(await offered("bookwheel", "migrate", "thesis", "--to", "")).toEqual(["qdrant", "sqlite"]);
    expect(await offered("bookwheel", "serve", "--por")).toEqual(["--port"]);
  },
);

it("zsh and fish have theirs, and no other shell does", () => {
  expect(completionFor("zsh", COMMANDS)).toContain("bashcompinit");
  expect(completionFor("fish", COMMANDS)).toContain("-n '__fish_seen_subcommand_from ingest' -l prune");
  expect(completionFor("cmd", COMMANDS)).toBeUndefined();
});

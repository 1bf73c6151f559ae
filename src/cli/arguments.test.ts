import { describe, expect, it } from "vitest";
import { readConfig } from "../config/config.js";
import { parseArguments } from "./arguments.js";

const parsed = (line: string) => parseArguments(line.split(" "));

describe("the command line", () => {
  it("reads a switch with its value, with an equals sign, alone and denied", () => {
    for (const [line, value] of [
      ["serve --cache-enabled false", false],
      ["serve --cache-enabled=off", false],
      ["serve --no-cache-enabled", false],
      ["serve --cache-enabled", true],
      ["serve --notebook-rate-limits --cache-enabled true", true],
    ] as const)
      expect(readConfig({}, parsed(line).flags).CACHE_ENABLED, line).toBe(value);
    expect(readConfig({}, parsed("serve --notebook-rate-limits").flags).NOTEBOOK_RATE_LIMITS).toBe(true);
  });

  it("refuses a flag that belongs to another command", () => {
    expect(parsed("ingest thesis books --prune").flags).toMatchObject({ prune: true });
    expect(() => parsed("serve --prune")).toThrow("--prune is not a flag of 'serve'.");
  });

  it("names a switch with a value that means nothing", () => {
    expect(() => readConfig({}, parsed("serve --cache-enabled=maybe").flags)).toThrow(
      "--cache-enabled must be true or false (it is 'maybe')",
    );
  });

  it("leaves what a switch does not mean to the command", () => {
    expect(parsed("ingest --read-only shelf books")).toMatchObject({
      command: "ingest",
      positionals: ["shelf", "books"],
      flags: { "read-only": true },
    });
    expect(parsed("call --read-only ask -- --read-only").positionals).toEqual(["ask", "--read-only"]);
  });
});

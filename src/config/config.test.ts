import { describe, expect, it } from "vitest";
import { asStartupError, type ConfigError, readConfig, refuseOpenShelves, secretsOf } from "./config.js";

const problemsOf = (env: Record<string, string>, flags: Record<string, string> = {}) => {
  try {
    readConfig(env, flags);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

describe("the configuration", () => {
  it("has the contract's defaults", () => {
    expect(readConfig({})).toMatchObject({
      PORT: 8080,
      HOST: "127.0.0.1",
      LOG_LEVEL: "info",
      CACHE_MAX_SIZE_MB: 128,
      CACHE_TTL_SECONDS: 300,
      CACHE_ENABLED: true,
    });
    expect([...readConfig({}).profiles]).toEqual(["readwise", "notebooks", "chunks"]);
  });

  it("says that a notebook deadline is in seconds", () => {
    expect(problemsOf({ NOTEBOOKLM_TIMEOUT: "30000" })).toEqual([
      "NOTEBOOKLM_TIMEOUT must be a whole number of seconds from 1 to 180 (it is '30000')",
    ]);
  });

  it("lets a flag win over the environment", () => {
    expect(readConfig({ PORT: "1" }, { port: "2" })).toMatchObject({ PORT: 2, origins: { PORT: "flag" } });
  });

  it("tells everything that is wrong at once, with what would be right", () => {
    expect(
      problemsOf({
        PORT: "http",
        LOG_LEVEL: "loud",
        READWISE_PROFILES: "write,videos",
        BOOKWHEEL_SHELVES: "readwise,attic",
        READWISE_API_URL: "ftp://x",
      }),
    ).toEqual([
      "PORT must be a whole number from 0 to 65535 (it is 'http')",
      "LOG_LEVEL must be one of debug, info, warn, error (it is 'loud')",
      "READWISE_API_URL must be an http:// or https:// address (it is 'ftp://x')",
      "BOOKWHEEL_SHELVES names 'attic'; the shelves are readwise, notebooks, chunks",
      "READWISE_PROFILES: unknown profile 'videos'; known: readwise, reader, write, video, destructive, basic, all",
      "READWISE_PROFILES: profile 'write' needs readwise or reader too; write 'readwise,write' or 'reader,write'",
    ]);
  });

  it("takes the address of a language model alone, as its server may hold only one", () => {
    expect(readConfig({ BOOKWHEEL_LLM_URL: "http://127.0.0.1:8081" })).toMatchObject({
      BOOKWHEEL_LLM_MODEL: "default",
    });
  });

  it("takes blanks for nothing, and asks for a name where only commas are", () => {
    expect([...readConfig({ READWISE_PROFILES: " ", PORT: " " }).profiles]).toContain("readwise");
    expect(problemsOf({ READWISE_PROFILES: ",", BOOKWHEEL_SHELVES: "readwise" })).toEqual([
      "READWISE_PROFILES names no profile; leave it out for the usual ones",
    ]);
    expect(problemsOf({ BOOKWHEEL_SHELVES: "," })).toEqual([
      "BOOKWHEEL_SHELVES names no shelf; the shelves are readwise, notebooks, chunks",
    ]);
  });

  it("says what to change where the machine refuses", () => {
    const config = readConfig({ BOOKWHEEL_HOME: "/shelf", PORT: "8080" });
    const problems = (error: object) => asStartupError(Object.assign(new Error("raw"), error), config)?.problems;
    expect(problems({ code: "EADDRINUSE", syscall: "listen" })).toEqual([
      expect.stringContaining("127.0.0.1:8080 is taken"),
    ]);
    expect(problems({ code: "EACCES", syscall: "listen" })).toEqual([expect.stringContaining("cannot listen")]);
    expect(problems({ code: "EACCES", syscall: "mkdir", path: "/shelf" })).toEqual([
      expect.stringContaining("'/shelf'"),
    ]);
    expect(problems({ code: "EACCES", syscall: "open", path: "/elsewhere" })).toBeUndefined();
  });

  it("never repeats a secret in a problem", () => {
    expect(problemsOf({ REDIS_URL: "http://user:hunter22@cache" }).join()).not.toContain("hunter22");
  });

  it("expands the contract's shortcuts", () => {
    expect([...readConfig({ READWISE_PROFILES: "basic", BOOKWHEEL_SHELVES: "readwise" }).profiles]).toEqual([
      "reader",
      "write",
    ]);
    expect([...readConfig({ READWISE_PROFILES: "all", BOOKWHEEL_SHELVES: "readwise" }).profiles]).toHaveLength(5);
  });

  it("does not open the owner's shelves to other machines without a token", () => {
    expect(() => refuseOpenShelves(readConfig({ HOST: "0.0.0.0" }))).toThrow(/BOOKWHEEL_TOKEN/);
    expect(() => refuseOpenShelves(readConfig({ HOST: "0.0.0.0", BOOKWHEEL_TOKEN: "s3cret-token" }))).not.toThrow();
    expect(() => refuseOpenShelves(readConfig({ HOST: "0.0.0.0", BOOKWHEEL_SHELVES: "readwise" }))).not.toThrow();
    expect(() => refuseOpenShelves(readConfig({ HOST: "localhost" }))).not.toThrow();
  });

  it("knows its secrets", () => {
    expect(secretsOf(readConfig({ BOOKWHEEL_TOKEN: "abc", QDRANT_API_KEY: "def" }))).toEqual(["abc", "def"]);
  });
});

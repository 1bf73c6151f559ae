import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "sandbox/**/*.test.ts", "tests/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    reporters: ["default", "./tests/support/skipped-reporter.ts"],
    pool: "forks",
    // Real browsers, servers and clocks on a shared machine: what fails is tried once more, and a fault fails twice.
    retry: process.env.CI ? 1 : 0,
  },
});

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "sandbox/**/*.test.ts", "tests/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    reporters: ["default", "./tests/support/end-of-run-reporter.ts"],
    pool: "forks",
    // Most long tests wait for programs they started, so a machine with two cores has room for two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Real browsers, servers and clocks on a shared machine: what fails is tried once more, and a fault fails twice.
    retry: process.env.CI ? 1 : 0,
  },
});

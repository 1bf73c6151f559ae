import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { ROOT } from "./peers.js";

/** Names at the end of a run what was skipped, and what this machine lacks. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => {
      const names = [...module.children.allTests("skipped")].map((test) => test.fullName);
      return names.length
        ? [`  ${module.relativeModuleId}: ${names.length} (${names[0]}${names.length > 1 ? ", …" : ""})`]
        : [];
    });
    if (skipped.length === 0) return;
    const shared = process.env.BOOKWHEEL_SHARED ?? join(ROOT, "..", "shared");
    const lacks = [
      ...(existsSync(shared) ? [] : [`${shared} (quote corpora, recordings, reference documents)`]),
      ...(BROWSERS.some((file) => existsSync(file)) ? [] : ["Chrome or Chromium"]),
    ];
    console.log(`\nSkipped, by file:\n${skipped.join("\n")}`);
    console.log(lacks.length ? `Not on this machine: ${lacks.join("; ")}.` : "Each says in its file what it needs.");
  }
}

const BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { ROOT } from "./peers.js";

/** Names at the end of a run what was skipped, what this machine lacks, what passed at the second try and what failed. */
export default class EndOfRunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    printSkipped(modules);
    const second = [...allTests(modules)].filter((test) => test.diagnostic()?.flaky);
    print(
      "Passed at the second try only:",
      second.map((test) => line(test, test.result().errors)),
    );
    const failed = [...allTests(modules)].filter((test) => test.result().state === "failed");
    const broken = modules.filter((module) => module.errors().length);
    // Last, because a log that was cut keeps its end.
    print("Failed:", [
      ...failed.map((test) => line(test, test.result().errors)),
      ...broken.map((module) => `  ${module.relativeModuleId}: ${firstLine(module.errors()[0])}`),
    ]);
  }
}

function* allTests(modules: readonly TestModule[]): Generator<TestCase> {
  for (const module of modules) yield* module.children.allTests();
}

type Errors = readonly { message: string }[] | undefined;

const line = (test: TestCase, errors: Errors): string =>
  `  ${test.module.relativeModuleId} > ${test.fullName}: ${firstLine(errors?.[0])}`;

const firstLine = (error: { message: string } | undefined): string =>
  error?.message.split("\n", 1)[0]?.slice(0, 300) ?? "";

function print(title: string, lines: readonly string[]): void {
  if (lines.length) console.log(`\n${title}\n${lines.join("\n")}`);
}

function printSkipped(modules: readonly TestModule[]): void {
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
  const note = lacks.length ? `Not on this machine: ${lacks.join("; ")}.` : "Each says in its file what it needs.";
  print("Skipped, by file:", [...skipped, note]);
}

const BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

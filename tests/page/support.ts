import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { findBrowser } from "../../src/shelves/notebooks/backends/find-browser.js";
import { ROOT } from "../support/peers.js";
import { type Program, startProgram } from "../support/program.js";

export const browserPath = findBrowser();
if (!browserPath) console.log("skipped: the page's tests (install Chromium)");

const SHOTS = join(ROOT, "test-results", "page");
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: browserPath!, args: ARGUMENTS });

export interface Visitor {
  page: Page;
  /** Opens a view by its hash and waits until the shell is there. */
  visit(hash: string): Promise<void>;
  shot(name: string): Promise<void>;
  /** What the console complained about since the last look. */
  complaints(): string[];
  close(): Promise<void>;
}

export interface VisitorOptions extends BrowserContextOptions {
  width?: number;
  height?: number;
}

export async function newVisitor(
  browser: Browser,
  url: string,
  { width = 1200, height = 860, ...options }: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width, height },
    reducedMotion: "reduce",
    locale: "en-GB",
    ...options,
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return {
    page,
    async visit(hash) {
      await page.goto("about:blank"); // an address that differs in its hash alone loads nothing
      await page.goto(`${url}/${hash}`);
      await page.locator(":is(.masthead nav, .tab-bar) a:visible").first().waitFor();
    },
    async shot(name) {
      mkdirSync(SHOTS, { recursive: true });
      await page.screenshot({ path: join(SHOTS, `${name}.png`) });
    },
    complaints: () => complaints.splice(0),
    close: () => context.close(),
  };
}

/** The demo with a browser in front of it, for all tests of a file; `visitor` is there once the first test runs. */
export function visitedDemo(env: Record<string, string> = {}): { readonly visitor: Visitor } {
  let demo: Program;
  let browser: Browser;
  let visitor: Visitor;
  beforeAll(async () => {
    [demo, browser] = await Promise.all([startProgram(["demo"], env), openBrowser()]);
    visitor = await newVisitor(browser, demo.url);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
  });
  return {
    get visitor() {
      return visitor;
    },
  };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** No violation at all; the context must bypass the CSP, which axe itself would break. */
export async function expectAccessible(page: Page | Frame): Promise<void> {
  await page.evaluate(AXE);
  const violations = await page.evaluate(
    async (tags) =>
      (
        await (
          globalThis as unknown as {
            axe: { run(root: Document, options: object): Promise<{ violations: Violation[] }> };
          }
        ).axe.run(document, { runOnly: tags })
      ).violations,
    RULES,
  );
  expect(
    violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => [html, failureSummary]) })),
  ).toEqual([]);
}

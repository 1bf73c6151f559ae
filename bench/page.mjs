// The page: what it weighs, and how long until a reader sees something of theirs, on the demo in a real browser.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { findBrowser } from "../dist/shelves/notebooks/backends/find-browser.js";
import { startDemo } from "../scripts/start-demo.mjs";
import { main, median, spread } from "./measure.mjs";

const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function compressed(folder, extension) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .reduce((sum, entry) => sum + gzipSync(readFileSync(join(entry.parentPath, entry.name))).length, 0);
}

/** Milliseconds from the start of the navigation until `selector` is painted, with an empty browser cache. */
async function untilShown(browser, url, selector) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript((wanted) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(wanted)) return;
      observer.disconnect();
      requestAnimationFrame(() =>
        setTimeout(() => {
          globalThis.shownAt = performance.now();
        }),
      );
    }).observe(document, { childList: true, subtree: true });
  }, selector);
  await page.goto(url);
  await page.waitForFunction(() => globalThis.shownAt);
  const ms = await page.evaluate(() => globalThis.shownAt);
  await context.close();
  return ms;
}

/** Bytes of JavaScript that went over the wire until the page was there. */
async function scriptsOf(browser, url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.locator(".masthead").waitFor();
  const bytes = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js"))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
  await context.close();
  return bytes;
}

export async function bench({ quick = false } = {}) {
  const rounds = quick ? 3 : 9;
  const rows = [
    {
      name: "All JavaScript of the page, gzip",
      ours: compressed(join(DIST, "web/page/assets"), ".js") / 1000,
      unit: "kB",
    },
    { name: "Style of the page, gzip", ours: compressed(join(DIST, "web/page/assets"), ".css") / 1000, unit: "kB" },
    {
      name: "Views for MCP hosts, three files, gzip",
      ours: compressed(join(DIST, "web/page/apps"), ".html") / 1000,
      unit: "kB",
    },
  ];
  const executablePath = findBrowser();
  if (!executablePath) return rows;
  const demo = await startDemo();
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  const script = (await scriptsOf(browser, demo.url)) / 1000;
  rows.push({
    name: "JavaScript a first visit loads, gzip",
    ours: script,
    unit: "kB",
    limit: 200,
    limitName: "goal",
    share: script / 200,
    goal: "< 200 kB",
    met: script < 200,
  });
  for (const [name, hash, selector, most] of [
    ["first visit to today's review", "", ".epigraphs blockquote", 1000],
    ["first visit to a search result", "#/?q=memory", ".hit", 600],
    ["first visit to the reading queue", "#/queue/new", ".queue h2", 1000],
  ]) {
    const values = [];
    const first = await untilShown(browser, `${demo.url}/${hash}`, selector);
    for (let round = 0; round < rounds; round++)
      values.push(await untilShown(browser, `${demo.url}/${hash}`, selector));
    const bare = [];
    for (let round = 0; round < rounds; round++) bare.push(await untilShown(browser, `${demo.url}/health`, "body"));
    const ours = median(values);
    rows.push({
      name,
      ours,
      unit: "ms",
      limit: median(bare),
      limitName: "an empty answer",
      share: median(bare) / ours,
      spread: spread(values),
      goal: `< ${most} ms`,
      met: ours < most,
      note: `the very first ${Math.round(first)} ms`,
    });
  }
  await browser.close();
  await demo.stop();
  return rows;
}

await main(import.meta.url, bench);

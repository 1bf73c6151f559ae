// Pictures of every view of the page in three sizes and both themes, of the demo:
//   node scripts/screenshots.mjs [--url http://127.0.0.1:8080] [--out test-results/screens] [view …]
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { findBrowser } from "../dist/shelves/notebooks/backends/find-browser.js";
import { PAGE_VIEWS } from "./page-views.mjs";
import { startDemo } from "./start-demo.mjs";

const SIZES = [
  [1440, 900],
  [1280, 720],
  [390, 844],
];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: "string" },
    out: { type: "string", default: "test-results/screens" },
    size: { type: "string" },
    theme: { type: "string" },
    full: { type: "boolean", default: false },
  },
});

const executablePath = findBrowser();
if (!executablePath) {
  console.error("Screenshots need Chromium: apt-get install chromium");
  process.exit(1);
}
const demo = values.url ? undefined : await startDemo();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
mkdirSync(values.out, { recursive: true });
const missing = [];
for (const [width, height] of SIZES.filter(([width]) => !values.size || values.size.includes(String(width))))
  for (const colorScheme of ["light", "dark"].filter((theme) => !values.theme || theme === values.theme)) {
    const phone = width < 500;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      reducedMotion: "reduce",
      locale: "en-GB",
      ...(phone ? { hasTouch: true, isMobile: true } : {}),
    });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    for (const view of PAGE_VIEWS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
      const path = join(values.out, `${view.name}-${width}-${colorScheme}.png`);
      try {
        await page.goto(`${values.url ?? demo.url}/${view.hash}`);
        await page.reload(); // an address that differs in its hash alone loads nothing
        await page.locator(".masthead").waitFor();
        await view.open?.(page);
        await page.locator(view.shows).first().waitFor();
        await page.waitForTimeout(150); // the last paint
      } catch (error) {
        missing.push(`${view.name} at ${width}, ${colorScheme}: ${String(error).split("\n")[0]}`);
      }
      await page.screenshot({ path, fullPage: values.full });
    }
    await context.close();
  }
await browser.close();
await demo?.stop();
for (const line of missing) console.error(`Not as expected: ${line}`);
console.log(`Pictures are in ${values.out}`);
process.exitCode = missing.length ? 1 : 0;

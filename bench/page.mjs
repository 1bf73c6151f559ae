// The page: what it weighs, and how long until a reader sees something of theirs, on the demo in a real browser.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { findBrowser } from "../dist/shelves/notebooks/backends/find-browser.js";
import { startDemo } from "../scripts/start-demo.mjs";
import { missingRow, shared } from "./judged.mjs";
import { newProject, vectorOf } from "./made-up.mjs";
import { main, median, percentile, spread } from "./measure.mjs";
import { loadBooks } from "./quote-cases.mjs";
import { addBook, booksOf } from "./verify-quote.mjs";

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

async function callTool(url, name, args = {}) {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const text = await response.text();
  const message = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return message.result.structuredContent;
}

const OWN = { project: "demo/reading", queries: "memory forgetting index quotation notes reading paper wheel" };
const LARGE = { project: "large", queries: "whale water morning species nature pond mind window evening stone garden" };

/** A project of real books and text made of their words, with made-up vectors, beside the demo's own. */
async function addLargeProject(folder, documents, chunks) {
  const store = sqliteChunkStore({ file: join(folder, "bookwheel.db") });
  const [{ model }] = await store.projects();
  await store.createProject({ ...newProject(LARGE.project, model.dimension), model });
  let made = 0;
  const vector = () => vectorOf(made++, model.dimension);
  for (const book of booksOf(loadBooks(documents).books, chunks))
    await addBook(store, book, { project: LARGE.project, vector });
  await store.close();
  return made;
}

/** 20,000 words around 200 quotations of a project's own texts, every second one altered by a word. */
async function longDraft(url, { project, queries }) {
  const sentences = new Map();
  for (const query of queries.split(" ")) {
    const args = { project, query, top_k: 20, include_full_text: true };
    for (const { render_text, citekey } of (await callTool(url, "query_hybrid", args)).items)
      for (const sentence of render_text.split(/(?<=[.!?])\s+/))
        if (sentence.split(" ").length > 8 && !/["“”\n[\]]/.test(sentence)) sentences.set(sentence, citekey);
  }
  const known = [...sentences];
  const filler = "Between one quotation and the next somebody has to think aloud about what it means here. ".repeat(2);
  return Array.from({ length: 200 }, (_, i) => {
    const [sentence, citekey] = known[i % known.length];
    const words = i % 2 ? sentence : sentence.replace(/^(\S+ \S+ \S+ )\S+/, "$1zeppelin");
    return `${filler}As it is said, “${words}” [@${citekey}].\n\n${filler}${i % 2 ? filler : ""}\n`;
  }).join("\n");
}

/** How long the page, another caller of the server and a search wait while a long draft is checked. */
async function whileChecking(browser, url, place, beside) {
  const text = await longDraft(url, place);
  const words = place.queries.split(" ");
  const alone = [];
  for (const [i, word] of words.entries()) alone.push(await timed(search(url, place, `${word} ${words.at(i - 1)}`)));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.blocks = [];
    new PerformanceObserver((list) =>
      globalThis.blocks.push(...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration }))),
    ).observe({ type: "longtask", buffered: true });
  });
  await page.goto(`${url}/#/draft`);
  await page.getByLabel("Your draft").fill(text);
  const began = await page.evaluate(() => performance.now());
  await page.getByRole("button", { name: "Check", exact: true }).click();
  let running = true;
  const checked = page
    .waitForFunction(
      () =>
        document.querySelector(".findings li") &&
        !document.querySelector(".status-line")?.textContent?.includes("so far"),
      undefined,
      { timeout: 120_000 },
    )
    .then(() => {
      running = false;
    });
  const asking = async (ask) => {
    const waits = [];
    for (let n = 0; running; n++) {
      waits.push(await timed(ask(n)));
      await Promise.race([checked, new Promise((resolve) => setTimeout(resolve, 10))]);
    }
    return waits;
  };
  const [waits, searches] = await Promise.all([
    asking(() => callTool(url, "list_projects")),
    asking((n) => search(url, place, `${words[n % words.length]} and ${words[(n * 7 + 3) % words.length]} ${n}`)),
  ]);
  const { blocks, ms } = await page.evaluate(
    (from) => ({
      ms: performance.now() - from,
      blocks: globalThis.blocks.filter(({ startTime }) => startTime >= from).map(({ duration }) => duration),
    }),
    began,
  );
  await context.close();
  const note = `${text.split(/\s+/).length} words, 200 quotations, checked in ${Math.round(ms)} ms`;
  const [longest, slowest] = [Math.max(0, ...blocks), Math.max(...waits)];
  return [
    {
      name: `longest block of the page while a draft is checked${beside}`,
      ours: longest,
      unit: "ms",
      goal: "< 100 ms",
      met: longest < 100,
      note,
    },
    {
      name: `slowest answer to another caller meanwhile${beside}`,
      ours: slowest,
      unit: "ms",
      goal: "< 100 ms",
      met: slowest < 100,
      note: `${waits.length} answers, p50 ${percentile(waits, 50).toFixed(1)} ms`,
    },
    {
      name: `search by words and meaning meanwhile${beside}, p95`,
      ours: percentile(searches, 95),
      unit: "ms",
      note: `${searches.length} new queries, p50 ${percentile(searches, 50).toFixed(1)} ms; p50 before it ${median(alone).toFixed(1)} ms`,
    },
  ];
}

const search = (url, { project }, query) => callTool(url, "query_hybrid", { project, query });

async function timed(work) {
  const start = performance.now();
  await work;
  return performance.now() - start;
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
  rows.push(...(await whileChecking(browser, demo.url, OWN, "")));
  const documents = join(shared, "corpora", "documents");
  if (!existsSync(documents)) rows.push(missingRow("the folder of books"));
  else {
    const chunks = await addLargeProject(demo.folder, documents, quick ? 5_000 : 100_000);
    rows.push(...(await whileChecking(browser, demo.url, LARGE, `, beside ${chunks.toLocaleString("en")} chunks`)));
  }
  await browser.close();
  await demo.stop();
  return rows;
}

await main(import.meta.url, bench);

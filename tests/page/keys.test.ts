import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Library } from "../../sandbox/readwise/library.js";
import { type ReadwiseSandbox, startReadwiseSandbox } from "../../sandbox/readwise/server.js";
import { readConfig } from "../../src/config.js";
import { createLog } from "../../src/log.js";
import { createCatalogServer } from "../../src/mcp/server.js";
import { createMetrics } from "../../src/metrics.js";
import type { Services } from "../../src/services.js";
import { httpReadwise } from "../../src/shelves/readwise/backends/http.js";
import { createReadwiseShelf, type ReadwiseShelf } from "../../src/shelves/readwise/library.js";
import { type RunningHttp, startHttp } from "../../src/transports/http.js";
import { pageFiles } from "../../src/web/page-files.js";
import { readwiseTools } from "../support/readwise.js";
import { browserPath, newVisitor, openBrowser } from "./support.js";

const KEY = "right-key";
const TOKEN = "the-servers-own-token";
const PAGE = fileURLToPath(new URL("../../dist/web/page", import.meta.url));

describe.skipIf(!browserPath)("the page and keys", () => {
  let browser: Browser;
  let sandbox: ReadwiseSandbox;
  let shelf: ReadwiseShelf;
  const servers: RunningHttp[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    sandbox = await startReadwiseSandbox({ libraries: { [KEY]: new Library() } });
    shelf = createReadwiseShelf({
      api: httpReadwise({ baseUrl: sandbox.url, timeoutMs: 5_000 }),
      cache: { enabled: true, maxBytes: 1e7, ttlMs: 300_000 },
    });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all(servers.map((server) => server.close()));
    await shelf?.close();
    await sandbox?.close();
  });

  async function serve(env: Record<string, string> = {}): Promise<string> {
    const config = readConfig({ PORT: "0", BOOKWHEEL_SHELVES: "readwise", READWISE_PROFILES: "all", ...env });
    const metrics = createMetrics();
    const log = createLog("error");
    const services = { readwise: shelf, log, observe: metrics.call } as unknown as Services;
    const catalog = createCatalogServer({ tools: await readwiseTools(), services, version: "0" });
    const page = pageFiles(PAGE);
    const server = await startHttp({ config, server: catalog, metrics, log, ready: {}, ...(page ? { page } : {}) });
    servers.push(server);
    return server.url;
  }

  it("asks for a Readwise key when a call needs one, keeps it in the tab, and forgets it", async () => {
    const { page, visit, shot, close } = await newVisitor(browser, await serve());
    await visit("#/tools");
    expect(await page.getByRole("dialog").count()).toBe(0);

    await visit("#/sources");
    const dialog = page.getByRole("dialog", { name: /Readwise key/ });
    await dialog.getByText("session storage").waitFor();
    await shot("key-asked");
    await dialog.getByLabel("Readwise key").fill("wrong-key");
    await dialog.getByRole("button", { name: "Use it" }).click();
    await dialog.getByText(/refused|invalid|not accept/i).waitFor();
    await dialog.getByLabel("Readwise key").fill(KEY);
    await dialog.getByRole("button", { name: "Use it" }).click();
    await page.getByText("0 sources").waitFor();

    await page.reload();
    await page.getByText("0 sources").waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(KEY);
    await page.getByRole("button", { name: "Forget it" }).click();
    await dialog.waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(KEY);
    await dialog.getByRole("button", { name: "Not now" }).click();
    await page.locator(".problem").getByRole("button", { name: "Enter a key" }).click();
    await dialog.waitFor();
    await close();
  });

  it("asks for the server's token where the server has one, and offers only what the server does", async () => {
    const { page, close } = await newVisitor(
      browser,
      await serve({ BOOKWHEEL_TOKEN: TOKEN, READWISE_PROFILES: "readwise" }),
    );
    await page.goto(servers.at(-1)!.url);
    const dialog = page.getByRole("dialog", { name: /its token/ });
    await dialog.getByLabel("Server token").fill(TOKEN);
    await dialog.getByRole("button", { name: "Use it" }).click();
    const nav = page.getByRole("navigation", { name: "Shelves" });
    await nav.getByRole("link", { name: "Library" }).waitFor();
    expect(await nav.getByRole("link").allTextContents()).toEqual(["Search", "Library", "Tools", "Status"]);
    await close();
  });

  it("keeps keys out of the curl line and the shown request", async () => {
    const { page, visit, close } = await newVisitor(browser, await serve());
    await visit("#/");
    await page.evaluate((key) => sessionStorage.setItem("bookwheel.keys", JSON.stringify({ readwise: key })), KEY);
    await page.goto(`${servers.at(-1)!.url}/#/tools/list_sources`);
    await page.reload();
    await page.getByRole("button", { name: "Call" }).click();
    await page.getByLabel("Structured answer").waitFor();
    await page.getByText("Raw request").click();
    expect(await page.locator("body").innerText()).not.toContain(KEY);
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("Copied the curl line").waitFor();
    const line = await page.evaluate(() => navigator.clipboard.readText());
    expect(line).toContain("x-readwise-token: $READWISE_API_KEY");
    expect(line).not.toContain(KEY);
    await close();
  });
});

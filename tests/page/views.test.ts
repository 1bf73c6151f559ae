import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAGE_VIEWS, type PageView } from "../../scripts/page-views.mjs";
import { type Program, startProgram } from "../support/program.js";
import { browserPath, expectAccessible, newVisitor, openBrowser, type Visitor } from "./support.js";

describe.skipIf(!browserPath)("the page's views", () => {
  let demo: Program;
  let browser: Browser;
  let reader: Visitor;
  beforeAll(async () => {
    [demo, browser] = await Promise.all([startProgram(["demo"]), openBrowser()]);
    reader = await newVisitor(browser, demo.url);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
  });

  /** Goes to a view as a person does. */
  async function arrive({ page, visit }: Visitor, { hash, shows, open }: PageView) {
    await visit(hash);
    await open?.(page);
    await page.locator(shows).first().waitFor();
  }

  it.each(PAGE_VIEWS)("$name appears under the content policy without a complaint", async (view) => {
    await arrive(reader, view);
    expect(reader.complaints()).toEqual([]);
  });

  it.each(["light", "dark"] as const)(
    "have no accessibility violation in %s",
    async (colorScheme) => {
      const visitor = await newVisitor(browser, demo.url, { colorScheme, bypassCSP: true });
      for (const view of PAGE_VIEWS) {
        await arrive(visitor, view);
        await expectAccessible(visitor.page);
      }
      await visitor.close();
    },
    120_000,
  );

  it.each(["light", "dark"] as const)(
    "have none when something is open on them, in %s",
    async (colorScheme) => {
      const { page, visit, shot, close } = await newVisitor(browser, demo.url, { colorScheme, bypassCSP: true });
      const check = async (name: string) => {
        // Elsewhere the sticky masthead may cover half of a button, as it does on any scrolled page.
        await page.evaluate(() => scrollTo(0, 0));
        await expectAccessible(page);
        if (colorScheme === "dark") await shot(`${name}-dark`);
      };
      await visit("#/queue/new");
      await page.locator(".queue h2").first().waitFor();
      await page.keyboard.press("t");
      await page.getByLabel("Add a tag").waitFor();
      await check("tagging");
      await page.keyboard.press("Escape");
      await page.getByLabel("Add a tag").waitFor({ state: "detached" });
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      await check("help");
      await page.keyboard.press("Escape");

      await visit("#/notebooks");
      await page
        .locator("main")
        .getByRole("link", { name: /reading machines/ })
        .click();
      await page.getByLabel("Ask the sources of this notebook").fill("When did Ramelli publish his wheel?");
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.locator(".cite-mark").first().click();
      await page.locator(".reader mark").first().waitFor();
      await page.getByText("Add a source").click();
      await check("notebook");

      await visit("#/quote?project=demo%2Freading");
      await page.getByLabel("The words as you have them").fill("The zeppelin of knowledge never lands anywhere");
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.locator(".verdict strong").waitFor();
      await check("verdict");
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("combobox").fill("atten");
      await page.getByRole("dialog").getByRole("option").first().waitFor();
      await check("command-box");
      await page.keyboard.press("Escape");
      await visit("#/projects/demo%2Freading?q=forgetting");
      await page.locator(".hit-open").first().click();
      await page.getByText("Cite this").click();
      await page.locator(".citation").first().waitFor();
      await check("passage");

      await visit("#/tools/list_projects");
      await page.getByRole("button", { name: "Call" }).click();
      await page.getByLabel("Structured answer").waitFor();
      await page.getByText("Raw answer").click();
      await check("tool-called");
      await close();
    },
    60_000,
  );

  it("fit a phone: nothing is cut at 390 pixels, and whatever is pressed is 44 pixels high", async () => {
    const visitor = await newVisitor(browser, demo.url, { width: 390, height: 844, hasTouch: true, isMobile: true });
    for (const view of PAGE_VIEWS) {
      await arrive(visitor, view);
      const width = await visitor.page.evaluate(() => document.documentElement.scrollWidth);
      const { name } = view;
      expect({ name, width, cut: await cutIn(visitor.page), small: await smallIn(visitor.page) }).toEqual({
        name,
        width: 390,
        cut: [],
        small: [],
      });
    }
    await visitor.close();
  }, 120_000);

  it("send a first visit less than 200 kB of JavaScript; what is rarely opened comes when it is", async () => {
    const visitor = await newVisitor(browser, demo.url);
    const scripts = () =>
      visitor.page.evaluate(() =>
        (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
          .filter(({ name }) => name.endsWith(".js"))
          .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize })),
      );
    await visitor.visit("#/");
    const first = await scripts();
    expect(first.length).toBeGreaterThan(0);
    expect(first.every(({ bytes }) => bytes > 0)).toBe(true);
    expect(first.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(200_000);
    await visitor.page.getByRole("link", { name: "Check a draft" }).click();
    await visitor.page.getByLabel("Your draft").waitFor();
    expect((await scripts()).length).toBeGreaterThan(first.length);
    await visitor.close();
  });

  it("begin the search that an address asks for before their own code is there, and once", async () => {
    const visitor = await newVisitor(browser, demo.url);
    const asked: string[] = [];
    await visitor.page.route("**/mcp", async (route) => {
      const { method, params } = route.request().postDataJSON() as { method: string; params?: { name?: string } };
      asked.push(params?.name ?? method);
      await route.continue();
    });
    await visitor.page.route("**/assets/index-*.js", async (route) => {
      await expect.poll(() => asked, { timeout: 10_000 }).toEqual(["tools/list", "search_library"]);
      await route.continue();
    });
    await visitor.visit("#/?q=memory");
    await visitor.page.locator(".hit mark").first().waitFor();
    expect(asked.filter((name) => name === "search_library" || name === "tools/list")).toHaveLength(2);
    await visitor.page.getByLabel("Search your reading").fill("forgetting");
    await expect.poll(() => asked.filter((name) => name === "search_library")).toHaveLength(2);
    await visitor.page
      .locator(".hit mark", { hasText: /forget/i })
      .first()
      .waitFor();
    expect(visitor.complaints()).toEqual([]);
    await visitor.close();
  });

  it("ask again where what went out early was refused or lost", async () => {
    const visitor = await newVisitor(browser, demo.url);
    let refused = 0;
    await visitor.page.route("**/mcp", async (route) => {
      if (refused++ < 2) return route.fulfill({ status: 503, body: "busy" });
      await route.continue();
    });
    await visitor.visit("#/?q=memory");
    await visitor.page.locator(".hit mark").first().waitFor();
    expect(refused).toBeGreaterThan(3);
    await visitor.close();
  });

  it("open a source from the library and a document from the queue", async () => {
    const { page, visit, shot, complaints } = reader;
    await visit("#/sources?kind=books");
    await page.locator(".shelf a").first().click();
    await page.locator(".quotes blockquote").first().waitFor();
    await shot("source");
    await visit("#/queue/later");
    await page.locator(".queue h2 a").first().click();
    await page.locator(".prose p").first().waitFor();
    await shot("document");
    expect(complaints()).toEqual([]);
  });

  it("show what a document says about markup as text", async () => {
    const { page, visit, complaints } = reader;
    await visit("#/queue/later");
    await page.getByRole("link", { name: /Never Trust a String/ }).click();
    const prose = page.locator(".prose");
    await prose.getByText('<script>alert("hello")</script>').waitFor();
    expect(await prose.locator("script, img, iframe").count()).toBe(0);
    expect(complaints()).toEqual([]);
  });

  it("show a table of a document as a table", async () => {
    const { page, visit } = reader;
    await visit("#/queue/new");
    await page.locator(".queue h2").first().waitFor();
    await page.getByRole("link", { name: "Your library loan is due on 20 November" }).click();
    const table = page.locator(".prose table");
    await table.locator("th").first().waitFor();
    expect(await table.locator("th").allTextContents()).toEqual(["Title", "Shelf mark", "Renewals left"]);
    expect(await table.locator("tr").count()).toBeGreaterThan(1);
  });

  it("keep the chosen colours, and follow the system otherwise", async () => {
    const { page, visit, close } = await newVisitor(browser, demo.url, { colorScheme: "dark" });
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await visit("#/");
    const dark = await background();
    await page.getByRole("group", { name: "Colours" }).getByLabel("Light").check({ force: true });
    const light = await background();
    expect(light).not.toBe(dark);
    await page.reload();
    await page.locator(".masthead nav a").first().waitFor();
    expect(await background()).toBe(light);
    await close();
  });

  it("move focus to a view that was gone to, and say its name", async () => {
    const { page, visit } = reader;
    await visit("#/");
    await page.getByRole("link", { name: "Queue" }).click();
    await page.locator(".queue h2 a").first().waitFor();
    expect(await page.title()).toBe("Queue · Bookwheel");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
  });
});

/** What stands beyond the right edge and cannot be scrolled to. */
function cutIn(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("main *, header *, dialog[open] *")]
      .filter((element) => {
        const { right, width } = element.getBoundingClientRect();
        if (width < 2 || right <= innerWidth + 1) return false;
        for (let at: Element | null = element; at; at = at.parentElement)
          if (/auto|scroll|hidden/.test(getComputedStyle(at).overflowX)) return false;
        return true;
      })
      .map((element) => element.outerHTML.slice(0, 90)),
  );
}

/** Buttons, fields and lone links a finger could miss; a link within a sentence is as high as its line. */
function smallIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector("dialog[open]") ?? document.body;
    return [...root.querySelectorAll("button, select, input:not([type=radio], [type=checkbox]), nav a, .foot a")]
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        const inText = element.matches(".cite-mark, button.link, .skip");
        return width > 1 && height > 1 && !inText && height < 43.5 && element.checkVisibility();
      })
      .map((element) => `${Math.round(element.getBoundingClientRect().height)} ${element.outerHTML.slice(0, 90)}`);
  });
}

import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Library } from "../../sandbox/readwise/library.js";
import { sampleLibrary } from "../../sandbox/readwise/sample.js";
import { type ServedPage, servePage } from "./serve.js";
import { browserPath, newVisitor, openBrowser, type Visitor } from "./support.js";

const KEY = "right-key";
const TOKEN = "the-servers-own-token";

describe.skipIf(!browserPath)("where the server refuses, the page", () => {
  let browser: Browser;
  const open: (ServedPage | Visitor)[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  async function visitor(...served: Parameters<typeof servePage>): Promise<Visitor & { served: ServedPage }> {
    const server = await servePage(...served);
    const guest = await newVisitor(browser, server.url);
    open.push(server, guest);
    return { ...guest, served: server };
  }

  it("offers to connect Readwise where a view needs it, keeps the key in the tab, and forgets it", async () => {
    const { page, visit, shot } = await visitor({ [KEY]: new Library() });
    await visit("#/sources");
    const card = page.getByRole("region", { name: "Connect Readwise" });
    await card.waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await shot("connect-readwise");
    await card.getByLabel("Readwise key").fill("wrong-key");
    await card.getByRole("button", { name: "Connect" }).click();
    const refused = page.getByRole("region", { name: "Readwise does not accept this key" });
    await refused.getByLabel("Readwise key").fill(KEY);
    await refused.getByRole("button", { name: "Connect" }).click();
    await page.getByText("0 works").waitFor();

    await page.reload();
    await page.getByText("0 works").waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(KEY);
    await page.getByRole("button", { name: "Forget it" }).click();
    await card.waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(KEY);
  });

  it("searches what needs no key beside the offer to connect, and says when it could not search", async () => {
    const { page, visit, shot } = await visitor({ [KEY]: new Library() });
    await visit("#/?q=memory");
    await page.getByRole("region", { name: "Connect Readwise" }).waitFor();
    await shot("search-without-key");
    expect(await page.getByRole("status").first().textContent()).not.toContain("0 places");
    await visit(`#/?q=${"long ".repeat(250)}`);
    await page.getByText("This is too long to search for").waitFor();
  });

  it("says which line switches a view on", async () => {
    const { page, visit } = await visitor({ [KEY]: new Library() }, { READWISE_PROFILES: "readwise" }, KEY);
    await visit("#/queue");
    await page.getByRole("heading", { name: "Queue is switched off" }).waitFor();
    await page.getByText("READWISE_PROFILES=readwise,reader,write bookwheel serve").waitFor();
  });

  it("asks for the server's token where the server has one, and shows only views it offers", async () => {
    const { page, served } = await visitor({}, { BOOKWHEEL_TOKEN: TOKEN, READWISE_PROFILES: "readwise" });
    await page.goto(served.url);
    const dialog = page.getByRole("dialog", { name: /its token/ });
    await dialog.getByLabel("Server token").fill(TOKEN);
    await dialog.getByRole("button", { name: "Use it" }).click();
    const nav = page.getByRole("navigation", { name: "Shelves" });
    await nav.getByRole("link", { name: "Library" }).waitFor();
    expect(await nav.getByRole("link").allTextContents()).toEqual(["Search", "Library"]);
  });

  it("keeps keys out of the curl line and the shown request", async () => {
    const { page, visit } = await visitor({ [KEY]: new Library() });
    await visit("#/");
    await page.evaluate((key) => sessionStorage.setItem("bookwheel.keys", JSON.stringify({ readwise: key })), KEY);
    await visit("#/tools/list_sources");
    await page.reload();
    await page.getByRole("button", { name: "Call" }).click();
    await page.getByLabel("Structured answer").waitFor();
    await page.getByText("Raw request").click();
    expect(await page.locator("body").textContent()).not.toContain(KEY);
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("Copied the curl line").waitFor();
    const line = await page.evaluate(() => navigator.clipboard.readText());
    expect(line).toContain("x-readwise-token: $READWISE_API_KEY");
    expect(line).not.toContain(KEY);
  });

  it("puts a document back that Reader did not move, and says so", async () => {
    const { page, visit, served } = await visitor({ [KEY]: sampleLibrary() }, {}, KEY);
    await visit("#/queue/new");
    const first = page.locator(".queue h2").first();
    const title = await first.textContent();
    // The simulator's Reader takes the shortlist for the inbox unless set otherwise.
    await page.keyboard.press("s");
    await page.locator(".notices .bad").getByText("did not keep location").waitFor();
    expect(await page.locator(".notices").textContent()).not.toContain("Moved");
    expect(await first.textContent()).toBe(title);

    served.sandbox.faults.set({ kind: "status", status: 500 });
    await page.keyboard.press("e");
    await expect.poll(() => page.locator(".notices .bad").count()).toBe(2);
    await expect.poll(() => first.textContent()).toBe(title);
  });

  it("takes back after a reload what was done before it, the last first", async () => {
    const { page, visit } = await visitor({ [KEY]: sampleLibrary() }, {}, KEY);
    await visit("#/queue/new");
    const titles = () => page.locator(".queue h2").allTextContents();
    const said = (words: RegExp) => page.locator(".notices").getByText(words).last().waitFor();
    await page.locator(".queue h2").first().waitFor();
    const before = await titles();
    await page.keyboard.press("e");
    await said(/Moved .* to Archive/);
    await page.keyboard.press("l");
    await said(/Moved .* to Later/);
    await page.reload();
    await page.locator(".queue h2").first().waitFor();
    expect(await titles()).toEqual(before.slice(2));
    await page.keyboard.press("u");
    await expect.poll(titles, { timeout: 10_000 }).toEqual(before.slice(1));
    await page.getByRole("button", { name: "Undo" }).last().click();
    await expect.poll(async () => (await titles()).sort(), { timeout: 10_000 }).toEqual([...before].sort());
  });

  it("says what the server said, and asks again when asked to", async () => {
    const { page, visit, served } = await visitor({ [KEY]: sampleLibrary() }, {}, KEY);
    await visit("#/tools");
    served.sandbox.faults.set({ kind: "throttle", retry_after_s: 7 });
    await visit("#/sources");
    const problem = page.locator(".problem");
    await problem.getByText("Readwise asks for a short pause.").waitFor();
    await problem.getByText(/It is asked again in \d+ s/).waitFor();
  });

  it("waits where Readwise asks for a pause, counts it down, and goes on by itself", async () => {
    const { page, visit, served } = await visitor({ [KEY]: sampleLibrary() }, {}, KEY);
    await visit("#/tools");
    served.sandbox.faults.set({ kind: "throttle", retry_after_s: 3, times: 1 });
    await visit("#/sources");
    const timer = page.getByRole("timer");
    await timer.getByText("It is asked again in 3 s.").waitFor();
    await timer.getByText("It is asked again in 1 s.").waitFor();
    // Nobody touches the page.
    await page.locator(".shelf strong").first().waitFor();
    expect(await page.locator(".problem").count()).toBe(0);
  });

  it("searches what a pause left out once it is over, and shows what is there meanwhile", async () => {
    const { page, visit, served } = await visitor({ [KEY]: sampleLibrary() }, {}, KEY);
    await visit("#/tools");
    served.sandbox.faults.set({ kind: "throttle", endpoint: "GET /api/v3/list/", retry_after_s: 2, times: 1 });
    await visit("#/?q=attention");
    await page.getByText("Part of your reading could not be searched.").waitFor();
    expect(await page.locator(".from-highlight").count()).toBeGreaterThan(0);
    expect(await page.locator(".from-document").count()).toBe(0);
    await page.locator(".from-document").first().waitFor();
    expect(await page.locator(".problem").count()).toBe(0);
  });

  it("says that the server is gone, and comes back with it", async () => {
    const { page, visit, served } = await visitor({ [KEY]: sampleLibrary() }, {}, KEY);
    await visit("#/tools");
    await page.route("**/mcp", (route) => route.abort());
    await page.goto(`${served.url}/#/sources`);
    await page.locator(".problem").getByText("does not answer").waitFor();
    await page.unroute("**/mcp");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".shelf strong").first().waitFor();
  });

  it("says that more of a list could not be loaded, and loads it when asked again", async () => {
    const library = new Library();
    for (let n = 1; n <= 45; n++)
      library.addHighlight(library.addBook({ title: `Work ${n}` }, n), { text: `Words ${n}` }, n);
    const { page, visit } = await visitor({ [KEY]: library }, {}, KEY);
    await visit("#/sources");
    const more = page.getByRole("button", { name: "More works" });
    await more.waitFor();
    const works = page.locator(".shelf strong");
    const before = await works.count();
    await page.route("**/mcp", (route) => route.abort());
    await more.click();
    await page.locator(".problem").getByText("does not answer").waitFor();
    await page.unroute("**/mcp");
    expect(await works.count()).toBe(before);
    await more.click();
    await page.locator(".problem").waitFor({ state: "detached" });
    expect(await works.count()).toBeGreaterThan(before);
  });

  it("shows footnotes, code and tables of a document as what they are", async () => {
    const library = new Library();
    const html = `<h2>On tides</h2><p>The moon pulls twice.<sup><a href="#fn1">1</a></sup></p>
      <pre><code>tide = 2 *\n  moon</code></pre>
      <table><tr><th>Place</th><th>Metres</th></tr><tr><td>Fundy</td><td>16</td></tr></table>
      <section class="footnotes"><ol><li id="fn1">Newton, Principia, book 3.</li></ol></section>`;
    library.addDocument({ title: "Tides", category: "article", html }, Date.now());
    const { page, visit } = await visitor({ [KEY]: library }, {}, KEY);
    await visit("#/queue/new");
    await page.locator(".queue h2 a").first().click();
    const prose = page.locator(".prose");
    await prose.getByText("The moon pulls twice.¹").waitFor();
    expect(await prose.locator("pre").textContent()).toBe("tide = 2 *\n  moon");
    expect(await prose.locator("td").allTextContents()).toEqual(["Fundy", "16"]);
    expect(await prose.locator(".footnote").textContent()).toBe("¹ Newton, Principia, book 3.");
  });

  it("keeps what was read on of a long document when something in it is highlighted", async () => {
    const library = new Library();
    const html = `${"<p>One of many paragraphs that nobody highlights.</p>".repeat(1_000)}<p>The last words of all.</p>`;
    library.addDocument({ title: "Long", category: "article", html }, Date.now());
    const { page, visit } = await visitor({ [KEY]: library }, {}, KEY);
    await visit("#/queue/new");
    await page.getByRole("link", { name: "Long" }).click();
    const last = page.getByText("The last words of all.");
    await page.getByRole("button", { name: "Read on" }).click();
    await last.selectText();
    await page.keyboard.press("h");
    await page.getByText("Highlighted.").waitFor();
    await page.locator(".prose mark").getByText("The last words of all.").waitFor();
    // Effects of the last render run after its frame.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
    );
    expect(await last.count()).toBe(1);
  });

  it("highlights the words that are selected when the key is pressed, not those of a moment before", async () => {
    const library = new Library();
    const html = "<p>The moon pulls twice.</p>";
    library.addDocument({ title: "Tides", category: "article", html }, Date.now());
    const { page, visit } = await visitor({ [KEY]: library }, {}, KEY);
    await visit("#/queue/new");
    await page.getByRole("link", { name: "Tides" }).click();
    const paragraph = page.locator(".prose p");
    await paragraph.evaluate((element) => getSelection()?.setBaseAndExtent(element, 0, element.firstChild!, 8));
    await page.getByRole("toolbar", { name: "Selected words" }).waitFor();
    // In one task, so that the key comes before the event that reports the selection.
    await paragraph.evaluate((element) => {
      getSelection()?.selectAllChildren(element);
      element.dispatchEvent(new KeyboardEvent("keydown", { key: "h", bubbles: true }));
    });
    await page.locator(".prose mark").waitFor();
    expect(await page.locator(".prose mark").textContent()).toBe("The moon pulls twice.");
  });

  it("keeps what was read on also where a long highlight leaves less room for the first part", async () => {
    const library = new Library();
    const long = "A paragraph as long as a page. ".repeat(160).trim();
    const html = `<p>${long}</p>${"<p>One of many paragraphs that nobody highlights.</p>".repeat(1_000)}<p>The last words of all.</p>`;
    library.addDocument({ title: "Long", category: "article", html }, Date.now());
    const { page, visit } = await visitor({ [KEY]: library }, {}, KEY);
    await visit("#/queue/new");
    await page.getByRole("link", { name: "Long" }).click();
    await page.getByRole("button", { name: "Read on" }).click();
    const last = page.getByText("The last words of all.");
    await last.waitFor();
    await page.locator(".prose p").first().selectText();
    await page.getByRole("toolbar", { name: "Selected words" }).getByRole("button").click();
    await page.locator(".prose mark").waitFor();
    expect(await last.count()).toBe(1);
  });

  it("shows a highlight that lacks a place or its words as what is known of it", async () => {
    const library = new Library();
    const book = library.addBook({ title: "Field notes", author: "Ann Lee" }, Date.now());
    for (const [text, location_type] of [
      ["No page", "page"],
      ["No place", "location"],
      ["", "page"],
    ] as const)
      library.addHighlight(book, { text, location: null, location_type, tags: ["odd"] }, Date.now());
    const { page, visit, complaints } = await visitor({ [KEY]: library }, {}, KEY);
    for (const hash of [`#/sources/${book.id}`, "#/?q=tag:odd"]) {
      await visit(hash);
      await page.getByText("No place").waitFor();
      expect(await page.locator("main").textContent()).not.toMatch(/undefined|NaN/);
      expect(await page.locator("main").textContent()).toContain("Ann Lee");
      expect(await page.locator("main").textContent()).not.toContain("still being fetched");
    }
    expect(complaints()).toEqual([]);
  });

  it("shows hostile documents as the characters they are", async () => {
    const hostile = '<img src=x onerror="hacked=1"><script>hacked=2</script>\u202egnp.exe';
    const library = new Library();
    const fields = { title: hostile, author: hostile, source_url: "javascript:hacked=3", tags: [hostile] };
    const book = library.addBook({ ...fields, document_note: hostile }, Date.now());
    library.addHighlight(book, { text: hostile, note: hostile, url: "javascript:hacked=4" }, Date.now());
    const html = `<p onclick="hacked=5">Plain words</p><svg onload="hacked=6"></svg><form><button>b</button></form>
      <iframe srcdoc="<script>parent.hacked=7</script>"></iframe><img src=x onerror="hacked=8"><style>body{display:none}</style>`;
    library.addDocument({ ...fields, category: "article", summary: hostile, site_name: hostile, html }, Date.now());
    const { page, visit, complaints } = await visitor({ [KEY]: library }, {}, KEY);

    for (const [hash, shows] of [
      ["#/?q=hacked", ".hit blockquote"],
      ["#/queue/new", ".queue h2"],
      ["#/sources", ".shelf strong"],
      [`#/sources/${book.id}`, ".quotes blockquote"],
    ] as const) {
      await visit(hash);
      await page.locator(shows).first().waitFor();
      expect(await page.locator(shows).first().textContent()).toContain('<img src=x onerror="hacked=1">');
    }
    await visit("#/queue/new");
    await page.locator(".queue h2 a").first().click();
    await page.locator(".prose").getByText("Plain words").waitFor();
    expect(await page.locator(".prose").innerHTML()).toBe('<p dir="auto">Plain words</p>');
    expect(await page.locator("a[href^=javascript]").count()).toBe(0);
    expect(await page.evaluate(() => "hacked" in globalThis)).toBe(false);
    expect(complaints()).toEqual([]);
  });
});

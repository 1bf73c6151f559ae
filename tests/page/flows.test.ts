import { describe, expect, it } from "vitest";
import { browserPath, visitedDemo } from "./support.js";

describe.skipIf(!browserPath)("on the page, a reader", () => {
  const demo = visitedDemo();

  const clipboard = () => demo.visitor.page.evaluate(() => navigator.clipboard.readText());
  const notice = (text: string | RegExp) => demo.visitor.page.locator(".notices").getByText(text).last().waitFor();

  it("searches everything as they type, and opens a highlight in its source", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/");
    await page.getByLabel("Search your reading").fill("memory");
    await page.locator(".from-passage mark").first().waitFor();
    await page.locator(".from-highlight mark").first().waitFor();
    expect(await page.locator("[role=status]").first().textContent()).toMatch(/\d+ places? in your reading/);
    expect(page.url()).toContain("q=memory");
    await page.getByRole("button", { name: /Highlights/ }).click();
    expect(await page.locator(".from-passage").count()).toBe(0);
    const quoted = await page.locator(".hit blockquote").first().textContent();
    await page.locator(".hit-open").first().click();
    expect(await page.locator(".arrived blockquote").textContent()).toBe(quoted);
  });

  it("walks the hits by key, copies one with its source, and comes back to the same place", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/?q=attention");
    await page.locator(".hit-open").nth(8).waitFor();
    await page.getByLabel("Search your reading").press("ArrowDown");
    for (let step = 0; step < 7; step++) await page.keyboard.press("j");
    await page.keyboard.press("k");
    const at = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset.hit);
    const hit = await at();
    expect(hit).toBe(await page.locator(".hit-open").nth(6).getAttribute("data-hit"));
    await page.locator(".hit").nth(6).getByRole("button", { name: "Copy" }).click();
    await notice("Copied the quotation with its source");
    expect(await clipboard()).toMatch(/^“[\s\S]+”\n— ./);
    await page.locator(".hit-open").nth(6).focus();
    const before = await page.evaluate(() => scrollY);
    expect(before).toBeGreaterThan(200);
    await page.keyboard.press("Enter");
    await page.locator("article.view h1").waitFor();
    await page.goBack();
    await page.locator(".hit-open").nth(6).waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
    expect(await at()).toBe(hit);
  });

  it("triages the queue from the keyboard, and takes it back", async () => {
    const { page, visit, shot } = demo.visitor;
    await visit("#/queue/new");
    const titles = () => page.locator(".queue h2").allTextContents();
    await page.locator(".queue h2").first().waitFor();
    const before = await titles();
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await notice(/Moved .* to Archive/);
    expect(await titles()).toEqual(before.filter((_, index) => index !== 1));
    await page.keyboard.press("u");
    await notice("Undone");
    expect(await titles()).toEqual(before);
    await visit("#/queue/archive");
    await page.locator(".queue h2").first().waitFor();
    expect(await titles()).not.toContain(before[1]);

    await visit("#/queue/new");
    const first = await page.locator(".queue h2").first().textContent();
    await page.keyboard.press("s");
    await notice(/Moved .* to Shortlist/);
    await shot("queue-moved");
    await visit("#/queue/shortlist");
    await page.locator(".queue h2").first().waitFor();
    expect(await titles()).toContain(first);
  });

  it("tags a document, and its former tags come back", async () => {
    const { page, visit, shot } = demo.visitor;
    await visit("#/queue/later");
    const first = page.locator(".queue > li").first();
    await first.waitFor();
    const before = await first.locator(".tags li").allTextContents();
    const names = async () => (await first.locator(".tags li").allTextContents()).sort();
    expect(before.length).toBeGreaterThan(0);
    await page.keyboard.press("t");
    await page.getByLabel("Add a tag").waitFor();
    await page.keyboard.type("to cite");
    await shot("tagging");
    await page.keyboard.press("Enter");
    await first.locator(".tags").getByText("to cite").waitFor();
    expect(await names()).toEqual([...before, "to cite"].sort());
    expect(await page.evaluate(() => document.activeElement?.closest("li")?.dataset.id)).toBe(
      await first.getAttribute("data-id"),
    );
    await page.locator(".notices").getByRole("button", { name: "Undo" }).last().click();
    await notice("Undone");
    expect(await names()).toEqual(before.sort());
  });

  it("removes a tag and adds one from the list, without touching the others", async () => {
    const { page, visit } = demo.visitor;
    page.setDefaultTimeout(75_000);
    await visit("#/queue/later");
    const first = page.locator(".queue > li").first();
    await first.waitFor();
    const before = await first.locator(".tags li").allTextContents();
    await page.keyboard.press("t");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: `Remove ${before[0]}` }).click();
    const offered = dialog.getByRole("group", { name: "Tags you use" }).getByRole("button").first();
    const added = (await offered.textContent())!.replace(/^\+ /, "");
    await offered.click();
    await dialog.getByRole("button", { name: "Save tags" }).click();
    await first.locator(".tags").getByText(added, { exact: true }).waitFor();
    expect((await first.locator(".tags li").allTextContents()).sort()).toEqual([...before.slice(1), added].sort());
    await page.keyboard.press("u");
    await notice("Undone");
    page.setDefaultTimeout(15_000);
  }, 240_000);

  it("triages a document that is open, goes on to the next one, and takes it back", async () => {
    const { page, visit } = demo.visitor;
    // The simulator limits calls as Readwise does, 20 lists per minute: the page waits for its turn and asks again.
    page.setDefaultTimeout(75_000);
    await visit("#/queue/later");
    const titles = page.locator(".queue h2 a");
    await titles.first().waitFor();
    const [first, second] = await titles.allTextContents();
    await titles.first().click();
    await page.getByRole("heading", { level: 1, name: first! }).waitFor();
    await expect.poll(() => page.title()).toBe(`${first} · Document · Bookwheel`);
    await page.keyboard.press("e");
    await page.getByRole("heading", { level: 1, name: second! }).waitFor();
    await page.keyboard.press("u"); // the notice may be gone by now: the next document may have waited for its turn
    await notice(`Undone: “${first}”`);
    await page.keyboard.press("k");
    await page.getByRole("heading", { level: 1, name: first! }).waitFor();
    await page.getByRole("navigation", { name: "Triage" }).getByRole("link", { name: "Queue" }).click();
    await titles.first().waitFor();
    await expect.poll(() => titles.allTextContents(), { timeout: 75_000 }).toContain(first);
    page.setDefaultTimeout(15_000);
  }, 240_000);

  it("asks a notebook, and a mark opens the cited passage where it stands", async () => {
    const { page, visit, shot } = demo.visitor;
    await visit("#/notebooks");
    await page
      .locator("main")
      .getByRole("link", { name: /reading machines/ })
      .click();
    await page.getByLabel("Ask the sources of this notebook").fill("When did Ramelli publish his wheel?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".cite-mark").first().click();
    const marked = page.locator(".reader mark");
    await marked.first().waitFor();
    await shot("cited-passage");
    const sentence = (await marked.allTextContents()).join(" ").replace(/\s+/g, " ");
    const answer = (await page.locator(".answer .prose").textContent())!.replace(/\s+/g, " ");
    expect(answer).toContain(sentence.slice(0, 40));
    expect(await marked.first().isVisible()).toBe(true);
  });

  it("makes a notebook, adds a text and asks it", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/notebooks");
    await page.getByLabel("New notebook").fill("Lighthouses");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("Add a source").click();
    await page.getByText("A text", { exact: true }).click();
    await page.getByLabel("Title").fill("On the lamp");
    await page
      .getByLabel("Text", { exact: true })
      .fill("The lamp of Saint Ann is wound by hand. Its keeper, Orla Finch, winds it every four hours.");
    await page.locator("details form").getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "On the lamp", exact: true }).waitFor();
    await page.getByLabel("Ask the sources of this notebook").fill("Who winds the lamp?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".answer").getByText("Orla Finch").waitFor();
  });

  it("puts files into a new project: they are sent, read and found", async () => {
    const { page, visit, shot } = demo.visitor;
    await visit("#/projects");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Add to your reading" });
    await dialog.getByLabel(/^Files/).setInputFiles([
      {
        name: "lantern.md",
        mimeType: "text/markdown",
        buffer: Buffer.from(
          "# The Lantern Keeper\n\nThe keeper of the lantern walked the pier at dusk and counted the gulls.\n",
        ),
      },
      { name: "broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("no pdf at all") },
    ]);
    await dialog.getByLabel("A project").check();
    await dialog.getByLabel("Which one").selectOption("A new one …");
    await dialog.getByLabel("Its name").fill("test/lantern");
    await shot("add-files");
    await dialog.getByRole("button", { name: "Add 2 items" }).click();
    await dialog.locator("li.good").getByText("lantern.md").waitFor();
    await dialog.locator("li.bad").getByText("broken.pdf").waitFor();
    await shot("added-files");
    await dialog.getByRole("button", { name: "Open it" }).click();
    await page.getByRole("heading", { level: 1, name: "test/lantern" }).waitFor();
    await page.getByRole("link", { name: "The Lantern Keeper" }).waitFor();
  });

  it("takes a file dropped on a notebook into it", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/notebooks");
    await page
      .locator("main")
      .getByRole("link", { name: /reading machines/ })
      .click();
    await page.getByRole("heading", { name: "Sources" }).waitFor();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(["The orrery in the attic turns once an hour."], "orrery.txt", { type: "text/plain" }));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    const dialog = page.getByRole("dialog", { name: "Add to your reading" });
    await dialog.getByRole("button", { name: "Add 1 item" }).click();
    await dialog.locator("li.good").getByText("orrery.txt").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  it("reads around a passage of a project and copies its citation", async () => {
    const { page, visit, shot } = demo.visitor;
    await visit("#/projects/demo%2Freading?q=spacing%20effect");
    await page.locator(".hit-open").first().click();
    await page.locator(".passage mark").first().waitFor();
    const found = page.getByRole("region", { name: "The passage" });
    expect(await found.textContent()).toMatch(/spacing effect/i);
    expect((await page.locator(".passage").textContent())!.length).toBeGreaterThan((await found.textContent())!.length);
    const shorter = (await page.locator(".passage").textContent())!.length;
    await page.getByRole("button", { name: "More around it" }).click();
    await expect.poll(async () => (await page.locator(".passage").textContent())!.length).toBeGreaterThan(shorter);
    await page.getByText("Cite this").click();
    await page.getByLabel("Style").selectOption("pandoc");
    await page.locator(".citation", { hasText: /\[@\w+/ }).waitFor();
    await page.getByRole("button", { name: "Copy the citation" }).click();
    await notice("Copied the citation");
    expect(await clipboard()).toMatch(/^\[@\w+/);
    await shot("passage");
  });

  it("reads a document of a project from its list", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/projects/demo%2Freading");
    const document = page.locator("section:has(#documents) a").first();
    const title = await document.textContent();
    await document.click();
    await page.getByRole("heading", { level: 1, name: title! }).waitFor();
    await page.locator(".passage p").nth(2).waitFor();
  });

  it.each([
    ["as it stands", (quote: string) => quote, /word for word/],
    ["with a word changed", (quote: string) => quote.replace(/(\S+ \S+ \S+ )(\S+)/, "$1zeppelin"), /wording differs/],
    ["that nobody wrote", () => "The zeppelin of knowledge never lands on an empty lighthouse", /Not found/],
  ])("checks a quotation %s", async (_how, alter, verdict) => {
    const { page, visit } = demo.visitor;
    await visit("#/projects/demo%2Freading");
    await page.locator("section:has(#documents) a").first().click();
    const text = (await page.locator(".passage p:not(.heading-line)").nth(1).textContent())!;
    await visit("#/projects/demo%2Freading");
    await page.locator("main").getByRole("link", { name: "Check a quotation" }).click();
    await page.getByLabel("The words as you have them").fill(alter(text.slice(0, text.indexOf(" ", 90))));
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.locator(".verdict strong").getByText(verdict).waitFor();
  });

  it("sees what differs in a quotation, and copies the true wording with its citation", async () => {
    const { page, visit, shot } = demo.visitor;
    await visit("#/projects/demo%2Freading");
    await page.locator("section:has(#documents) a").first().click();
    const text = (await page.locator(".passage p:not(.heading-line)").nth(1).textContent())!;
    const true_ = text.slice(0, text.indexOf(" ", 90));
    const altered = true_.replace(/(\S+ \S+ \S+ )(\S+)/, "$1zeppelin");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill(altered);
    await page
      .getByRole("dialog")
      .getByRole("option", { name: /Check the quotation/ })
      .click();
    await page.locator(".differences del").getByText("zeppelin").first().waitFor();
    await shot("quote-differences");
    await page.getByRole("button", { name: "Copy the true wording with its citation" }).first().click();
    await notice("Copied the true wording");
    expect(await clipboard()).not.toContain("zeppelin");
    expect(await clipboard()).toMatch(/^“.*” \S/s);
  });

  it("goes anywhere from one box, and finds what was used last on top", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/status");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("notebooks");
    await page
      .getByRole("dialog")
      .getByRole("option", { name: /Go to Notebooks/ })
      .click();
    await page.getByRole("heading", { level: 1, name: "Notebooks" }).waitFor();
    await page.keyboard.press("Control+k");
    expect(await page.getByRole("dialog").getByRole("option").first().textContent()).toContain("Notebooks");
    await page.getByRole("dialog").getByRole("combobox").fill("attention");
    await page.keyboard.press("Enter");
    await page.locator(".hit").first().waitFor();
    expect(page.url()).toContain("q=attention");
  });

  it("keeps the answers of a notebook, each with an address of its own, and deletes them", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/notebooks");
    await page
      .locator("main")
      .getByRole("link", { name: /reading machines/ })
      .click();
    const box = page.getByLabel("Ask the sources of this notebook");
    const questions = ["In which year did Ramelli publish his wheel?", "What is a bookwheel?"];
    for (const question of questions) {
      await box.fill(question);
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.getByRole("heading", { level: 2, name: question }).waitFor();
    }
    await page.reload();
    await page.getByRole("heading", { level: 2, name: questions[1]! }).waitFor();
    await page.getByText("Earlier questions").click();
    await page.locator("details.drawer").getByRole("link", { name: questions[0]! }).first().click();
    await page.getByRole("heading", { level: 2, name: questions[0]! }).waitFor();
    await page.getByRole("button", { name: "Copy with citations" }).click();
    await notice("Copied the answer");
    expect(await clipboard()).toMatch(/^## In which year/);
    await page.locator(".cite-mark").first().click();
    await page.locator(".reader mark").first().waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".reader").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Delete all" }).click();
    await page.getByText("Earlier questions").waitFor({ state: "detached" });
    const id = /notebooks\/([^?]+)/.exec(page.url())![1]!;
    expect(await page.evaluate((key) => localStorage.getItem(key), `bookwheel.answers.${id}`)).toBeNull();
  });

  it("calls a tool by its form and sees the wire; the curl line does the same", async () => {
    const { page, visit, shot } = demo.visitor;
    await visit("#/tools/search_library");
    await page.getByRole("button", { name: "Call" }).click();
    await page.getByText("Please fill this in.").waitFor();
    await page.locator("#field-query").fill("it's memory");
    await page.locator("#field-limit").fill("1");
    await page.getByRole("button", { name: "Call" }).click();
    await page.getByLabel("Structured answer").getByText('"results"').waitFor();
    await page.getByText("Raw request").click();
    await page.getByLabel("Raw request").getByText("mcp-name: search_library").waitFor();
    await shot("tool-called");
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await notice("Copied the curl line");
    const { execFile } = await import("node:child_process");
    const line = await clipboard();
    const out = await new Promise<string>((resolve) =>
      execFile("sh", ["-c", line], (_error, stdout) => resolve(stdout)),
    );
    expect(JSON.parse(out)).toMatchObject({ result: { structuredContent: { count: 1 } } });
  });

  it("deletes only after saying so", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/tools/delete_document");
    const call = page.getByRole("button", { name: "Call" });
    expect(await call.isDisabled()).toBe(true);
    await page.getByLabel(/I mean it/).check();
    expect(await call.isEnabled()).toBe(true);
  });

  it("finds the keys in the help, and can switch them off", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/status");
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keys" });
    await help.getByText("Archive").waitFor();
    await help.getByLabel("Single-key shortcuts").uncheck();
    await help.getByRole("button", { name: "Close" }).click();
    await page.keyboard.press("/");
    expect(page.url()).toContain("#/status");
    await page.getByRole("button", { name: /Help/ }).click();
    await help.getByLabel("Single-key shortcuts").check();
    await help.getByRole("button", { name: "Close" }).click();
    await page.keyboard.press("/");
    await page.getByLabel("Search your reading").waitFor();
  });

  it("leaves no complaint in the console in all of this", () => {
    expect(demo.visitor.complaints()).toEqual([]);
  });
});

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { html, startSite } from "../support/local-notebooks.js";
import { browserPath, visitedDemo } from "./support.js";

/** Where a process is started that reads and embeds: on a busy machine its start alone may take long. */
const LONG_MS = 90_000;

describe.skipIf(!browserPath)("a person who keeps their reading in one place", () => {
  // The web page that is added stands on this machine.
  const demo = visitedDemo({ BOOKWHEEL_ALLOW_PRIVATE_URLS: "true" });

  const notice = (text: RegExp | string) => demo.visitor.page.locator(".notices").getByText(text).waitFor();
  const undo = () => demo.visitor.page.locator(".notices").getByRole("button", { name: "Undo" }).last().click();
  const main = () => demo.visitor.page.locator("main");
  const adding = () => demo.visitor.page.getByRole("dialog", { name: "Add to your reading" });

  async function paste(text: string) {
    const { page } = demo.visitor;
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await page.keyboard.press("ControlOrMeta+v");
  }

  /** Drags files and folders of this machine onto the page, as the file manager does. */
  async function dropFromDisk(...files: string[]) {
    const { page } = demo.visitor;
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await session.send("Input.dispatchDragEvent", { type, x: 600, y: 400, data });
    await session.detach();
  }

  async function newProject(name: string) {
    const { page, visit } = demo.visitor;
    await visit("#/projects");
    await page.getByLabel("New project").fill(name);
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }

  async function inFolder(use: (folder: string) => Promise<void>) {
    const folder = await mkdtemp(join(tmpdir(), "bookwheel-dropped-"));
    try {
      await use(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it("renames a notebook, and the list at the side follows", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/notebooks");
    await page.getByLabel("New notebook").fill("Harbours");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Harbours" }).waitFor();
    await main().getByRole("button", { name: "Rename" }).click();
    const dialog = page.getByRole("dialog", { name: "Rename the notebook" });
    await dialog.getByLabel("Name").fill("Harbours and piers");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("heading", { level: 1, name: "Harbours and piers" }).waitFor();
    await page.getByRole("navigation", { name: "Shelves" }).getByRole("link", { name: "Harbours and piers" }).waitFor();
  });

  it("renames a project: its address stays, and its new name is where its old one was", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/projects/demo%2Freading");
    await main().getByRole("button", { name: "Rename" }).click();
    const dialog = page.getByRole("dialog", { name: "Rename the project" });
    await dialog.getByLabel("Name").fill("On reading, and forgetting");
    await dialog.getByRole("button", { name: "Rename" }).click();
    const heading = page.getByRole("heading", { level: 1, name: "On reading, and forgetting" });
    await heading.waitFor();
    await main().getByText("demo/reading").first().waitFor();
    await page
      .getByRole("navigation", { name: "Shelves" })
      .getByRole("link", { name: "On reading, and forgetting" })
      .waitFor();
    await visit("#/projects/demo%2Freading?q=forgetting");
    await heading.waitFor();
    await page.locator(".hit").first().getByText("On reading, and forgetting").waitFor();
    await main().getByRole("button", { name: "Rename" }).click();
    await dialog.getByLabel("Name").fill("demo/reading");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("heading", { level: 1, name: "demo/reading" }).waitFor();
  });

  it("makes a project under any name", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/projects");
    await page.getByLabel("New project").fill("My thesis: a draft");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "My thesis: a draft" }).waitFor();
    expect(page.url()).toContain("#/projects/my-thesis-a-draft");
  });

  it(
    "drops a link onto a project: the page is fetched, read, and cited by its address",
    async () => {
      const { page } = demo.visitor;
      const site = await startSite((_request, response) =>
        html(
          response,
          "<article><h1>The Tide Mill</h1><p>The mill at the mouth of the river turns twice a day, and rests twice.</p></article>",
          "<title>The Tide Mill</title>",
        ),
      );
      try {
        await newProject("test/mills");
        await page.evaluate((link) => {
          const data = new DataTransfer();
          data.setData("text/uri-list", link);
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }, `${site.url}/mill`);
        const dialog = adding();
        expect(await dialog.getByLabel("Which one").inputValue()).toBe("test/mills");
        await dialog.getByRole("button", { name: "Add 1 item" }).click();
        await dialog.locator("li.good").getByText(site.url).waitFor({ timeout: LONG_MS });
        await dialog.getByRole("button", { name: "Open it" }).click();
        await main().getByRole("link", { name: "The Tide Mill" }).click();
        await page.locator(".passage").getByText("rests twice").waitFor();
      } finally {
        await site.close();
      }
    },
    LONG_MS,
  );

  it("pastes a text onto a notebook: it becomes a source, word for word, and can be cited", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/notebooks");
    await main().getByRole("link", { name: /Tides/ }).click();
    await page.getByRole("heading", { name: "Sources" }).waitFor();
    await paste("On the Ebb: a note\n\nThe ebb *leaves* the harbour at four, as https://example.org/ebb says.\n");
    const dialog = adding();
    await dialog.getByText("On the Ebb a note.txt").waitFor();
    await dialog.getByRole("button", { name: "Add 1 item" }).click();
    await dialog.locator("li.good").getByText("On the Ebb a note.txt").waitFor();
    await dialog.getByRole("button", { name: "Open it" }).click();
    await main()
      .getByRole("button", { name: /^On the Ebb/ })
      .click();
    const reader = page.locator(".reader");
    await reader.getByText("The ebb *leaves* the harbour at four, as https://example.org/ebb says.").waitFor();

    await reader.getByText("Cite this").click();
    await reader.locator(".citation", { hasText: "(On the Ebb" }).waitFor();
    await reader.getByText("Not known of this source: author, year.").waitFor();
    await reader.getByRole("button", { name: "Copy the citation" }).click();
    await notice("Copied the citation");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\(On the Ebb/);
    await reader.getByLabel("Style").selectOption("pandoc");
    await reader.locator(".citation", { hasText: "[@ebbNote]" }).waitFor();
  });

  it("pastes a link onto the library: it waits for a place to be chosen, and a field keeps what is pasted into it", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/sources");
    await page.getByLabel("Filter by title").click();
    await paste("https://example.org/tides");
    expect(await page.getByLabel("Filter by title").inputValue()).toBe("https://example.org/tides");
    await page.getByLabel("Filter by title").blur();
    await paste("https://example.org/tides");
    const dialog = adding();
    expect(await dialog.getByLabel("Links, one per line").inputValue()).toBe("https://example.org/tides");
    expect(await dialog.getByRole("button", { name: "Add 1 item" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Which one").selectOption({ label: "Tides and navigation" });
    expect(await dialog.getByRole("button", { name: "Add 1 item" }).isEnabled()).toBe(true);
    await page.keyboard.press("Escape");
  });

  it("drops a folder onto a project: files of one name are all there, and its bibliography gives them their keys", async () => {
    await newProject("test/folder");
    await inFolder(async (folder) => {
      await mkdir(join(folder, "gulls", "young"), { recursive: true });
      await writeFile(join(folder, "gulls", "notes.md"), "# The Old Gull\n\nThe old gull sits on the pier.\n");
      await writeFile(join(folder, "gulls", "young", "notes.md"), "# The Young Gull\n\nThe young gull cries.\n");
      await writeFile(join(folder, "gulls", ".hidden.md"), "# Hidden\n\nNobody asked for this.\n");
      await writeFile(
        join(folder, "gulls", "gulls.bib"),
        "@book{finch1931gull, author={Finch, Orla}, title={The Young Gull}, year={1931}}\n",
      );
      await dropFromDisk(join(folder, "gulls"));
      const dialog = adding();
      await dialog.getByRole("button", { name: "Add 3 items" }).click();
      for (const name of ["notes.md", "notes (2).md", "gulls.bib"])
        await dialog.locator("li.good").getByText(name, { exact: true }).waitFor();
      await dialog.getByRole("button", { name: "Open it" }).click();
    });
    await main().getByRole("link", { name: "The Old Gull" }).waitFor();
    await main().getByRole("link", { name: "The Young Gull" }).waitFor();
    await main().getByText("@finch1931gull").waitFor();
  });

  it("drops a .bib onto a project: documents that were there before get their keys", async () => {
    await newProject("test/later-keys");
    await inFolder(async (folder) => {
      const [text, bibliography] = [join(folder, "heron.md"), join(folder, "birds.bib")];
      await writeFile(text, "# The Heron at Low Water\n\nThe heron waits where the water was.\n");
      await writeFile(
        bibliography,
        "@book{reed1902heron, author={Reed, Bo}, title={The Heron at Low Water}, year={1902}}\n",
      );
      const dialog = adding();
      await dropFromDisk(text);
      await dialog.getByRole("button", { name: "Add 1 item" }).click();
      await dialog.getByRole("button", { name: "Open it" }).click();
      await main().getByRole("link", { name: "The Heron at Low Water" }).waitFor();
      expect(await main().getByText("@reed1902heron").count()).toBe(0);
      await dropFromDisk(bibliography);
      await dialog.getByRole("button", { name: "Add 1 item" }).click();
      await dialog.locator("li.good").getByText("its keys and records are used").waitFor();
      await dialog.getByRole("button", { name: "Open it" }).click();
      await main().getByText("@reed1902heron").waitFor();
    });
  });

  it("deletes a notebook after seeing what is in it, and takes it back", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/notebooks");
    await main()
      .getByRole("link", { name: /reading machines/ })
      .click();
    await main().getByRole("button", { name: "Delete", exact: true }).click();
    await page
      .getByRole("dialog", { name: /with its 6 sources/ })
      .getByRole("button", { name: "Delete it" })
      .click();
    await page.getByRole("heading", { level: 1, name: "Notebooks" }).waitFor();
    expect(
      await main()
        .getByRole("link", { name: /reading machines/ })
        .count(),
    ).toBe(0);
    await undo();
    await main()
      .getByRole("link", { name: /reading machines/ })
      .waitFor();
  });

  it("removes a source, and after the time for undo it is gone from the server", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/notebooks");
    await main().getByRole("link", { name: /Tides/ }).click();
    const rows = main().locator(".lines > li");
    await rows.first().waitFor();
    const before = await rows.count();
    await rows
      .first()
      .getByRole("button", { name: /^Remove/ })
      .click();
    await expect.poll(() => rows.count()).toBe(before - 1);
    await page
      .locator(".notices")
      .getByText(/^Deleted/)
      .waitFor({ state: "detached", timeout: 20_000 });
    await expect
      .poll(async () => {
        await page.reload();
        await rows.first().waitFor();
        return rows.count();
      })
      .toBe(before - 1);
  }, 60_000);

  it("makes a project, fills it by a sync with Readwise, asks it, empties and deletes it", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/projects");
    await page.getByLabel("New project").fill("mine/readwise");
    await page.getByRole("button", { name: "Create" }).click();
    await main().getByText("Nothing in it yet").waitFor();
    await page.getByRole("button", { name: "Sync Readwise" }).click();
    await page.getByRole("progressbar", { name: "Sync with Readwise" }).waitFor();
    await main()
      .getByText(/works? added/)
      .waitFor({ timeout: 120_000 });
    await page.locator("#documents").waitFor();

    await page.getByRole("navigation", { name: "What to do" }).getByRole("link", { name: "Ask" }).click();
    await page.getByLabel("Ask the sources of this project").fill("What is a commonplace book for?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".cite-mark").first().click();
    await page.locator(".reader mark").first().waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".reader").waitFor({ state: "detached" });

    await main().getByRole("button", { name: "Empty" }).click();
    await page
      .getByRole("dialog", { name: /Remove all \d+ documents/ })
      .getByRole("button", { name: "Empty it" })
      .click();
    await main().getByText("Nothing in it yet").waitFor();
    await undo();
    await page.locator("#documents").waitFor();
    await main().getByRole("button", { name: "Delete", exact: true }).click();
    await page
      .getByRole("dialog", { name: /passages/ })
      .getByRole("button", { name: "Delete it" })
      .click();
    await page
      .locator(".notices")
      .getByText(/^Deleted/)
      .waitFor({ state: "detached", timeout: 20_000 });
    await expect
      .poll(async () => {
        await visit("#/projects");
        await main().getByRole("link", { name: "demo/reading" }).waitFor();
        return main().getByRole("link", { name: "mine/readwise" }).count();
      })
      .toBe(0);
  }, 240_000);

  it("corrects what was recognised in a file that was just added", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/projects");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const dialog = adding();
    await dialog.getByLabel(/^Files/).setInputFiles({
      name: "pier.md",
      mimeType: "text/markdown",
      buffer: Buffer.from("# The Pier\n\nThe pier at dusk holds more gulls than fishermen, and both keep still.\n"),
    });
    await dialog.getByLabel("A project").check();
    await dialog.getByLabel("Which one").selectOption("A new one …");
    await dialog.getByLabel("Its name").fill("test/pier");
    await dialog.getByRole("button", { name: "Add 1 item" }).click();
    const recognised = dialog.getByRole("region", { name: "What was recognised" });
    await recognised.getByLabel("Author").fill("Finch, Orla");
    await recognised.getByLabel("Year").fill("1931 or so");
    await recognised.getByRole("button", { name: "Save" }).click();
    await recognised.getByText("A year is a whole number, such as 1931.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("year");
    await recognised.getByLabel("Year").fill("1931");
    await recognised.getByLabel("Citation key").fill("finch1931pier");
    await recognised.getByRole("button", { name: "Save" }).click();
    await notice("Corrected “The Pier”.");
    await dialog.getByRole("button", { name: "Open it" }).click();
    await main().getByText("@finch1931pier").waitFor();
    await main().getByText("1931").first().waitFor();
  }, 60_000);

  it("chooses notebooks, projects and sources in a tool's form from what there is, and is led to the first wrong field", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/tools/read_passage");
    const choices = (field: string) =>
      page.locator(`#field-${field}-choices option`).evaluateAll((options) => options.map((one) => one.textContent));
    await expect.poll(() => choices("project")).toContain("demo/reading");
    await page.locator("#field-project").fill("demo/reading");
    await expect.poll(() => choices("source")).toContain("Forgetting on Purpose");
    await visit("#/tools/ask");
    await expect.poll(() => choices("notebook_id")).toContain("Tides and navigation");
    await page.getByRole("button", { name: "Call" }).click();
    await page.getByText("Please fill this in.").first().waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toMatch(/^field-/);
    await visit("#/tools/query_hybrid");
    await page.locator("#field-project").fill("demo/reading");
    await page.locator("#field-query").fill("forgetting");
    await page.locator("#field-top_k").fill("-3");
    await page.getByRole("button", { name: "Call" }).click();
    await page.locator("#field-top_k-problem").waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("field-top_k");
  });

  it("finds everything with a tag or by an author, and narrows a search by what is offered", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/");
    const box = page.getByLabel("Search your reading");
    await page.getByRole("button", { name: "tag:", exact: true }).click();
    await box.pressSequentially("mem");
    await page.getByRole("group", { name: "What could follow" }).getByRole("button", { name: "memory" }).click();
    await page.locator(".hit").first().waitFor();
    expect(page.url()).toContain("tag%3Amemory");
    for (const hit of await page.locator(".hit.from-document").allTextContents()) expect(hit).toContain("memory");
    await page.getByRole("heading", { name: "What a Commonplace Book Is For" }).waitFor();
    await box.fill("tag:memory in:documents");
    await expect.poll(() => page.locator(".hit.from-highlight").count()).toBe(0);
    await page.locator(".hit.from-document").first().waitFor();
    await box.fill("reading before:2020");
    await page.locator(".empty, .hit").first().waitFor();
    await visit("#/sources");
    await page.locator(".works-shelf .tags a").first().click();
    await expect.poll(() => page.url()).toContain("q=tag%3A");
  });

  it("looks into one project with in:, and a filter that is wrong says so", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/");
    const box = page.getByLabel("Search your reading");
    await box.fill("forgetting in:demo/reading");
    await page.locator(".hit.from-passage").first().waitFor();
    expect(await page.locator(".hit:not(.from-passage)").count()).toBe(0);
    await box.fill("tides before:sometime");
    await page.getByText("could not be searched").waitFor();
    await page.getByText("is no date").first().waitFor();
  });

  it("filters the library by words of a title and sorts it", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/sources");
    const titles = page.locator(".works-shelf strong");
    await titles.first().waitFor();
    await page.getByLabel("Filter by title").fill("commonplace");
    await expect.poll(() => titles.allTextContents()).toEqual(["What a Commonplace Book Is For"]);
    await page.getByLabel("Filter by title").fill("");
    await page.getByLabel("Order").selectOption("Most highlighted");
    await expect.poll(() => page.locator(".works-shelf li").first().textContent()).toMatch(/1\d highlights/);
  });

  it("reads a video by its transcript with times", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/queue/new");
    await page.getByRole("link", { name: /Memory Palace/ }).click();
    const line = page.locator(".transcript li").nth(1);
    await line.getByText("The poet Simonides").waitFor();
    expect(await line.getByRole("link", { name: "Watch from 0:03" }).getAttribute("href")).toContain("t=3");
  });

  it("highlights what is selected in a document with one key, and takes it back", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/queue/later");
    await page.locator(".queue h2 a").first().click();
    const paragraph = page.locator(".prose p:not(:has(mark))").nth(1);
    await paragraph.waitFor();
    const words = await paragraph.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
      return element.textContent ?? "";
    });
    await page.getByRole("toolbar", { name: "Selected words" }).waitFor();
    await page.keyboard.press("h");
    await notice("Highlighted.");
    await page.locator(".prose mark").getByText(words.slice(0, 40)).waitFor();
    await undo();
    await notice("The highlight is gone.");
  });

  it("leaves no complaint in the console in all of this", () => {
    expect(demo.visitor.complaints()).toEqual([]);
  });
});

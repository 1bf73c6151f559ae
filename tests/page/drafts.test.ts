import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { SAMPLE_DRAFT } from "../../scripts/page-views.mjs";
import { browserPath, visitedDemo } from "./support.js";
import { wordFile } from "./word-file.js";

describe.skipIf(!browserPath)("a person with a draft", () => {
  const demo = visitedDemo();

  async function check(text: string) {
    const { page, visit } = demo.visitor;
    await visit("#/draft");
    await page.getByLabel("Your draft").fill(text);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.locator(".findings li").first().waitFor();
  }

  it("sees what is wrong marked in the text, reads the source beside it and takes the true wording with one key", async () => {
    const { page, complaints } = demo.visitor;
    await check(SAMPLE_DRAFT);
    expect(await page.locator(".finding.bad").first().textContent()).toContain("falls slowly");
    await page.keyboard.press("j");
    const pane = page.locator(".finding-pane");
    await pane.getByRole("heading", { name: "The wording differs from the source" }).waitFor();
    expect(await pane.locator(".differences del").textContent()).toContain("slowly");
    await pane.locator("mark").getByText("falls steeply").waitFor();
    await page.keyboard.press("a");
    await pane.getByRole("heading", { name: "Took the true wording" }).waitFor();
    expect(await page.locator(".draft-text").textContent()).toContain("falls steeply and flattens out");
    await page.getByRole("button", { name: "Copy the text" }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(SAMPLE_DRAFT.replace("falls slowly", "falls steeply"));
    await page.keyboard.press("u");
    expect(await page.locator(".draft-text").textContent()).toContain("falls slowly");
    await page.keyboard.press("Escape");
    await pane.waitFor({ state: "detached" });
    expect(complaints()).toEqual([]);
  });

  it("does all of it with the keyboard alone", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/status");
    await page.evaluate(() => sessionStorage.removeItem("bookwheel.draft"));
    await visit("#/status");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").waitFor();
    await page.keyboard.type("check a dr");
    await page.getByRole("dialog").getByRole("option", { name: /draft/i }).first().waitFor();
    await page.keyboard.press("Enter");
    const field = page.getByLabel("Your draft");
    await field.waitFor();
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.innerText ?? "");
    const tabTo = async (wanted: () => Promise<boolean>) => {
      for (let presses = 0; presses < 40 && !(await wanted()); presses++) await page.keyboard.press("Tab");
      expect(await wanted()).toBe(true);
    };
    await tabTo(() => page.evaluate(() => document.activeElement?.matches("textarea[name=draft]") ?? false));
    await page.keyboard.insertText(SAMPLE_DRAFT);
    await tabTo(async () => (await focused()) === "Check");
    await page.keyboard.press("Enter");
    await page.locator(".findings li").first().waitFor();
    await tabTo(async () => (await focused()).startsWith("the curve he drew"));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "The wording differs from the source" }).waitFor();
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Took the true wording" }).waitFor();
    await tabTo(async () => (await focused()).startsWith("Put my words back"));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "The wording differs from the source" }).waitFor();
  });

  it("downloads the text and its bibliography", async () => {
    const { page } = demo.visitor;
    await check(SAMPLE_DRAFT);
    const download = async (name: string) => {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name, exact: true }).click(),
      ]);
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
    };
    expect(await download("Download")).toEqual({ name: "draft-checked.md", text: SAMPLE_DRAFT });
    const bibliography = await download("Download .bib");
    expect(bibliography.name).toBe("draft.bib");
    expect(bibliography.text).toMatch(/@\w+\{renn2025forgetting,/);
  });

  it("opens a file, a Word file too, and hears what cannot be read", async () => {
    const { page, visit } = demo.visitor;
    await visit("#/draft");
    const open = (name: string, buffer: Uint8Array) =>
      page
        .getByLabel("Open a draft")
        .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(buffer) });
    await open("essay.doc", Buffer.from("\u00d0\u00cf\u0000\u0000"));
    await page.getByText("essay.doc is no text").waitFor();
    await open("broken.docx", Buffer.from("PK\u0003\u0004\u0000\u0000"));
    await page.getByText("broken.docx is no text").waitFor();
    await open("essay.docx", wordFile());
    await expect
      .poll(() => page.getByLabel("Your draft").inputValue())
      .toBe(
        [
          "# What stays",
          "Renn says that “the curve he drew falls slowly and flattens out”.[^footnote-2]",
          "> Most of what we read is gone within a week",
          "[^footnote-2]: [@renn2025forgetting]",
        ].join("\n\n"),
      );
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.locator(".finding.bad").first().waitFor();
    await page.getByRole("button", { name: "Another text" }).click();
    await page
      .getByLabel("Open a draft")
      .setInputFiles({ name: "essay.md", mimeType: "text/markdown", buffer: Buffer.from(SAMPLE_DRAFT) });
    await expect.poll(() => page.getByLabel("Your draft").inputValue()).toBe(SAMPLE_DRAFT);
    await page.reload();
    await expect.poll(() => page.getByLabel("Your draft").inputValue()).toBe(SAMPLE_DRAFT);
  });

  it("keeps a page that answers while a draft of 20,000 words is checked", async () => {
    const { page, visit } = demo.visitor;
    const filler = "The tide came in and the tide went out, and nobody on the pier wrote down a single word of it. ";
    const paragraph = `${filler.repeat(30)}Renn says that "the curve he drew falls slowly and flattens out" [@renn2025forgetting].\n\n`;
    const text = paragraph.repeat(33);
    expect(text.split(/\s+/).length).toBeGreaterThan(20_000);
    await visit("#/draft");
    await page.getByLabel("Your draft").fill(text);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    // Meanwhile the page does what it is asked: another view, and back.
    await page.getByRole("link", { name: "Status" }).click();
    await page.getByRole("heading", { level: 1, name: "Status" }).waitFor();
    await page.getByRole("link", { name: "Check a draft" }).click();
    await expect.poll(() => page.locator(".finding.bad").count(), { timeout: 120_000 }).toBe(33);
    await page.getByRole("button", { name: /Take all 33 true wordings/ }).click();
    await expect.poll(() => page.locator(".draft-text").textContent()).not.toContain("falls slowly");
  }, 180_000);
});

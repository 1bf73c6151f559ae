// Every view of the page by its address in the demo, and what is on it once it is there. The tests of the page and the
// screenshots walk this one list.

/** A draft over the demo's project: a true quotation, an altered one, one that is not cited, an unknown work. */
export const SAMPLE_DRAFT = `# What stays

Renn begins soberly: "Most of what we read is gone within a week" [@renn2025forgetting]. Nobody should be
surprised. Of Ebbinghaus he says that "the curve he drew falls slowly and flattens out"
[@renn2025forgetting], and that every later experiment has confirmed it.

"To remember is to choose, and the first choice is made by forgetting", as another essay has it. The index, on
the other hand, is a promise [@nobody1999index, p. 12]: "the reader who opens it shall find the same place twice".

In 1885 Ebbinghaus published what he had measured with 2,300 syllables [@renn2025forgetting].
`;

async function checkDraft(page) {
  await page.locator("textarea[name=draft]").fill(SAMPLE_DRAFT);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.locator(".findings li").first().waitFor();
}

/** @type {import("./page-views.d.mts").PageView[]} */
export const PAGE_VIEWS = [
  { name: "home", hash: "#/", shows: ".epigraphs blockquote" },
  { name: "search", hash: "#/?q=memory", shows: ".hit mark" },
  { name: "search-nothing", hash: "#/?q=zzzzqqq%20xyzzy", shows: ".empty" },
  { name: "queue", hash: "#/queue/new", shows: ".queue h2 a" },
  {
    name: "document",
    hash: "#/queue/new",
    shows: ".prose p",
    open: async (page) => page.locator(".queue h2 a").first().click(),
  },
  { name: "library", hash: "#/sources", shows: ".shelf strong" },
  {
    name: "source",
    hash: "#/sources?kind=books",
    shows: ".quotes blockquote",
    open: async (page) => page.locator(".shelf a").first().click(),
  },
  { name: "notebooks", hash: "#/notebooks", shows: ".shelf strong" },
  {
    name: "notebook",
    hash: "#/notebooks",
    shows: ".lines .link",
    open: async (page) =>
      page
        .locator("main")
        .getByRole("link", { name: /reading machines/ })
        .click(),
  },
  {
    name: "answer",
    hash: "#/notebooks",
    shows: ".reader mark",
    async open(page) {
      await page
        .locator("main")
        .getByRole("link", { name: /reading machines/ })
        .click();
      await page.locator("#question").fill("When did Ramelli publish his wheel?");
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.locator(".cite-mark").first().click();
    },
  },
  { name: "projects", hash: "#/projects", shows: ".shelf strong" },
  { name: "project", hash: "#/projects/demo%2Freading", shows: "#documents" },
  { name: "project-search", hash: "#/projects/demo%2Freading?q=forgetting", shows: ".hit mark" },
  {
    name: "passage",
    hash: "#/projects/demo%2Freading?q=forgetting",
    shows: ".passage mark",
    open: async (page) => page.locator(".hit-open").first().click(),
  },
  {
    name: "quote",
    hash: "#/quote?quote=The%20curve%20of%20forgetting%20drops%20very%20steeply%20at%20first",
    shows: ".verdict strong",
  },
  { name: "draft", hash: "#/draft", shows: "textarea[name=draft]" },
  { name: "draft-checked", hash: "#/draft", shows: ".findings li", open: checkDraft },
  {
    name: "draft-finding",
    hash: "#/draft",
    shows: ".finding-pane mark",
    async open(page) {
      await checkDraft(page);
      await page.locator(".finding.bad, .finding.fair").first().click();
    },
  },
  { name: "tools", hash: "#/tools/update_document", shows: "#field-id" },
  { name: "status", hash: "#/status", shows: ".figures .plot" },
  { name: "nowhere", hash: "#/nowhere", shows: "h1" },
  {
    name: "add",
    hash: "#/projects",
    shows: "#add-title",
    open: async (page) => page.getByRole("button", { name: "Add", exact: true }).click(),
  },
  {
    name: "command-box",
    hash: "#/status",
    shows: "[role=option]",
    open: async (page) => page.keyboard.press("Control+k"),
  },
];

import { join } from "node:path";
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Browser, FrameLocator, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Services } from "../../src/app/services.js";
import { TOOLS } from "../../src/app/tools.js";
import { PROFILE_NAMES } from "../../src/catalog/profiles.js";
import { APP_MIME_TYPE, UI_EXTENSION } from "../../src/mcp/apps.js";
import { createCatalogServer } from "../../src/mcp/server.js";
import * as apps from "../../src/web/apps.js";
import { ROOT } from "../support/peers.js";
import type { Seen, Shown } from "./host.js";
import { browserPath, expectAccessible, openBrowser } from "./support.js";

const services = { readwise: { forKey: () => undefined } } as unknown as Services;
const scope = {
  door: "all" as const,
  enabled: { profiles: new Set(PROFILE_NAMES), readOnly: false },
  caller: {},
};
const SHOWS = { extensions: { [UI_EXTENSION]: { mimeTypes: [APP_MIME_TYPE] } } };

async function connected({ shows = false, modern = true, stdio = false, withApps = true }) {
  const catalog = createCatalogServer({ tools: TOOLS, services, version: "0", ...(withApps ? { apps } : {}) });
  const client = new Client(
    { name: "t", version: "0" },
    {
      capabilities: shows ? SHOWS : {},
      ...(modern ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
    },
  );
  if (stdio) {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await catalog.serve(scope).connect(theirs);
    await client.connect(ours);
  } else {
    const handler = createMcpHandler(() => catalog.serve(scope));
    const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(new URL("http://t/mcp"), { fetch }));
  }
  return client;
}

const viewsIn = (tools: { name: string; _meta?: Record<string, unknown> }[]) =>
  Object.fromEntries(tools.filter(({ _meta }) => _meta?.ui).map(({ name, _meta }) => [name, _meta!.ui]));

describe("MCP Apps", () => {
  it("are offered to a client that shows them, and can be read", async () => {
    const client = await connected({ shows: true });
    const views = viewsIn((await client.listTools()).tools);
    expect(views).toMatchObject({
      ask: { resourceUri: "ui://bookwheel/ask" },
      search_library: { resourceUri: "ui://bookwheel/search" },
      get_daily_review: { resourceUri: "ui://bookwheel/review" },
    });
    const { contents } = await client.readResource({ uri: "ui://bookwheel/ask" });
    expect(contents).toMatchObject([{ mimeType: APP_MIME_TYPE, text: expect.stringContaining("<!doctype html>") }]);
  });

  it("load nothing from anywhere", () => {
    for (const name of ["search", "ask", "review"]) {
      const html = apps.readApp(`ui://bookwheel/${name}`)!;
      expect(html).not.toMatch(/<(script|img|iframe|link)[^>]+(src|href)=/);
      expect(html).not.toMatch(/@import|url\(/);
      expect(html.length).toBeLessThan(80_000);
    }
    expect(apps.readApp("ui://bookwheel/../../index")).toBeUndefined();
  });

  it.each([
    { modern: true, stdio: false },
    { modern: false, stdio: true },
  ])("change nothing for a client that does not ($modern modern, $stdio stdio)", async (kind) => {
    const [withViews, plain] = await Promise.all([connected(kind), connected({ ...kind, withApps: false })]);
    expect(await withViews.listTools()).toEqual(await plain.listTools());
  });

  it("are listed where a 2025 client over HTTP cannot say what it shows", async () => {
    const client = await connected({ modern: false });
    expect(Object.keys(viewsIn((await client.listTools()).tools))).toContain("ask");
  });
});

type Given = Omit<Shown, "html" | "theme">;
const REVIEW: Given = {
  input: {},
  tools: {},
  result: {
    review_url: "https://readwise.io/reviews/1",
    review_completed: false,
    highlights: [{ id: 1, text: "All mankind love a lover.", title: "Essays", author: "Emerson", location: null }],
  },
};
const EXCERPT = "Ramelli drew the wheel in 1588.";
const ANSWER: Given = {
  input: { notebook_id: "n1", question: "When?" },
  tools: { get_source_text: { content: `Before it.\n\nFirst this. ${EXCERPT} Then that.` } },
  result: {
    answer: `${EXCERPT} [1]`,
    citations: [
      {
        mark: 1,
        source_id: "s1",
        source_title: "Wheels",
        excerpt: EXCERPT,
        page_span: [4, 4],
        section: null,
        url: null,
      },
    ],
    confidence: "high",
    follow_up_questions: [],
    method: "extractive",
    notes: [],
  },
};
const HITS: Given = {
  input: { query: "wheel" },
  tools: {},
  result: {
    results: [
      {
        origin: "highlight",
        id: "7",
        title: "Le diverse et artificiose machine",
        author: "Ramelli",
        text: "A beautiful and ingenious wheel.",
        truncated: false,
        snippet: null,
        score: 0.9,
        url: null,
        note: null,
        tags: ["machines"],
        highlight_id: 7,
        source_id: 3,
        document_id: null,
        project: null,
        chunk_id: null,
        doc_id: null,
        citekey: null,
        page_span: [188, 188],
        section_path: [],
        found_in: ["highlights"],
      },
    ],
    incomplete: [],
  },
};

describe.skipIf(!browserPath)("a view inside another program", () => {
  let browser: Browser;
  let host: string;
  beforeAll(async () => {
    browser = await openBrowser();
    const [built] = [
      await build({
        configFile: false,
        logLevel: "error",
        root: ROOT,
        build: { write: false, rollupOptions: { input: join(ROOT, "tests/page/host.ts") } },
      }),
    ].flat();
    host = built && "output" in built ? built.output[0].code : "";
  }, 60_000);
  afterAll(() => browser?.close());

  async function show(
    app: string,
    shown: Given,
    theme: Shown["theme"] = "dark",
  ): Promise<{ page: Page; frame: FrameLocator }> {
    const page = await browser.newPage({ viewport: { width: 700, height: 700 } });
    page.setDefaultTimeout(10_000);
    await page.addScriptTag({ content: host, type: "module" });
    await page.waitForFunction(() => "showApp" in globalThis);
    await page.evaluate((all) => (globalThis as unknown as { showApp(shown: Shown): Promise<void> }).showApp(all), {
      html: apps.readApp(`ui://bookwheel/${app}`)!,
      theme,
      ...shown,
    });
    return { page, frame: page.frameLocator("iframe") };
  }
  const seenBy = (page: Page) => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);

  it("shows the daily review, says how tall it is and has the host open links", async () => {
    const { page, frame } = await show("review", REVIEW);
    await frame.getByText("All mankind love a lover.").waitFor();
    expect(await frame.locator("html").getAttribute("data-theme")).toBe("dark");
    await frame.getByRole("link").click();
    await expect.poll(() => seenBy(page)).toMatchObject({ links: ["https://readwise.io/reviews/1"] });
    expect((await seenBy(page)).heights.some((height) => height > 50)).toBe(true);
    await page.close();
  });

  it("shows an answer, and a mark opens the passage in its context through the host", async () => {
    const { page, frame } = await show("ask", ANSWER);
    await frame.locator(".cite-mark").click();
    await frame.locator(".reader mark").getByText(EXCERPT).waitFor();
    await frame.getByText("Then that.").waitFor();
    expect((await seenBy(page)).calls).toEqual([
      { name: "get_source_text", arguments: { notebook_id: "n1", source_id: "s1", content_max_chars: 36_000 } },
    ]);
    await page.close();
  });

  it("shows hits marked in context, with where each comes from", async () => {
    const { page, frame } = await show("search", HITS);
    await frame.locator("mark").getByText("wheel").waitFor();
    await frame.getByText("p. 188").waitFor();
    await frame.getByText("has “wheel”").waitFor();
    expect(await frame.locator("a").count()).toBe(0);
    await page.close();
  });

  it.each(["light", "dark"] as const)("has no accessibility violation in %s", async (theme) => {
    for (const [app, given, shows] of [
      ["review", REVIEW, "blockquote"],
      ["ask", ANSWER, ".cite-mark"],
      ["search", HITS, ".hit mark"],
    ] as const) {
      const { page, frame } = await show(app, given, theme);
      await frame.locator(shows).first().waitFor();
      await expectAccessible(page.frames()[1]!);
      if (app === "ask") {
        await frame.locator(".cite-mark").click();
        await frame.locator(".reader mark").waitFor();
        await expectAccessible(page.frames()[1]!);
      }
      await page.close();
    }
  });

  it("shows an error in words for a person", async () => {
    const { page, frame } = await show("ask", {
      input: {},
      tools: {},
      result: { error: { code: "NO_SOURCES", message: "This notebook has no source yet." } },
    });
    await frame.getByText("This notebook has no text to answer from yet.").waitFor();
    await page.close();
  });
});

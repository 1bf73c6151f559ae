import { afterEach, describe, expect, it } from "vitest";
import { startZotero, type ZoteroLibrary, type ZoteroSandbox } from "../../../sandbox/zotero/server.js";
import { readZotero } from "./zotero.js";

let sandbox: ZoteroSandbox | undefined;
const start = async (library: ZoteroLibrary) => {
  sandbox = await startZotero(library);
  return sandbox;
};
afterEach(async () => {
  await sandbox?.close();
  sandbox = undefined;
});

const book = (key: string, more: Record<string, unknown> = {}) => ({
  key,
  data: {
    itemType: "book",
    title: `Book ${key}`,
    creators: [{ creatorType: "author", firstName: "Ada", lastName: "Lovelace" }],
    date: "March 1843",
    tags: [{ tag: "engines" }],
    ...more,
  },
});

describe("reading a running Zotero", () => {
  it("pages through the whole library", async () => {
    const { url, requests } = await start({
      items: Array.from({ length: 250 }, (_, i) => book(`KEY${String(i).padStart(5, "0")}`)),
    });
    const { entries } = await readZotero({ url });
    expect(entries).toHaveLength(250);
    expect(requests.filter((request) => request.includes("/items/top")).length).toBe(3);
  });

  it("takes the native key first, then Better BibTeX's, then the extra field's", async () => {
    const { url } = await start({
      items: [
        book("AAAAAAAA", { citationKey: "native1843", extra: "Citation Key: ignored" }),
        book("BBBBBBBB", { extra: "citation key: fromExtra" }),
        book("CCCCCCCC", { extra: "tex.note: x\nbibtex: fromExtra2" }),
        book("DDDDDDDD"),
      ],
      betterBibtex: { BBBBBBBB: "fromPlugin", CCCCCCCC: null, DDDDDDDD: null },
    });
    const { entries } = await readZotero({ url });
    expect(entries.map(({ citekey }) => citekey)).toEqual(["native1843", "fromPlugin", "fromExtra2", undefined]);
  });

  it("reads a work with its tags, year and files", async () => {
    const { url } = await start({
      items: [
        book("AAAAAAAA", { citationKey: "k" }),
        {
          key: "FILE0001",
          data: { itemType: "attachment", parentItem: "AAAAAAAA", linkMode: "imported_file", filename: "notes.pdf" },
        },
        {
          key: "FILE0002",
          data: { itemType: "attachment", parentItem: "AAAAAAAA", linkMode: "linked_file", path: "/books/engine.pdf" },
        },
      ],
    });
    expect((await readZotero({ url })).entries).toEqual([
      {
        bibliography: `zotero:${url}/`,
        citekey: "k",
        tags: ["engines"],
        files: ["storage/FILE0001/notes.pdf", "/books/engine.pdf"],
        csl: expect.objectContaining({
          id: "k",
          type: "book",
          title: "Book AAAAAAAA",
          author: [{ family: "Lovelace", given: "Ada" }],
          issued: { "date-parts": [[1843]] },
        }),
      },
    ]);
  });

  it("follows a collection into its sub-collections", async () => {
    const { url } = await start({
      collections: [
        { key: "COLLTOP1", data: { name: "Thesis", parentCollection: false } },
        { key: "COLLSUB1", data: { name: "Chapter 1", parentCollection: "COLLTOP1" } },
        { key: "COLLOTHR", data: { name: "Other", parentCollection: false } },
      ],
      items: [
        book("AAAAAAAA", { collections: ["COLLTOP1"] }),
        book("BBBBBBBB", { collections: ["COLLSUB1"] }),
        book("CCCCCCCC", { collections: ["COLLOTHR"] }),
      ],
    });
    const { entries } = await readZotero({ url, collection: "thesis" });
    expect(entries.map(({ csl }) => csl.title)).toEqual(["Book AAAAAAAA", "Book BBBBBBBB"]);
    await expect(readZotero({ url, collection: "nowhere" })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("Thesis"),
    });
  });

  it("says which box to tick when Zotero refuses", async () => {
    const { url } = await start({ items: [], allowed: false });
    await expect(readZotero({ url })).rejects.toMatchObject({
      message: expect.stringContaining("Allow other applications"),
    });
  });

  it("says that Zotero is not running", async () => {
    const { url, close } = await start({ items: [] });
    await close();
    sandbox = undefined;
    await expect(readZotero({ url })).rejects.toMatchObject({ message: expect.stringContaining("Start Zotero") });
  });

  it("goes on without Better BibTeX's keys when it reports an error", async () => {
    const { url } = await start({ items: [book("AAAAAAAA")], betterBibtexError: "library not ready" });
    const { entries, problems } = await readZotero({ url });
    expect(entries).toHaveLength(1);
    expect(problems).toEqual([expect.stringContaining("library not ready")]);
  });

  it("stops when the caller does", async () => {
    const { url } = await start({ items: [book("AAAAAAAA")] });
    await expect(readZotero({ url, signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });
});

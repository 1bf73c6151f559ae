import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startZotero, type ZoteroItem, type ZoteroSandbox } from "../../sandbox/zotero/server.js";
import { lines, makePdf, tempFolder, wordEmbedder, wordEmbedders } from "../../tests/support/ingest-files.js";
import { memoryChunkStore } from "../../tests/support/memory-chunk-store.js";
import { createIdentifier } from "../citations/bibliography/identifier.js";
import { readZoteroLibrary, type ZoteroOptions, zoteroName } from "../citations/bibliography/zotero.js";
import { createQuotes } from "../citations/quotes.js";
import { zoteroCommand } from "../cli/zotero.js";
import { createIngestion } from "./ingestion.js";
import { createReaderPool, type Readers } from "./reader-pool.js";
import { createZoteroImport } from "./zotero-import.js";

const mark = (key: string, data: Record<string, unknown>): ZoteroItem => ({
  key,
  data: {
    itemType: "annotation",
    parentItem: "ATTACH01",
    annotationType: "highlight",
    annotationColor: "#ffd400",
    annotationPageLabel: "xii",
    annotationSortIndex: "00001|000100|00100",
    annotationPosition: '{"pageIndex":1,"rects":[[72,600,300,612]]}',
    tags: [],
    ...data,
  },
});
const marks = [
  mark("MARK0002", {
    annotationText: "and six of them make one wheel",
    annotationComment: "Check against Sturt.",
    annotationColor: "#2ea8e5",
    annotationSortIndex: "00001|000200|00100",
    tags: [{ tag: "rims" }],
  }),
  mark("MARK0001", { annotationText: "A felloe is a curved piece of wood", annotationSortIndex: "00001|000100|00100" }),
];
const works: ZoteroItem[] = [
  {
    key: "BOOK0001",
    data: {
      itemType: "book",
      title: "The Wheelwright's Year",
      citationKey: "marlowe2009wheel",
      creators: [{ creatorType: "author", firstName: "Ann", lastName: "Marlowe" }],
      date: "2009",
      collections: ["CRAFTS01"],
      tags: [{ tag: "wood" }],
    },
  },
  {
    key: "ATTACH01",
    data: { itemType: "attachment", parentItem: "BOOK0001", linkMode: "imported_file", filename: "Marlowe 2009.pdf" },
  },
  {
    key: "BOOK0002",
    data: { itemType: "book", title: "A Book on Stone", citationKey: "stone1990", collections: [], tags: [] },
  },
  {
    key: "ATTACH02",
    data: { itemType: "attachment", parentItem: "BOOK0002", linkMode: "imported_file", filename: "lost.pdf" },
  },
];
const collections = [
  { key: "CRAFTS00", data: { name: "Crafts", parentCollection: false as const } },
  { key: "CRAFTS01", data: { name: "Wheels", parentCollection: "CRAFTS00" } },
];

describe("a Zotero library in a project", () => {
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  let zotero: ZoteroSandbox | undefined;
  let readers: Readers;
  let store: ReturnType<typeof memoryChunkStore>;
  const at = (...parts: string[]) => join(folder.path, ...parts);
  const file = () => at("Zotero", "storage", "ATTACH01", "Marlowe 2009.pdf");

  beforeEach(async () => {
    folder = await tempFolder();
    store = memoryChunkStore();
    readers = createReaderPool();
    await mkdir(at("Zotero", "storage", "ATTACH01"), { recursive: true });
    const pages = [
      ["The wheelwright seasons his timber."],
      ["A felloe is a curved piece of wood", "and six of them make one wheel."],
    ];
    await writeFile(file(), makePdf(pages.map((texts) => lines(texts))));
  });
  afterEach(async () => {
    await zotero?.close();
    zotero = undefined;
    await readers.close();
    await folder.remove();
  });

  const open = (settings: object) =>
    createZoteroImport({
      store,
      embedders: wordEmbedders(wordEmbedder()),
      ingestion: createIngestion({
        store,
        embedders: wordEmbedders(wordEmbedder()),
        readers,
        openIdentifier: (run) => createIdentifier({ ...run, ...settings }),
      }),
    });
  /** `bookwheel zotero craft --from FILE`: its exit code, and what it printed. */
  const importFrom = async (file: string, collection?: string) => {
    const printed: string[] = [];
    const say = (line: string) => printed.push(line);
    const request = {
      project: "craft",
      url: undefined,
      library: undefined,
      storage: at("Zotero"),
      json: false,
      tags: [],
    };
    const code = await zoteroCommand(
      { ...request, collection, from: at(file) },
      {
        zotero: open({ bibliographyFiles: [at(file)] }),
        print: say,
        complain: say,
        signal: AbortSignal.timeout(60_000),
      },
    );
    return { code, printed };
  };
  const bring = async (more: ZoteroOptions = {}) => {
    const options = { url: zotero!.url, ...more };
    const part = { name: zoteroName(options), ...(await readZoteroLibrary({ ...options, storage: at("Zotero") })) };
    return open({ zotero: { url: zotero!.url } }).bring("craft", part);
  };

  it("has the files under their keys, and every mark with page, colour, tags and a link back", async () => {
    const library = { items: [...works, ...marks], collections, files: { ATTACH01: file() } };
    zotero = await startZotero(library);
    const summary = await bring();
    expect(summary).toMatchObject({ works: 2, files: { read: 1 }, annotations: 2, written: 2, missing: ["lost.pdf"] });
    const [marked] = (await store.documents("craft")).filter(({ kind }) => kind === "highlights");
    expect(marked).toMatchObject({
      citekey: "marlowe2009wheel",
      title: "The Wheelwright's Year",
      origin: "zotero://open-pdf/library/items/ATTACH01",
    });
    expect(await store.chunks("craft", { doc_id: marked!.id })).toMatchObject([
      {
        text: "A felloe is a curved piece of wood",
        page_span: [2, 2],
        page_labels: ["xii", "xii"],
        metadata: { zotero: { color: "yellow" } },
      },
      {
        text: "and six of them make one wheel",
        url: "zotero://open-pdf/library/items/ATTACH01?page=2&annotation=MARK0002",
        tags: ["wood", "rims", "color:blue"],
        metadata: { zotero: { color: "blue", kind: "highlight", annotation_key: "MARK0002" } },
      },
    ]);
    const [file1] = (await store.documents("craft")).filter(({ kind }) => kind === "pdf");
    expect(file1).toMatchObject({ citekey: "marlowe2009wheel", extra: { matched: "file" } });
    // What its reader wrote beside a mark is never the author's wording.
    const quotes = createQuotes({ store });
    expect((await quotes.verify("craft", "and six of them make one wheel")).verdict).toBe("exact");
    const note = (await store.documents("craft")).find(({ kind }) => kind === "notes");
    expect(note).toMatchObject({ citekey: null, title: "Notes on The Wheelwright's Year" });

    expect(await bring()).toMatchObject({ files: { read: 0, unchanged: 1 }, written: 0, removed: 0 });
    library.items = works;
    expect(await bring()).toMatchObject({ annotations: 0, removed: 1 });
    expect((await store.documents("craft")).map(({ kind }) => kind)).toEqual(["pdf"]);
  });

  it("can be a collection with those below it, or the works with a tag; files are found in the storage folder", async () => {
    zotero = await startZotero({ items: [...works, ...marks], collections });
    expect(await bring({ collection: "crafts" })).toMatchObject({ works: 1, files: { read: 1 }, annotations: 2 });
    expect(await bring({ tags: ["wood"] })).toMatchObject({ works: 1 });
    expect(await bring({ tags: ["wood", "stone"] })).toMatchObject({ works: 0 });
  });

  it("can come from a Better BibTeX export, also one written on another machine", async () => {
    await writeFile(
      at("library.bib"),
      `@book{marlowe2009wheel, title = {The Wheelwright's Year}, author = {Marlowe, Ann}, date = {2009}, keywords = {wood}, file = {/Users/ann/Zotero/storage/ATTACH01/Marlowe 2009.pdf}}
@book{stone1990, title = {A Book on Stone}, date = {1990}, file = {/Users/ann/Zotero/storage/ATTACH02/lost.pdf}}`,
    );
    const { code, printed } = await importFrom("library.bib");
    expect(code).toBe(0);
    expect(printed[0]).toMatch(/^craft: 2 works; 1 file read/);
    expect(printed).toContain("  missing   lost.pdf: the file is not on this machine");
    expect((await store.documents("craft")).map(({ citekey }) => citekey)).toEqual(["marlowe2009wheel"]);
  });

  it("can be a collection of a Better BibTeX JSON export, with those below it", async () => {
    // The shape of the export: collections by key, with the numbers of their items and the key of their parent.
    const item = (itemID: number, citationKey: string, title: string) => ({
      itemType: "book",
      itemID,
      citationKey,
      title,
    });
    await writeFile(
      at("library.json"),
      JSON.stringify({
        config: { label: "BetterBibTeX JSON" },
        collections: {
          CRAFTS01: { key: "CRAFTS01", name: "Crafts", parent: false, collections: ["WHEELS01"], items: [3] },
          WHEELS01: { key: "WHEELS01", name: "Wheels", parent: "CRAFTS01", collections: [], items: [1] },
        },
        items: [
          item(1, "marlowe2009wheel", "The Wheelwright's Year"),
          item(2, "stone1990", "A Book on Stone"),
          item(3, "oak1980", "Oak"),
        ],
      }),
    );
    const from = (collection: string) => importFrom("library.json", collection);
    const [wheels, crafts, masonry] = [await from("wheels"), await from("Crafts"), await from("Masonry")];
    expect([wheels.code, crafts.code, masonry.code]).toEqual([0, 0, 2]);
    expect(wheels.printed.at(-1)).toMatch(/^craft: 1 work;/);
    expect(crafts.printed.at(-1)).toMatch(/^craft: 2 works;/);
    expect(masonry.printed.at(-1)).toMatch(/has no collection 'Masonry'.*Better BibTeX JSON/);
  });

  it("has the annotations that notes of a Better BibTeX JSON export hold, with page, colour, comment and a link back", async () => {
    const about = (annotationKey: string, more: object) =>
      encodeURIComponent(
        JSON.stringify({
          attachmentURI: "http://zotero.org/users/4752161/items/ATTACH01",
          annotationKey,
          color: "#ffd400",
          pageLabel: "xii",
          position: { pageIndex: 1, rects: [[122.047, 534.989, 292.894, 543.005]] },
          citationItem: { uris: ["http://zotero.org/users/4752161/items/BOOK0001"], locator: "xii" },
          ...more,
        }),
      );
    const cited = `<span class="citation" data-citation="%7B%7D">(<span class="citation-item">Marlowe, 2009, p. xii</span>)</span>`;
    const annotations = `<div data-citation-items="%5B%5D" data-schema-version="9"><h1>Annotations<br/>(5/10/2022, 6:59:51 PM)</h1>
<p><span class="highlight" data-annotation="${about("MARK0001", {})}">“A felloe is a curved piece of wood”</span> ${cited}</p><p><span class="underline" data-annotation="${about("MARK0002", { color: "#2ea8e5" })}">“and six of them make one wheel”</span> ${cited} Check against Sturt.</p><p>${cited} a comment of its own</p></div>`;
    const quotedAgain = `<p>See <span class="highlight" data-annotation="${about("MARK0001", {})}">A felloe is a curved piece of wood</span></p><p><span data-annotation="%7Bbroken">x</span></p>`;
    await writeFile(
      at("library.json"),
      JSON.stringify({
        config: {
          id: "36a3b0b5-bad0-4a04-b79b-441c7cef77db",
          label: "BetterBibTeX JSON",
          preferences: {},
          options: {},
        },
        version: { zotero: "7.0.15", bbt: "7.0.41" },
        collections: {},
        items: [
          {
            itemType: "book",
            itemID: 1,
            itemKey: "BOOK0001",
            uri: "http://zotero.org/users/4752161/items/BOOK0001",
            select: "zotero://select/library/items/BOOK0001",
            citationKey: "marlowe2009wheel",
            title: "The Wheelwright's Year",
            attachments: [
              {
                itemType: "attachment",
                title: "Full Text PDF",
                path: "/Users/ann/Zotero/storage/ATTACH01/Marlowe 2009.pdf",
                uri: "http://zotero.org/users/4752161/items/ATTACH01",
                select: "zotero://select/library/items/ATTACH01",
              },
            ],
            notes: [{ itemType: "note", note: annotations, uri: "http://zotero.org/users/4752161/items/NOTE0001" }],
          },
          // Exports of older versions have notes as text.
          { itemType: "book", itemID: 2, citationKey: "stone1990", title: "A Book on Stone", notes: [quotedAgain] },
        ],
      }),
    );
    const { code, printed } = await importFrom("library.json");
    expect(printed[0]).toMatch(/^craft: 2 works; 1 file read.* 2 annotations \(2 written/);
    expect(code).toBe(0);
    const [marked] = (await store.documents("craft")).filter(({ kind }) => kind === "highlights");
    expect(marked).toMatchObject({ citekey: "marlowe2009wheel", origin: "zotero://open-pdf/library/items/ATTACH01" });
    expect(await store.chunks("craft", { doc_id: marked!.id })).toMatchObject([
      {
        text: "A felloe is a curved piece of wood",
        page_span: [2, 2],
        page_labels: ["xii", "xii"],
        url: "zotero://open-pdf/library/items/ATTACH01?page=2&annotation=MARK0001",
        tags: ["color:yellow"],
      },
      { text: "and six of them make one wheel", metadata: { zotero: { color: "blue", kind: "underline" } } },
    ]);
    const note = (await store.documents("craft")).find(({ kind }) => kind === "notes");
    expect(await store.chunks("craft", { doc_id: note!.id })).toMatchObject([{ text: "Check against Sturt." }]);
  });
});

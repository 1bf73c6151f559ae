import { describe, expect, it } from "vitest";
import { blockText, notebookRow, sourceRow } from "./mapping.js";

const row = (
  { code = 4, url = null, youtube = null, status = [null, 2] }: Record<string, unknown> = {},
  mime?: string,
) => {
  const meta: unknown[] = [null, 12, [1790000000, 500_000_000], null, code, youtube, 1, url];
  if (mime) meta[19] = mime;
  return [["11111111-1111-4111-8111-111111111111"], "Title", meta, status];
};

describe("a source row", () => {
  it.each([
    [1, "gdoc"],
    [2, "gslides"],
    [3, "pdf"],
    [4, "text"],
    [5, "url"],
    [6, "unknown"],
    [8, "text"],
    [9, "youtube"],
    [10, "audio"],
    [13, "unknown"],
    [14, "unknown"],
    [17, "text"],
    [99, "unknown"],
  ])("of code %i is of type %s", (code, type) => {
    expect(sourceRow(row({ code }))?.type).toBe(type);
  });

  it("tells a plain-text page from pasted text, and a video from its link", () => {
    expect(sourceRow(row({ code: 4, url: ["https://example.org/a.md"] }))).toMatchObject({
      type: "url",
      url: "https://example.org/a.md",
    });
    expect(sourceRow(row({ code: 5, url: ["https://youtu.be/x"] }))?.type).toBe("youtube");
    expect(sourceRow(row({ code: 9, youtube: ["https://youtu.be/x", "x", "c"] }))?.url).toBe("https://youtu.be/x");
    expect(sourceRow(row({ code: 14 }, "application/pdf"))?.type).toBe("pdf");
  });

  it("tells a recording from a film by its type, and by its name where it has none", () => {
    const typed = [...row({ code: 10 }), null, null, null, [null, null, "video/mp4"]];
    expect(sourceRow(row({ code: 10 }, "video/mp4"))?.type).toBe("unknown");
    expect(sourceRow(typed)?.type).toBe("unknown");
    expect(sourceRow(row({ code: 10 }).with(1, "talk.MP4"))?.type).toBe("unknown");
    expect(sourceRow(row({ code: 10 }).with(1, "talk.mp3"))?.type).toBe("audio");
    expect(sourceRow(row({ code: 10 }, "audio/mp4").with(1, "talk.mp4"))?.type).toBe("audio");
  });

  it.each([
    [[null, 1], "processing"],
    [[null, 5], "processing"],
    [[null, 2], "complete"],
    [[null, 3], "failed"],
    [[null, 42], "processing"],
    [undefined, "complete"],
  ])("with status %j is %s", (status, expected) => {
    expect(sourceRow(row({}).with(3, status))?.processing_status).toBe(expected);
  });

  it("from Drive has its id inside, and a link to the document", () => {
    const drive = [
      [null, true, ["22222222-2222-4222-8222-222222222222"]],
      "Plan",
      [["doc/1", null, 1], 3, null, null, 1],
      [null, 2],
    ];
    expect(sourceRow(drive)).toMatchObject({
      id: "22222222-2222-4222-8222-222222222222",
      url: "https://drive.google.com/open?id=doc%2F1",
      added_at: null,
    });
  });

  it("without an id is no source", () => {
    expect(sourceRow(null)).toBeNull();
    expect(sourceRow([[], "Title"])).toBeNull();
    expect(sourceRow([[null, "1", 627], [[1601]]])).toBeNull();
  });
});

describe("a notebook row", () => {
  const meta = (created: unknown) => [1, false, true, null, null, [1799999999, 0], 1, false, created];

  it("was updated when its newest source came, not when it was looked at", () => {
    expect(notebookRow(["Notes", [row()], "n", null, null, meta([1780000000, 0])])?.notebook).toEqual({
      id: "n",
      name: "Notes",
      source_count: 1,
      created_at: "2026-05-28T20:26:40.000Z",
      updated_at: "2026-09-21T14:13:20.500Z",
      description: null,
    });
  });

  it("fresh from creation has no times and no sources", () => {
    expect(notebookRow(["New", null, "n", null, null, meta(null)])?.notebook).toMatchObject({
      source_count: 0,
      created_at: null,
      updated_at: null,
    });
  });

  it("loses the stray first line some titles have", () => {
    expect(notebookRow(["thought\nMy notes", null, "n"])?.notebook.name).toBe("My notes");
  });

  it("of another form is none", () => {
    expect(notebookRow({ id: "n" })).toBeNull();
    expect(notebookRow([1, 2, 3])).toBeNull();
  });
});

describe("the text of blocks", () => {
  const paragraph = (text: string) => [0, text.length, [[[0, text.length, [text]]], [null, 1]]];
  const cell = (...texts: string[]) => [0, 9, texts.map(paragraph)];
  const table = (...rows: unknown[][]) => [0, 9, null, null, [rows.length, 2, rows.map((cells) => [0, 9, cells])]];

  it("has a line per paragraph, per row of a table and per block of code", () => {
    const blocks = [
      paragraph("Tides"),
      table(
        [cell("Spring"), cell("full", "Moon")],
        [
          [3, 3],
          [3, 3],
        ],
        [[3, 3], cell("quarter Moon")],
      ),
      [0, 9, null, null, null, null, ["range = high - low\nprint(range)", "python"]],
    ];
    expect(blockText(blocks)).toBe("Tides\nSpring | full Moon\n | quarter Moon\nrange = high - low\nprint(range)");
  });

  it("notes an image, and leaves out thoughts, rules and empty blocks", () => {
    const thought = [0, 9, null, null, null, null, null, null, [["I wonder"]]];
    const rule = [0, 0, ...Array(9).fill(null), []];
    const image = [0, 1, null, null, null, ["blob"]];
    expect(blockText([paragraph(""), thought, image, rule, [4, 4], paragraph("Ebb")])).toBe("[image]\nEbb");
  });
});

import { describe, expect, it } from "vitest";
import { layOut } from "./pdf-layout.js";
import type { Run } from "./pdf-segments.js";
import { findTables } from "./pdf-tables.js";

const run = (text: string, x: number, y: number, width = text.length * 5): Run => ({
  text,
  x,
  y,
  width,
  size: 10,
  mono: false,
  font: "f",
  turned: false,
});
const tables = (runs: readonly Run[]) =>
  findTables(layOut(runs, 1), () => false).map(({ rows }) =>
    rows.map((cells) => cells.map((lines) => lines.join(" ")).join(" | ")),
  );
/** Rows of cells at the same places, twelve points apart. */
const grid = (rows: readonly (readonly string[])[], places: readonly number[], top = 100) =>
  rows.flatMap((cells, r) => cells.flatMap((text, c) => (text ? [run(text, places[c]!, top + r * 12)] : [])));
const prose = (lines: number, x: number, top: number) =>
  Array.from({ length: lines }, (_, i) => run(`line ${i} of prose that fills its column`, x, top + i * 12, 200));

describe("a page's tables", () => {
  it("are found by the alignment of their cells, empty ones included", () => {
    const rows = [
      ["Name", "Size", "Price"],
      ["Pear", "12", "3.50"],
      ["Quince", "", "4.10"],
      ["Fig", "5", "9.95"],
    ];
    expect(tables([...prose(3, 50, 40), ...grid(rows, [50, 150, 250]), ...prose(3, 50, 180)])).toEqual([
      ["Name | Size | Price", "Pear | 12 | 3.50", "Quince |  | 4.10", "Fig | 5 | 9.95"],
    ]);
  });

  it("keep centred cells together where rows of one line stand between them", () => {
    const card = [
      ...grid([["pager files", "Show contents of files."]], [50, 200], 88),
      ...grid([["ls [files]", "List files."]], [50, 200], 100),
      run("mkdir", 50, 112),
      run("directory-names", 50, 124),
      run("Create directories.", 200, 118),
      ...grid([["mv file1 file2", "Move, rename files."]], [50, 200], 136),
      ...grid([["rm files", "Remove files."]], [50, 200], 148),
      ...grid([["cat files", "Print files."]], [50, 200], 160),
    ];
    expect(tables(card)).toEqual([
      [
        "pager files | Show contents of files.",
        "ls [files] | List files.",
        "mkdir directory-names | Create directories.",
        "mv file1 file2 | Move, rename files.",
        "rm files | Remove files.",
        "cat files | Print files.",
      ],
    ]);
  });

  it("keep a cell of several lines together, where the file writes line by line and where it writes cell by cell", () => {
    const byLine = grid(
      [
        ["Option", "Type", "Meaning of it, in words"],
        ["speed", "number", "how fast the wheel is"],
        ["", "", "turned"],
        ["weight", "number", "what it takes to hold"],
        ["", "", "it"],
      ],
      [50, 120, 200],
    );
    const caption = run("Table 1: Options", 50, 80);
    expect(tables([caption, ...byLine])).toEqual([
      [
        "Option | Type | Meaning of it, in words",
        "speed | number | how fast the wheel is turned",
        "weight | number | what it takes to hold it",
      ],
    ]);
    const cell = (lines: readonly string[], x: number, y: number) => lines.map((text, i) => run(text, x, y + i * 12));
    const byCell = [
      caption,
      ...cell(["--get", "selections"], 50, 100),
      ...cell(["Write the selections", "to a file."], 200, 100),
      ...cell(["--set", "selections"], 50, 130),
      ...cell(["Read the selections", "from a file."], 200, 130),
      ...cell(["--all"], 50, 160),
      ...cell(["Do both."], 200, 160),
    ];
    expect(tables(byCell)).toEqual([
      [
        "--get selections | Write the selections to a file.",
        "--set selections | Read the selections from a file.",
        "--all | Do both.",
      ],
    ]);
  });

  it.each([
    ["two columns of prose", [...prose(12, 50, 100), ...prose(12, 300, 100)]],
    [
      "a numbered list",
      grid(
        ["1.", "2.", "3.", "4."].map((number) => [number, `point ${number} of the list`]),
        [50, 90],
      ),
    ],
    [
      "a table of contents",
      grid(
        [3, 9, 12, 30].map((page) => [`A chapter at ${page}`, `${page}`]),
        [50, 400],
      ),
    ],
    [
      "words scattered over a drawing",
      [
        run("wheel", 60, 100),
        run("axle", 190, 100),
        run("rim", 85, 118),
        run("hub", 240, 118),
        run("spoke", 110, 140),
        run("desk", 170, 140),
      ],
    ],
    [
      "a formula of several lines",
      grid(
        [
          ["f(x)", "= a + b"],
          ["", "= c + d"],
          ["g(x)", "= e"],
          ["h(x)", "= 0"],
        ],
        [50, 100],
      ),
    ],
  ])("are not %s", (_name, runs) => {
    expect(tables(runs)).toEqual([]);
  });
});

/** The months the service was recorded in. What it sends grew from one to the next. */
export type Month = "2026-01" | "2026-05" | "2026-08";
export const LATEST: Month = "2026-08";

export interface Generation {
  month: Month;
  title: string;
  homeBytes: number;
  buildLabel: string;
  /** Slots of a notebook's meta list: as listed, and as created. */
  metaSlots: number;
  createdMetaSlots: number;
  /** Row 10 of a notebook: tier, notebooks, sources, words, and since May a fifth number. */
  limits: number[];
  /** Slots of a stream frame. In January the final one had one more than the others. */
  frameSlots: number;
  /** Thoughts come as frames of kind 2, and since August as answers without text. */
  thoughtsAsAnswers: boolean;
  /** Runs of marks are written as ranges, and tables and code come as blocks of their own. */
  ranges: boolean;
  /** Questions of nine slots, with a longer tail than those of five. */
  nineSlots: boolean;
  /** Payload tails that every account is refused; since June some accounts are refused the older ones, see the faults. */
  refused: readonly ("A" | "B" | "C")[];
}

const MAY: Generation = {
  month: "2026-05",
  title: "NotebookLM",
  homeBytes: 331_000,
  buildLabel: "boq_labs-tailwind-frontend_20260512.09_p0",
  metaSlots: 19,
  createdMetaSlots: 13,
  limits: [6, 500, 300, 500_000, 2],
  frameSlots: 7,
  thoughtsAsAnswers: false,
  ranges: true,
  nineSlots: true,
  refused: [],
};

export const GENERATIONS: Record<Month, Generation> = {
  "2026-01": {
    ...MAY,
    month: "2026-01",
    title: "Google NotebookLM",
    homeBytes: 258_000,
    buildLabel: "boq_labs-tailwind-frontend_20260111.16_p0",
    metaSlots: 16,
    limits: [6, 500, 300, 500_000],
    frameSlots: 5,
    ranges: false,
    nineSlots: false,
    refused: ["B", "C"],
  },
  "2026-05": MAY,
  "2026-08": {
    ...MAY,
    month: "2026-08",
    title: "Gemini Notebook",
    homeBytes: 424_000,
    buildLabel: "boq_labs-tailwind-frontend_20260802.02_p0",
    metaSlots: 23,
    frameSlots: 8,
    thoughtsAsAnswers: true,
  },
};

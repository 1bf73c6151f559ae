import { randomUUID } from "node:crypto";
import { GENERATIONS, type Generation, LATEST, type Month } from "./generation.js";

export interface SandboxSource {
  id: string;
  title: string;
  /** The service's own type code: 3 PDF, 4 text, 5 web page, 9 YouTube, … */
  code: number;
  text: string;
  url: string | null;
  added: number;
  revision: string;
  status: number;
  /** Statuses still to come, one at each look at the notebook. */
  plan: number[];
  /** Looks at the notebook still to come before the source shows up. */
  hidden?: number;
  drive?: string;
  mime?: string;
}

export interface Turn {
  question: string;
  answer: string;
  at: number;
}

export interface SandboxNotebook {
  id: string;
  title: string;
  emoji: string | null;
  role: number;
  created: number;
  viewed: number;
  /** The conversation the app shows; others are kept by their own ids. */
  conversation: string;
  turns: Map<string, Turn[]>;
  sources: SandboxSource[];
}

export interface SandboxState {
  generation: Generation;
  csrf: string;
  sessionId: string;
  /** Values of the cookies that count as signed in. */
  sid: string;
  psidts: Set<string>;
  apiToken: string;
  /** Notebooks of each signed-in account, by authuser index. */
  accounts: SandboxNotebook[][];
  /** Added answer time in ms: by RPC id, "stream" before the first frame, "frame" between frames. */
  delays: Record<string, number>;
  limits: number[];
  uploads: Map<string, { notebookId: string; sourceId: string; name: string; mime: string }>;
}

export const SEED = {
  ocean: "33333333-3333-4333-8333-333333333333",
  garden: "44444444-4444-4444-8444-444444444444",
  empty: "55555555-5555-4555-8555-555555555555",
  otherAccount: "66666666-6666-4666-8666-666666666666",
  calendar: "22222222-2222-4222-8222-222222222222",
  tides: "11111111-1111-4111-8111-111111111111",
} as const;

let clock = 1_790_000_000;
export const now = (): number => ++clock;

export function source(fields: Partial<SandboxSource> & { title: string; text: string }): SandboxSource {
  return { id: randomUUID(), code: 4, url: null, added: now(), revision: randomUUID(), status: 2, plan: [], ...fields };
}

export function notebook(fields: Partial<SandboxNotebook> & { title: string }): SandboxNotebook {
  return {
    id: randomUUID(),
    emoji: null,
    role: 1,
    created: now(),
    viewed: now(),
    conversation: randomUUID(),
    turns: new Map(),
    sources: [],
    ...fields,
  };
}

const TIDES = [
  "Two high tides happen each lunar day.",
  "A lunar day lasts about twenty-four hours and fifty minutes, so high water comes later every day.",
  "Spring tides follow the full and the new Moon, when Sun and Moon pull along one line.",
  "Neap tides follow the quarter Moons and have the smallest range.",
].join("\n");
const CURRENTS = [
  "Wind drives the currents of the upper ocean, and the turning of the Earth bends them.",
  "Deep currents are driven by density: cold and salty water sinks.",
  "The Gulf Stream carries warm water towards Europe & keeps its winters mild; flow > 30 Sv = a hundred Amazons.",
].join("\n");

const CALENDAR = [
  "When to sow:",
  "Crop | Month | Depth",
  "Broad beans | October | 5 cm",
  "Lettuce | March | 1 cm",
  "```python",
  "rows = length // spacing",
  "```",
  "![A raised bed](bed.png)",
  "Sow beans in double rows.",
].join("\n");

function seededNotebooks(): SandboxNotebook[] {
  const ocean = notebook({
    id: SEED.ocean,
    title: "Ocean notes",
    emoji: "🌊",
    created: 1_789_990_000,
    sources: [
      source({ id: SEED.tides, title: "Tides primer", code: 5, url: "https://example.org/tides", text: TIDES }),
      source({ title: "Currents, in short", code: 4, text: CURRENTS }),
      source({
        title: "Salt and density.pdf",
        code: 3,
        text: "Sea water holds about thirty-five grams of salt in each kilogram.",
      }),
      source({
        title: "How waves break",
        code: 9,
        url: "https://www.youtube.com/watch?v=abcdefghijk",
        text: "A wave breaks when the water is shallower than about 1.3 times its height.",
      }),
      source({ title: "Field plan", code: 1, drive: "drive-doc-1", text: "We measure the range of the tide at noon." }),
    ],
  });
  const garden = notebook({
    id: SEED.garden,
    title: "Jardin d’été",
    emoji: "🌱",
    role: 3,
    sources: [
      source({ title: "Soil", text: "Clay holds water; sand lets it go.\nCompost helps both." }),
      source({ id: SEED.calendar, title: "Sowing calendar", text: CALENDAR }),
    ],
  });
  return [ocean, garden, notebook({ id: SEED.empty, title: "thought\nEmpty shelf" })];
}

export function seededState(notebooks?: SandboxNotebook[], month: Month = LATEST): SandboxState {
  const generation = GENERATIONS[month];
  const other = notebook({
    id: SEED.otherAccount,
    title: "Second account",
    sources: [source({ title: "Only here", text: "This notebook belongs to the second account." })],
  });
  return {
    generation,
    csrf: freshCsrf(),
    sessionId: "-4412337788990011223",
    sid: `sid-${randomUUID()}`,
    psidts: new Set([`ts-${randomUUID()}`]),
    apiToken: `token-${randomUUID()}`,
    accounts: [notebooks ?? seededNotebooks(), [other]],
    delays: {},
    limits: [...generation.limits],
    uploads: new Map(),
  };
}

export function freshCsrf(): string {
  return `AA${randomUUID().replaceAll("-", "")}=:${Date.now()}`;
}

/** What a look at the notebook shows; each look moves its unfinished sources one step on. */
export function look(notebook: SandboxNotebook): SandboxSource[] {
  const shown = notebook.sources.filter((source) => !source.hidden);
  for (const source of shown) source.status = source.plan.shift() ?? source.status;
  for (const source of notebook.sources) if (source.hidden) source.hidden--;
  return shown;
}

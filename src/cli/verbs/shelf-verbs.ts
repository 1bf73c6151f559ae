import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { AddedSource, Answer } from "../../shelves/notebooks/notebook-backend.js";
import type { ListedHighlight, ShownDocument, ShownHighlight } from "../../shelves/readwise/schemas.js";
import { flagValue } from "../command.js";
import { type Ask, LIMIT, type Request, type Verb, valuesOf } from "./verb.js";

/** Listed ones have the title and author of their work themselves, found ones beside them. */
type FoundHighlight = Pick<ListedHighlight, "source_title" | "author"> & { highlight: ShownHighlight };

export const highlights: Verb<{ results: (ListedHighlight | FoundHighlight)[] }> = {
  words: "[WORDS…]",
  about: "Your Readwise highlights: the newest, or those about something.",
  examples: ["bookwheel highlights", "bookwheel highlights stoicism --limit 5"],
  flags: { limit: LIMIT },
  request(words, flags) {
    const { limit } = valuesOf(flags, "limit");
    if (words.length === 0) return { tool: "list_highlights", args: limit === undefined ? {} : { page_size: limit } };
    return { tool: "search_highlights", args: { query: words.join(" "), ...valuesOf(flags, "limit") } };
  },
  show({ results }, page) {
    for (const result of results) {
      const { text = "", highlighted_at, note } = "highlight" in result ? result.highlight : result;
      page.gap();
      page.text(text);
      page.small([result.author, result.source_title, highlighted_at?.slice(0, 10), note]);
    }
    if (results.length === 0) page.text("No highlight.");
  },
};

const PLACES = ["new", "later", "shortlist", "archive", "feed"];

export const queue: Verb<{ results: ShownDocument[] }> = {
  words: "[new|later|shortlist|archive|feed]",
  about: "The reading queue of Readwise Reader.",
  examples: ["bookwheel queue", "bookwheel queue later --limit 10"],
  flags: { limit: LIMIT },
  request: ([place = "new"], flags) =>
    PLACES.includes(place)
      ? { tool: "list_documents", args: { location: place, ...valuesOf(flags, "limit") } }
      : { misuse: `There is no place '${place}' in the queue. There are: ${PLACES.join(", ")}.` },
  show({ results }, page) {
    for (const { title, author, category, url } of results) {
      page.heading(title ?? "Untitled");
      page.small([author, category, url]);
    }
    if (results.length === 0) page.text("Nothing is waiting here.");
  },
};

const NOTEBOOK = { value: "NAME", about: "The notebook, by name or id; needed where there are several." };

export const ask: Verb<Answer> = {
  words: "QUESTION",
  about: "Ask a notebook; the answer cites its sources.",
  examples: ['bookwheel ask "Why are there two tides a day?" --notebook Tides'],
  flags: { notebook: NOTEBOOK },
  request: (words, flags, call) =>
    words.length === 0
      ? { misuse: 'Ask what? For example: bookwheel ask "What is a bookwheel?"' }
      : inNotebook(call, flagValue(flags, "notebook"), (notebook_id) => ({
          tool: "ask",
          args: { notebook_id, question: words.join(" ") },
        })),
  show({ answer, citations, confidence }, page) {
    page.text(answer);
    page.gap();
    for (const { mark, source_title } of citations) page.small([`[${mark}] ${source_title}`]);
    page.small([confidence && `Confidence: ${confidence}`]);
  },
};

export const add: Verb<AddedSource> = {
  words: "URL|FILE",
  about:
    "Add a web page or a file to a notebook, which is made where there is none of that name. 'ingest' reads files into a project.",
  examples: ["bookwheel add https://example.org/tides --notebook Tides", "bookwheel add notes.md --notebook Tides"],
  flags: { notebook: NOTEBOOK },
  request: ([what], flags, call) => {
    if (!what) return { misuse: "Add what? For example: bookwheel add https://example.org/page" };
    const isLink = /^https?:\/\//.test(what);
    if (!isLink && !existsSync(what)) return { misuse: `There is no file '${what}'.` };
    const request = (notebook_id: string) => ({
      tool: "add_source",
      args: isLink
        ? { notebook_id, source_type: "url", url: what }
        : { notebook_id, source_type: "file", file: resolve(what) },
    });
    return inNotebook(call, flagValue(flags, "notebook"), request, { make: true });
  },
  show({ title, processing_status, message }, page) {
    page.text(message ?? `Added “${title}”.`);
    if (processing_status !== "complete") page.small([processing_status]);
  },
};

export const rename: Verb<{ name?: string }> = {
  words: "PROJECT|NOTEBOOK NEW-NAME",
  about:
    "Call a project or a notebook something else. A project keeps its id: commands and assistants go on using that.",
  examples: ['bookwheel rename thesis "Reading and forgetting"', 'bookwheel rename Tides "Tides and currents"'],
  async request([from, ...words], _flags, call) {
    const name = words.join(" ").trim();
    if (!from || !name) return { misuse: 'Rename what, and to what? For example: bookwheel rename thesis "My thesis"' };
    const called = (place: { id: string; name?: string }) => place.id === from || place.name === from;
    const projects = ((await call("list_projects", {}))?.projects ?? []) as { id: string; name?: string }[];
    const notebooks = ((await call("list_notebooks", { limit: 100 }))?.notebooks ?? []) as {
      id: string;
      name: string;
    }[];
    const [project, notebook] = [projects.filter(called), notebooks.filter(called)];
    if (project.length + notebook.length > 1)
      return {
        misuse: `More than one is called '${from}'. Say it by id: ${[...project, ...notebook].map(({ id }) => id).join(", ")}.`,
      };
    if (project[0]) return { tool: "create_project", args: { project: project[0].id, name } };
    if (notebook[0]) return { tool: "rename_notebook", args: { notebook_id: notebook[0].id, name } };
    const names = [...projects.map(({ id, name: shown = id }) => shown), ...notebooks.map((each) => each.name)];
    return {
      misuse: `There is no project or notebook '${from}'. There are: ${names.map((each) => `'${each}'`).join(", ")}.`,
    };
  },
  show: ({ name }, page) => page.text(name ? `It is now called “${name}”.` : "It is called by its id again."),
};

/** The request for the notebook of that name or id, or for the only one there is. */
async function inNotebook(
  call: Ask,
  name: string | undefined,
  request: (id: string) => Request,
  { make = false } = {},
): Promise<Request> {
  const answer = await call("list_notebooks", { limit: 100 });
  const notebooks = (answer?.notebooks ?? []) as { id: string; name: string }[];
  const wanted = name?.toLowerCase();
  const [first, ...more] = wanted
    ? notebooks.filter((notebook) => notebook.id === name || notebook.name.toLowerCase().includes(wanted))
    : notebooks;
  if (first && more.length === 0) return request(first.id);
  if (!first && name && make) {
    const made = await call("create_notebook", { name });
    if (typeof made?.id === "string") return request(made.id);
  }
  if (notebooks.length === 0)
    return { misuse: "There is no notebook yet. This makes one: bookwheel add FILE --notebook NAME" };
  const names = (first ? [first, ...more] : notebooks).map((notebook) => `'${notebook.name}'`).join(", ");
  return {
    misuse: first
      ? `Which notebook? Say --notebook with one of: ${names}.`
      : `No notebook '${name}'. There are: ${names}.`,
  };
}

import type { Passage } from "../../citations/passages.js";
import type { Verification } from "../../citations/quotes.js";
import type { withoutNulls } from "../../kernel/json.js";
import type { LibraryHit } from "../../shelves/chunks/schemas.js";
import { LIMIT, PROJECT, pages, type Verb, valuesOf } from "./verb.js";

export const search: Verb<{
  results: LibraryHit[];
  best_match?: string;
  hint?: string;
  incomplete?: { message: string }[];
}> = {
  words: "WORDS…",
  about: "Search highlights, documents, notebooks and projects by words and by meaning.",
  examples: ["bookwheel search attention is a form of generosity", "bookwheel search tides --project thesis --limit 3"],
  flags: { limit: LIMIT, project: PROJECT },
  request: (words, flags) =>
    words.length === 0
      ? { misuse: "Search for what? For example: bookwheel search memory" }
      : {
          tool: "search_library",
          args: { query: words.join(" "), ...valuesOf(flags, "limit", "project") },
        },
  show({ results, best_match, hint, incomplete = [] }, page) {
    if (best_match === "none" || results.length === 0)
      page.text(hint ?? "Nothing in your reading fits this. The nearest:");
    for (const hit of results) {
      page.gap();
      page.heading(hit.title ?? "Untitled");
      page.small([
        hit.author,
        hit.origin,
        hit.project,
        pages(hit.page_span),
        hit.citekey && `@${hit.citekey}`,
        hit.url,
      ]);
      page.text(hit.text, 2);
    }
    if (incomplete.length > 0) page.gap();
    for (const { message } of incomplete) page.small([`Not searched: ${firstSentence(message)}`]);
  },
};

const firstSentence = (message: string) => {
  const end = message.indexOf(". ");
  return end < 0 ? message : message.slice(0, end + 1);
};

export const quote: Verb<Verification> = {
  words: "TEXT",
  about: "Check a quotation against everything you have read, or against one source.",
  examples: [
    'bookwheel quote "The reader who knows how it ends sees how it was prepared"',
    'bookwheel quote "to be or not to be" --source Hamlet',
  ],
  flags: { source: { value: "NAME", about: "A title, author, citekey or document id." }, project: PROJECT },
  request: (words, flags) =>
    words.length === 0
      ? { misuse: 'Which quotation? For example: bookwheel quote "the words as you have them"' }
      : {
          tool: "verify_quote",
          args: { quote: words.join(" "), ...valuesOf(flags, "source", "project") },
        },
  show({ verdict, matches, closest, elsewhere = [], note }, page) {
    page.heading(VERDICTS[verdict]);
    for (const match of [...matches, ...elsewhere, ...(closest ? [closest] : [])]) {
      page.gap();
      page.text(match.marked ?? match.printed ?? match.text, 2);
      page.small([match.author, match.title, match.citekey && `@${match.citekey}`, pages(match.page_span), match.url]);
    }
    page.gap();
    page.small([note]);
  },
};

const VERDICTS: Record<Verification["verdict"], string> = {
  exact: "Exact: it stands there word for word.",
  normalised: "The same words; only case, spacing or marks differ.",
  fuzzy: "Almost: the wording differs. [-yours-] {+the source's+}",
  misattributed: "It stands in another source.",
  stitched: "Put together from several places.",
  absent: "Not found.",
};

export const cite: Verb<{ citation: string; bibliography: string | null }> = {
  words: "PROJECT KEY…",
  about: "Write the citation of one or more sources of a project.",
  examples: [
    "bookwheel cite thesis marlowe2025wheel",
    "bookwheel cite thesis 'quill2024, pp. 3-4' --style apa --bibliography formatted",
  ],
  flags: {
    style: { value: "NAME", about: "pandoc, latex, apa, mla, chicago-notes, ieee …" },
    bibliography: { value: "none|formatted|bibtex|csl-json|ris", about: "The entries too." },
  },
  request: ([project, ...sources], flags) =>
    !project || sources.length === 0
      ? { misuse: "Cite what? For example: bookwheel cite PROJECT KEY" }
      : {
          tool: "cite",
          args: { project, sources, ...valuesOf(flags, "style", "bibliography") },
        },
  show({ citation, bibliography }, page) {
    page.text(citation);
    if (bibliography) {
      page.gap();
      page.text(bibliography);
    }
  },
};

export const read: Verb<ReturnType<typeof withoutNulls<Passage>>> = {
  words: "PROJECT SOURCE",
  about: "Read a source of a project: by its citekey or document id, or around a passage.",
  examples: ["bookwheel read thesis marlowe2025wheel", "bookwheel read thesis marlowe2025wheel --start 6000"],
  flags: {
    start: { value: "N", about: "Where to begin, in characters." },
    passage: { about: "SOURCE is the id of a passage." },
  },
  request: ([project, source], flags) =>
    !project || !source
      ? { misuse: "Read what? For example: bookwheel read PROJECT KEY" }
      : {
          tool: "read_passage",
          args: {
            project,
            [flags.passage === true ? "chunk_id" : "source"]: source,
            ...valuesOf(flags, "start"),
          },
        },
  show(answer, page) {
    page.heading(answer.title ?? answer.citekey ?? "");
    page.small([answer.citekey && `@${answer.citekey}`, pages(answer.page_span), answer.section_path.join(" › ")]);
    page.gap();
    page.text(answer.text);
    if (answer.next_start !== undefined) page.small([`It goes on: --start ${answer.next_start}`]);
  },
};

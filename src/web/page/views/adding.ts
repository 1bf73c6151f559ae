import type { IngestSummary } from "../../../ingest/summary.js";
import { plainWords } from "../reading/plain-words.js";
import { callTool } from "../server/connection.js";
import { newPlace } from "../server/places.js";
import { type Uploaded, upload } from "../server/uploading.js";
import { NEW, type Target } from "./pile.js";

/** How far an item is. */
export interface Line {
  name: string;
  state: string;
  tone: "plain" | "good" | "bad";
}
type Report = (name: string, state: string, tone?: Line["tone"]) => void;

interface Adding {
  files: readonly File[];
  links: readonly string[];
  report: Report;
  signal: AbortSignal;
}

/** Uploads the files and has everything read into the target; undefined if that could not be made. */
export async function addTo(target: Target, adding: Adding): Promise<Target | undefined> {
  const { files, report, signal } = adding;
  const place = await madePlace(target, report);
  if (!place) return undefined;
  const sent: Uploaded[] = [];
  const batch = crypto.randomUUID();
  for (const file of files)
    await upload(file, batch, {
      signal,
      progress: (share) => report(file.name, `sending ${Math.round(share * 100)} %`),
    }).then(
      (uploaded) => {
        sent.push(uploaded);
        report(file.name, "reading …");
      },
      (error: Error) => report(file.name, error.message, "bad"),
    );
  if (place.kind === "project") await intoProject(place.id, sent, adding);
  else await intoNotebook(place.id, sent, adding);
  return place;
}

/** Creates the target if it is new. */
async function madePlace({ kind, id }: Target, report: Report): Promise<Target | undefined> {
  if (!id.startsWith(NEW)) return { kind, id };
  const name = id.slice(NEW.length).trim();
  const made = await newPlace(kind, name);
  if (made.ok) return { kind, id: made.data.id };
  report(name, plainWords(made.error), "bad");
  return undefined;
}

interface Ingested extends IngestSummary {
  /** Present if reading continues after the answer. */
  running?: object;
}

/** One call for all files, so that a bibliography among them applies to the others. */
async function intoProject(project: string, sent: readonly Uploaded[], { links, report, signal }: Adding) {
  const folders = new Set(sent.map(({ folder }) => folder));
  const items = [...sent.map(({ name }) => name), ...links];
  if (items.length === 0) return;
  for (const name of items) report(name, "reading …");
  const answer = await callTool<Ingested>(
    "ingest_documents",
    { project, paths: [...folders, ...links] },
    {
      signal,
      progress: ({ done, total }) => {
        for (const name of items) report(name, total ? `reading, ${done} of ${total} …` : "reading …");
      },
    },
  );
  if (answer.ok && answer.data.running) await readToTheEnd(project, items, report, signal);
  for (const name of items) {
    if (!answer.ok) {
      report(name, plainWords(answer.error), "bad");
      continue;
    }
    const { skipped, warnings } = answer.data;
    const why = skipped.find(({ path }) => path.endsWith(name))?.reason;
    if (isBibliography(name)) {
      const problem = warnings.find(({ warning }) => warning.includes(name))?.warning;
      report(name, problem ?? "its keys and records are used for the documents it names", problem ? "bad" : "good");
    } else {
      const warning = warnings.find(({ path }) => path.endsWith(name))?.warning;
      report(name, why ?? warning ?? "added", why ? "bad" : "good");
    }
  }
}

const isBibliography = (name: string) => /\.(?:bib|bibtex|biblatex|ris|csljson|csl\.json)$/i.test(name);

/** Many files are read in the background: shows the progress until all are done. */
async function readToTheEnd(project: string, items: readonly string[], report: Report, signal: AbortSignal) {
  while (!signal.aborted) {
    const answer = await callTool<{ ingest?: { status: string; done: number; total?: number } }>(
      "inspect_collection",
      { project },
      { signal },
    );
    const ingest = answer.ok ? answer.data.ingest : undefined;
    if (ingest?.status !== "running") return;
    for (const name of items) report(name, `reading, ${ingest.done} of ${ingest.total ?? items.length} …`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function intoNotebook(notebook: string, sent: readonly Uploaded[], { links, report, signal }: Adding) {
  const sources = [
    ...sent.map(({ name, path }) => ({ name, given: { source_type: "file", file: path } })),
    ...links.map((url) => ({ name: url, given: { source_type: "url", url } })),
  ];
  for (const { name, given } of sources) {
    if (signal.aborted) return;
    if (isBibliography(name)) {
      report(name, "left out: a bibliography goes into a project", "bad");
      continue;
    }
    report(name, "reading …");
    const answer = await callTool<{ title: string }>("add_source", { notebook_id: notebook, ...given }, { signal });
    report(name, answer.ok ? `added as “${answer.data.title}”` : plainWords(answer.error), answer.ok ? "good" : "bad");
  }
}

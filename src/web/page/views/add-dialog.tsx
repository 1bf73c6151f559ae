import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Notebook } from "../../../shelves/notebooks/notebook-backend.js";
import { href } from "../href.js";
import { plainWords } from "../reading/plain-words.js";
import { plural } from "../reading/small-print.js";
import { go, route } from "../routes.js";
import { callTool, offers } from "../server/connection.js";
import { madeAgain } from "../server/deleting.js";
import { loadPlaces, newProject, places } from "../server/places.js";
import { upload } from "../server/uploading.js";
import { askAgain, useAnswer } from "../server/use-answer.js";
import { dropped, namedApart } from "./dropped.js";
import { PLACE_WORDS } from "./place-words.js";
import { type DocumentRecord, RecordEditor } from "./record-editor.js";

/** Dropped, pasted or chosen items, before the user chooses where to put them. */
interface Pile {
  files: readonly File[];
  /** Web addresses. */
  links: readonly string[];
  /** The notebook or project it was dropped on, if any. */
  into?: Target | undefined;
}
type Target = { kind: "notebook" | "project"; id: string };

const pile = signal<Pile | undefined>(undefined);
export const addToReading = (given: Pile): void => {
  pile.value = given;
};
/** The open notebook or project, the default target of a drop; in a list of them only the kind. */
export function openPlace(): Target | undefined {
  const [view, id = ""] = route.value.path;
  if (view === "notebooks") return { kind: "notebook", id };
  return view === "projects" ? { kind: "project", id } : undefined;
}
export const canAdd = (): boolean => offers("add_source") || offers("ingest_documents");

/** Files and links can be dropped on any view; they and texts can be pasted outside of text fields. */
export function listenForDrops(target: () => Target | undefined): () => void {
  const inTextField = ({ target: field }: Event) =>
    field instanceof Element && field.closest("input, textarea, [contenteditable]") !== null;
  /** A file that no one takes would replace the page; text dragged into a field is the field's. */
  const isTaken = (event: DragEvent) => {
    const types = event.dataTransfer?.types ?? [];
    return canAdd() && (types.includes("Files") || (types.includes("text/uri-list") && !inTextField(event)));
  };
  const over = (event: DragEvent) => {
    if (isTaken(event)) event.preventDefault();
  };
  const take = (data: DataTransfer | null, event: Event) => {
    if (!data) return;
    event.preventDefault();
    if (document.querySelector("dialog[open]")) return;
    void dropped(data).then(({ files, links }) => {
      if (files.length + links.length > 0) addToReading({ files, links, into: target() });
    });
  };
  const drop = (event: DragEvent) => {
    if (isTaken(event)) take(event.dataTransfer, event);
  };
  const paste = (event: ClipboardEvent) => {
    if (canAdd() && !inTextField(event)) take(event.clipboardData, event);
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  addEventListener("paste", paste);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
    removeEventListener("paste", paste);
  };
}

export function AddDialog() {
  return pile.value ? <OpenDialog given={pile.value} /> : null;
}

interface Line {
  name: string;
  state: string;
  tone: "plain" | "good" | "bad";
}

function OpenDialog({ given }: { given: Pile }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const stopping = useRef(new AbortController());
  const [files, setAll] = useState(() => namedApart(given.files));
  const setFiles = (all: readonly File[]) => setAll(namedApart(all));
  const [link, setLink] = useState(given.links.join("\n"));
  const [target, setTarget] = useState<Target>(given.into ?? { kind: "notebook", id: "" });
  const [lines, setLines] = useState<readonly Line[]>();
  const [done, setDone] = useState<Target>();
  const links = link.split(/\s+/).filter((text) => URL.canParse(text));
  const count = files.length + links.length;

  useEffect(() => {
    dialog.current?.showModal();
    return () => stopping.current.abort();
  }, []);

  function report(name: string, state: string, tone: Line["tone"] = "plain"): void {
    setLines((before = []) => [...before.filter((line) => line.name !== name), { name, state, tone }]);
  }

  async function add(event: Event) {
    event.preventDefault();
    setLines([]);
    const { signal } = stopping.current;
    const place = await madePlace(target, report);
    if (!place) return;
    const sent: { path: string; name: string; folder: string }[] = [];
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
    if (place.kind === "project") await intoProject(place.id, sent, links, report, signal);
    else await intoNotebook(place.id, sent, links, report, signal);
    askAgain();
    if (!signal.aborted) setDone(place);
  }

  return (
    <dialog
      ref={dialog}
      class="add-dialog"
      aria-labelledby="add-title"
      onClose={() => {
        pile.value = undefined;
      }}
    >
      <form onSubmit={(event) => void add(event)}>
        <h2 id="add-title">Add to your reading</h2>
        {lines === undefined ? (
          <>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: what can be dropped can be chosen with the buttons in it */}
            <div
              class="drop-zone"
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault();
                if (event.dataTransfer)
                  void dropped(event.dataTransfer).then((more) => {
                    setFiles([...files, ...more.files]);
                    if (more.links.length > 0) setLink([link, ...more.links].filter(Boolean).join("\n"));
                  });
              }}
            >
              <p>Drop files, folders or links here, or choose</p>
              <div class="row">
                <label class="button">
                  Files
                  <input
                    type="file"
                    class="sr-only"
                    multiple
                    onChange={({ currentTarget }) => setFiles([...files, ...(currentTarget.files ?? [])])}
                  />
                </label>
                <label class="button">
                  A folder
                  <input
                    type="file"
                    class="sr-only"
                    multiple
                    {...{ webkitdirectory: true }}
                    onChange={({ currentTarget }) =>
                      setFiles([
                        ...files,
                        ...[...(currentTarget.files ?? [])].filter(({ name }) => !name.startsWith(".")),
                      ])
                    }
                  />
                </label>
              </div>
              <p class="small-print">PDF, EPUB, DOCX, HTML, Markdown, text; .bib and CSL-JSON for their keys</p>
            </div>
            {files.length > 0 && (
              <ul class="lines">
                {files.map((file) => (
                  <li key={file.name}>
                    <bdi>{file.name}</bdi>{" "}
                    <button
                      type="button"
                      class="quiet"
                      onClick={() => setFiles(files.filter((other) => other !== file))}
                      aria-label={`Leave out ${file.name}`}
                    >
                      ×
                    </button>
                  </li>
                ))}
              </ul>
            )}
            <label class="stacked">
              Links, one per line
              <textarea rows={2} value={link} onInput={({ currentTarget }) => setLink(currentTarget.value)} />
            </label>
            <Where target={target} onChange={setTarget} />
          </>
        ) : (
          <ul class="lines" aria-live="polite">
            {lines.map(({ name, state, tone }) => (
              <li key={name} class={tone}>
                <bdi>{name}</bdi> <span class="small-print">{state}</span>
              </li>
            ))}
          </ul>
        )}
        <div class="row end">
          <button type="button" onClick={() => dialog.current?.close()}>
            {done ? "Close" : lines ? "Stop" : "Cancel"}
          </button>
          {done ? (
            <button
              type="button"
              class="primary"
              onClick={() => {
                dialog.current?.close();
                go(href([done.kind === "project" ? "projects" : "notebooks", done.id]));
              }}
            >
              Open it
            </button>
          ) : (
            lines === undefined && (
              <button type="submit" class="primary" disabled={count === 0 || !target.id}>
                Add {count > 0 && plural(count, "item")}
              </button>
            )
          )}
        </div>
      </form>
      {done?.kind === "project" && (
        <Recognised project={done.id} names={[...files.map(({ name }) => name), ...links]} />
      )}
    </dialog>
  );
}

const NEW = "new:";

/** Creates the target if it is new; undefined if that failed. */
async function madePlace(
  { kind, id }: Target,
  report: (name: string, state: string, tone?: Line["tone"]) => void,
): Promise<Target | undefined> {
  if (!id.startsWith(NEW)) return { kind, id };
  const name = id.slice(NEW.length).trim();
  const made = kind === "project" ? await newProject(name) : await callTool<Notebook>("create_notebook", { name });
  if (!made.ok) {
    report(name, plainWords(made.error), "bad");
    return undefined;
  }
  const madeId = "project" in made.data ? made.data.project : made.data.id;
  madeAgain(madeId);
  void loadPlaces();
  return { kind, id: madeId };
}

type Report = (name: string, state: string, tone?: Line["tone"]) => void;
type Sent = readonly { path: string; name: string; folder: string }[];

interface Ingested {
  read: number;
  replaced: number;
  skipped: { path: string; reason: string }[];
  warnings: { path: string; warning: string }[];
  /** Present if reading continues after the answer. */
  running?: object;
}

/** One call for all files, so that a bibliography among them applies to the others. */
async function intoProject(project: string, sent: Sent, links: readonly string[], report: Report, signal: AbortSignal) {
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

/** The records found in the files just read. */
function Recognised({ project, names }: { project: string; names: readonly string[] }) {
  const answer = useAnswer<{ documents?: DocumentRecord[] }>("inspect_collection", { project, documents: true });
  const own = (answer.data?.documents ?? []).filter(({ path }) => names.some((name) => path?.endsWith(name)));
  if (own.length === 0 || !offers("update_document_record")) return null;
  return (
    <section class="recognised" aria-label="What was recognised">
      <p class="small-print">What was recognised; correct it here if it is wrong.</p>
      {own.map((record) => (
        <details key={JSON.stringify(record)} open={own.length === 1}>
          <summary>
            <bdi>{record.title}</bdi>
          </summary>
          <RecordEditor project={project} record={record} onSaved={answer.reload} />
        </details>
      ))}
    </section>
  );
}

async function intoNotebook(
  notebook: string,
  sent: Sent,
  links: readonly string[],
  report: Report,
  signal: AbortSignal,
) {
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

function Where({ target, onChange }: { target: Target; onChange(target: Target): void }) {
  const listed = target.kind === "notebook" ? places.value.notebooks : places.value.projects;
  const isNew = target.id.startsWith(NEW);
  // A place that was just made may not be listed yet.
  const unlisted = target.id && !isNew && !listed.some(({ id }) => id === target.id);
  const here = { id: target.id, name: target.kind === "project" ? target.id : "This notebook" };
  const known = unlisted ? [here, ...listed] : listed;
  return (
    <fieldset class="where">
      <legend>Where</legend>
      <div class="chips">
        {(["notebook", "project"] as const).map((kind) => (
          <label key={kind}>
            <input
              type="radio"
              name="kind"
              checked={target.kind === kind}
              onChange={() => onChange({ kind, id: "" })}
            />
            {kind === "notebook" ? "A notebook" : "A project"}
          </label>
        ))}
      </div>
      <p class="small-print">{PLACE_WORDS[target.kind]} Both can be searched, asked, quoted from and cited.</p>
      <label class="stacked">
        <span class="sr-only">Which one</span>
        <select
          value={isNew ? NEW : target.id}
          onInput={({ currentTarget }) => onChange({ ...target, id: currentTarget.value })}
        >
          <option value="">Choose …</option>
          {known.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value={NEW}>A new one …</option>
        </select>
      </label>
      {isNew && (
        <label class="stacked">
          Its name
          <input
            value={target.id.slice(NEW.length)}
            maxLength={100}
            onInput={({ currentTarget }) => onChange({ ...target, id: NEW + currentTarget.value })}
          />
        </label>
      )}
    </fieldset>
  );
}

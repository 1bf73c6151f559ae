import { useEffect, useRef, useState } from "preact/hooks";
import { useModal } from "../dialog.js";
import { href } from "../href.js";
import { plural } from "../reading/small-print.js";
import { go } from "../routes.js";
import { offers } from "../server/connection.js";
import { places } from "../server/places.js";
import { askAgain, useAnswer } from "../server/use-answer.js";
import { addTo, type Line } from "./adding.js";
import { dropped, namedApart } from "./dropped.js";
import { NEW, type Pile, pile, type Target } from "./pile.js";
import { PLACE_WORDS } from "./place-list.js";
import { type DocumentRecord, RecordEditor } from "./record-editor.js";

export function AddDialog() {
  return pile.value ? <OpenDialog given={pile.value} /> : null;
}

function OpenDialog({ given }: { given: Pile }) {
  const dialog = useModal();
  const stopping = useRef(new AbortController());
  const [files, setFiles] = useState(() => namedApart(given.files ?? []));
  const addFiles = (more: Iterable<File>) => setFiles((before) => namedApart([...before, ...more]));
  const [link, setLink] = useState(given.links?.join("\n") ?? "");
  const [target, setTarget] = useState<Target>(given.into ?? { kind: "notebook", id: "" });
  const [lines, setLines] = useState<readonly Line[]>();
  const [done, setDone] = useState<Target>();
  const links = link.split(/\s+/).filter((text) => URL.canParse(text));
  const count = files.length + links.length;

  useEffect(() => () => stopping.current.abort(), []);

  function report(name: string, state: string, tone: Line["tone"] = "plain"): void {
    setLines((before = []) => [...before.filter((line) => line.name !== name), { name, state, tone }]);
  }

  async function add(event: Event) {
    event.preventDefault();
    setLines([]);
    const { signal } = stopping.current;
    const place = await addTo(target, { files, links, report, signal });
    if (!place) return;
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
                    addFiles(more.files);
                    if (more.links.length > 0) setLink([link, ...more.links].filter(Boolean).join("\n"));
                  });
              }}
            >
              <p>Drop files, folders or links here, or choose</p>
              <div class="row">
                <FilePicker label="Files" onChoose={addFiles} />
                <FilePicker label="A folder" onChoose={addFiles} webkitdirectory />
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

interface FilePickerProps {
  label: string;
  /** Chooses a whole folder; files that begin with a dot are left out of it. */
  webkitdirectory?: boolean;
  onChoose(files: readonly File[]): void;
}

function FilePicker({ label, onChoose, ...folder }: FilePickerProps) {
  const choose = (files: readonly File[]) =>
    onChoose(folder.webkitdirectory ? files.filter(({ name }) => !name.startsWith(".")) : files);
  return (
    <label class="button">
      {label}
      <input
        type="file"
        class="sr-only"
        multiple
        {...folder}
        onChange={({ currentTarget }) => choose([...(currentTarget.files ?? [])])}
      />
    </label>
  );
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

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { FormDialog } from "../dialog.js";
import { href } from "../href.js";
import { say } from "../notices.js";
import { plural } from "../reading/small-print.js";
import { Problem } from "../reading/states.js";
import { go } from "../routes.js";
import { callTool, type Failure, offers, type Result, takes } from "../server/connection.js";
import { contentsOf, deleteLater } from "../server/deleting.js";
import { loadPlaces, type PlaceKind } from "../server/places.js";

interface NotebookActionsProps {
  id: string;
  name: string;
  sources: readonly { id: string }[];
  onChange(): void;
}

export function NotebookActions({ id, name, sources, onChange }: NotebookActionsProps) {
  const holding = plural(sources.length, "source");
  const remove = ({ id: source_id }: { id: string }) => callTool("remove_source", { notebook_id: id, source_id });
  return (
    <PlaceActions
      kind="notebook"
      id={id}
      name={name}
      holding={holding}
      contents={`the ${holding}`}
      rename={offers("rename_notebook") && ((to) => callTool("rename_notebook", { notebook_id: id, name: to }))}
      empty={offers("remove_source") && sources.length > 0 && (() => inTurn(sources, remove))}
      emptied="The notebook itself stays, and so do the questions and answers kept in this browser."
      remove={offers("delete_notebook") && (() => callTool("delete_notebook", { notebook_id: id, name }))}
      removed="Files and pages it was made from are not touched."
      onChange={onChange}
    />
  );
}

interface ProjectActionsProps {
  id: string;
  name: string;
  /** Its number of passages; deleting it requires the right number. */
  size: number;
  documents: number;
  settings: { embed_model: string; hybrid_enabled: boolean; description?: string | null };
  onChange(): void;
}

/** Renaming a project does not change its id, which is its address. */
export function ProjectActions({ id, name, size, documents, settings, onChange }: ProjectActionsProps) {
  const { embed_model, hybrid_enabled, description } = settings;
  const holding = `${plural(documents, "document")} (${plural(size, "passage")})`;
  const create = (fields: object) => callTool("create_project", { project: id, ...fields });
  const remove = () => callTool("delete_project", { project: id, chunks: size });
  async function empty() {
    const removed = await remove();
    return removed.ok
      ? create({ name, embed_model, hybrid_enabled, ...(description ? { description } : {}) })
      : removed;
  }
  const canCreate = offers("create_project");
  return (
    <PlaceActions
      kind="project"
      id={id}
      name={name}
      holding={holding}
      contents={holding}
      rename={canCreate && takes("create_project", "name") && ((to) => create({ name: to }))}
      empty={canCreate && offers("delete_project") && size > 0 && empty}
      emptied="The project and its settings stay; your files are not touched."
      remove={offers("delete_project") && remove}
      removed="Your files are not touched."
      onChange={onChange}
    />
  );
}

interface PlaceActionsProps {
  kind: PlaceKind;
  id: string;
  name: string;
  /** What it has, in words, and the same as it is called when it is removed. */
  holding: string;
  contents: string;
  /** Each action, or false where it is not possible; and what a removal leaves as it is. */
  rename: false | ((name: string) => Promise<Result<unknown>>);
  empty: false | (() => Promise<Result<unknown>>);
  emptied: string;
  remove: false | (() => Promise<Result<unknown>>);
  removed: string;
  onChange(): void;
}

/** The actions on a whole notebook or project. */
function PlaceActions(props: PlaceActionsProps) {
  const { kind, id, name, holding, contents, rename, empty, emptied, remove, removed, onChange } = props;
  const [asking, setAsking] = useState<"Rename" | "Empty" | "Delete">();
  const close = () => setAsking(undefined);
  const possible = [rename && "Rename", empty && "Empty", remove && "Delete"] as const;
  return (
    <>
      {possible.map(
        (action) =>
          action && (
            <button key={action} type="button" class="quiet" onClick={() => setAsking(action)}>
              {action}
            </button>
          ),
      )}
      {asking === "Rename" && rename && (
        <RenameDialog kind={kind} name={name} rename={rename} onRenamed={onChange} onClose={close} />
      )}
      {asking === "Empty" && empty && (
        <Confirm
          title={`Remove all ${holding} of “${name}”?`}
          action="Empty it"
          onConfirm={() => deleteLater(contentsOf(id), `${contents} of “${name}”`, empty, onChange)}
          onClose={close}
        >
          {emptied}
        </Confirm>
      )}
      {asking === "Delete" && remove && (
        <Confirm
          title={`Delete “${name}” with its ${holding}?`}
          action="Delete it"
          onConfirm={() => {
            deleteLater(id, `“${name}” with its ${holding}`, remove, loadPlaces);
            go(href([`${kind}s`]));
          }}
          onClose={close}
        >
          {removed}
        </Confirm>
      )}
    </>
  );
}

/** One call after the other, until one fails. */
async function inTurn<T>(items: readonly T[], call: (item: T) => Promise<Result<unknown>>): Promise<Result<unknown>> {
  for (const item of items) {
    const result = await call(item);
    if (!result.ok) return result;
  }
  return { ok: true, data: undefined };
}

interface ConfirmProps {
  title: string;
  action: string;
  children: ComponentChildren;
  onConfirm(): void;
  onClose(): void;
}

function Confirm({ title, action, children, onConfirm, onClose }: ConfirmProps) {
  const confirm = (close: () => void) => {
    close();
    onConfirm();
  };
  return (
    <FormDialog title={title} action={action} onSubmit={confirm} onClose={onClose}>
      <p>{children} For a few seconds you can undo it.</p>
    </FormDialog>
  );
}

interface RenameDialogProps {
  kind: PlaceKind;
  name: string;
  rename(name: string): Promise<Result<unknown>>;
  onRenamed(): void;
  onClose(): void;
}

function RenameDialog({ kind, name, rename, onRenamed, onClose }: RenameDialogProps) {
  const [value, setValue] = useState(name);
  const [error, setError] = useState<Failure>();
  async function send(close: () => void) {
    const answer = await rename(value.trim());
    if (!answer.ok) return setError(answer.error);
    close();
    say(`It is now called “${value.trim()}”.`);
    onRenamed();
    void loadPlaces();
  }
  return (
    <FormDialog
      title={`Rename the ${kind}`}
      action="Rename"
      disabled={!value.trim()}
      onSubmit={(close) => void send(close)}
      onClose={onClose}
    >
      <label class="stacked">
        Name
        <input value={value} maxLength={200} onInput={({ currentTarget }) => setValue(currentTarget.value)} />
      </label>
      {error && <Problem error={error} />}
    </FormDialog>
  );
}

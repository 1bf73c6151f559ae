import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { href } from "../href.js";
import { say } from "../notices.js";
import { plural } from "../reading/small-print.js";
import { Problem } from "../reading/states.js";
import { go } from "../routes.js";
import { type Args, callTool, type Failure, offers, type Result, takes } from "../server/connection.js";
import { contentsOf, deleteLater } from "../server/deleting.js";
import { loadPlaces } from "../server/places.js";

interface NotebookActionsProps {
  id: string;
  name: string;
  sources: readonly { id: string }[];
  onChange(): void;
}

/** The actions on a whole notebook. */
export function NotebookActions({ id, name, sources, onChange }: NotebookActionsProps) {
  const [asking, setAsking] = useState<"rename" | "empty" | "delete">();
  const close = () => setAsking(undefined);
  const holding = plural(sources.length, "source");
  return (
    <div class="row place-actions">
      {offers("rename_notebook") && (
        <button type="button" class="quiet" onClick={() => setAsking("rename")}>
          Rename
        </button>
      )}
      {offers("remove_source") && sources.length > 0 && (
        <button type="button" class="quiet" onClick={() => setAsking("empty")}>
          Empty
        </button>
      )}
      {offers("delete_notebook") && (
        <button type="button" class="quiet" onClick={() => setAsking("delete")}>
          Delete
        </button>
      )}
      {asking === "rename" && (
        <RenameDialog
          name={name}
          what="notebook"
          onClose={close}
          onRename={(to) => renamed("rename_notebook", { notebook_id: id, name: to }, onChange)}
        />
      )}
      {asking === "empty" && (
        <Confirm
          title={`Remove all ${holding} of “${name}”?`}
          action="Empty it"
          onClose={close}
          onConfirm={() =>
            deleteLater(
              contentsOf(id),
              `the ${holding} of “${name}”`,
              () => inTurn(sources, (source) => callTool("remove_source", { notebook_id: id, source_id: source.id })),
              onChange,
            )
          }
        >
          The notebook itself stays, and so do the questions and answers kept in this browser.
        </Confirm>
      )}
      {asking === "delete" && (
        <Confirm
          title={`Delete “${name}” with its ${holding}?`}
          action="Delete it"
          onClose={close}
          onConfirm={() => {
            deleteLater(
              id,
              `“${name}” with its ${holding}`,
              () => callTool("delete_notebook", { notebook_id: id, name }),
              loadPlaces,
            );
            go(href(["notebooks"]));
          }}
        >
          Files and pages it was made from are not touched.
        </Confirm>
      )}
    </div>
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

/** The actions on a whole project. Renaming does not change its id, which is its address. */
export function ProjectActions({ id, name, size, documents, settings, onChange }: ProjectActionsProps) {
  const [asking, setAsking] = useState<"rename" | "empty" | "delete">();
  const close = () => setAsking(undefined);
  const holding = `${plural(documents, "document")} (${plural(size, "passage")})`;
  const remove = () => callTool("delete_project", { project: id, chunks: size });
  const canRename = offers("create_project") && takes("create_project", "name");
  const canDelete = offers("delete_project");
  return (
    <>
      {canRename && (
        <button type="button" class="quiet" onClick={() => setAsking("rename")}>
          Rename
        </button>
      )}
      {canDelete && size > 0 && offers("create_project") && (
        <button type="button" class="quiet" onClick={() => setAsking("empty")}>
          Empty
        </button>
      )}
      {canDelete && (
        <button type="button" class="quiet" onClick={() => setAsking("delete")}>
          Delete
        </button>
      )}
      {asking === "rename" && (
        <RenameDialog
          name={name}
          what="project"
          onClose={close}
          onRename={(to) => renamed("create_project", { project: id, name: to }, onChange)}
        />
      )}
      {asking === "empty" && (
        <Confirm
          title={`Remove all ${holding} of “${name}”?`}
          action="Empty it"
          onClose={close}
          onConfirm={() =>
            deleteLater(
              contentsOf(id),
              `${holding} of “${name}”`,
              async () => {
                const removed = await remove();
                return removed.ok ? callTool("create_project", { project: id, name, ...given(settings) }) : removed;
              },
              onChange,
            )
          }
        >
          The project and its settings stay; your files are not touched.
        </Confirm>
      )}
      {asking === "delete" && (
        <Confirm
          title={`Delete “${name}” with its ${holding}?`}
          action="Delete it"
          onClose={close}
          onConfirm={() => {
            deleteLater(id, `“${name}” with its ${holding}`, remove, loadPlaces);
            go(href(["projects"]));
          }}
        >
          Your files are not touched.
        </Confirm>
      )}
    </>
  );
}

const given = ({ embed_model, hybrid_enabled, description }: ProjectActionsProps["settings"]) => ({
  embed_model,
  hybrid_enabled,
  ...(description ? { description } : {}),
});

/** Renames with a tool, and updates the name in all lists. */
async function renamed(tool: string, args: Args, onChange: () => void): Promise<Result<unknown>> {
  const answer = await callTool(tool, args);
  if (answer.ok) {
    onChange();
    void loadPlaces();
  }
  return answer;
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
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          dialog.current?.close();
          onConfirm();
        }}
      >
        <h2 id="confirm-title" dir="auto">
          {title}
        </h2>
        <p>{children} For a few seconds you can undo it.</p>
        <div class="row end">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="primary">
            {action}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function RenameDialog({
  name,
  what,
  onRename,
  onClose,
}: {
  name: string;
  what: "notebook" | "project";
  onRename(name: string): Promise<Result<unknown>>;
  onClose(): void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [value, setValue] = useState(name);
  const [error, setError] = useState<Failure>();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="rename-title" onClose={onClose}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          const answer = await onRename(value.trim());
          if (!answer.ok) return setError(answer.error);
          dialog.current?.close();
          say(`It is now called “${value.trim()}”.`);
        }}
      >
        <h2 id="rename-title">Rename the {what}</h2>
        <label class="stacked">
          Name
          <input value={value} maxLength={200} onInput={({ currentTarget }) => setValue(currentTarget.value)} />
        </label>
        {error && <Problem error={error} />}
        <div class="row end">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={!value.trim()}>
            Rename
          </button>
        </div>
      </form>
    </dialog>
  );
}

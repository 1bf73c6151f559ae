import { useLayoutEffect, useState } from "preact/hooks";
import type { ShownDocument } from "../../../shelves/readwise/schemas.js";
import { href } from "../href.js";
import { tagNames } from "../reading/small-print.js";
import { go } from "../routes.js";
import { offers } from "../server/connection.js";
import { onShortcut } from "../shortcuts.js";
import { lastQueue, neighbour } from "./last-queue.js";
import { TagDialog } from "./tag-dialog.js";
import { LOCATIONS, moves, useTriage } from "./triage.js";
import type { Place } from "./triage-steps.js";

/** The actions on an open document, with the same keys as in the queue. */
export function DocumentActions({ document: opened, onChange }: { document: ShownDocument; onChange(): void }) {
  const location = LOCATIONS.find(({ name }) => name === opened.location)?.name ?? "new";
  const triage = useTriage([opened], location);
  const document = triage.shown.find(({ id }) => id === opened.id) ?? opened;
  const [tagging, setTagging] = useState(false);
  const writable = offers("update_document");
  const next = neighbour(opened.id, 1);
  const previous = neighbour(opened.id, -1);
  const queue = href(["queue", lastQueue.value.location]);

  async function move(target: Place) {
    await triage.move(document, target);
    go(next ? href(["documents", next]) : queue);
  }

  useLayoutEffect(
    () =>
      onShortcut({
        j: next ? () => go(href(["documents", next])) : undefined,
        k: previous ? () => go(href(["documents", previous])) : undefined,
        ...(writable && {
          ...Object.fromEntries(moves(location).map(({ key, name }) => [key, () => move(name)])),
          t: () => setTagging(true),
          u: () => triage.undo(),
        }),
      }),
    [opened, next, previous, triage.canUndo],
  );

  return (
    <nav class="row document-actions" aria-label="Triage">
      <a href={queue}>Queue</a>
      {previous && (
        <a href={href(["documents", previous])}>
          Previous <kbd>k</kbd>
        </a>
      )}
      {next && (
        <a href={href(["documents", next])}>
          Next <kbd>j</kbd>
        </a>
      )}
      {writable && (
        <>
          {moves(location).map(({ name, label, key }) => (
            <button key={name} type="button" class="quiet" onClick={() => void move(name)}>
              {label} <kbd>{key}</kbd>
            </button>
          ))}
          <button type="button" class="quiet" onClick={() => setTagging(true)}>
            Tag <kbd>t</kbd>
          </button>
        </>
      )}
      {tagging && (
        <TagDialog
          title={document.title ?? "this document"}
          tags={tagNames(document)}
          onClose={(tags) => {
            setTagging(false);
            if (tags) void triage.tag(document, tags).then(onChange);
          }}
        />
      )}
    </nav>
  );
}

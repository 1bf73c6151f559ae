import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ShownDocument } from "../../../shelves/readwise/schemas.js";
import { href } from "../href.js";
import { plural, tagNames } from "../reading/small-print.js";
import { Awaited, Empty } from "../reading/states.js";
import { go, route } from "../routes.js";
import { offers } from "../server/connection.js";
import { QUEUE, queueArguments } from "../server/first-calls.js";
import { useAnswer } from "../server/use-answer.js";
import type { Paged } from "../server/use-pages.js";
import { onShortcut } from "../shortcuts.js";
import { lastQueue } from "./last-queue.js";
import { QueueItem } from "./queue-item.js";
import { TagDialog } from "./tag-dialog.js";
import { LOCATIONS, type Location, moves, useTriage } from "./triage.js";

export function QueueView({ location }: { location: Location }) {
  const cursor = route.value.query.get("from");
  const answer = useAnswer<Paged<ShownDocument>>(QUEUE, queueArguments(location, cursor));
  return (
    <div class="view">
      <h1>Reading queue</h1>
      <nav class="chips" aria-label="Places">
        {LOCATIONS.map(({ name, title }) => (
          <a key={name} href={href(["queue", name])} aria-current={name === location ? "true" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <Awaited answer={answer}>
        {(page) => (
          <>
            <Triage
              key={`${location}${cursor ?? ""}`}
              documents={page.results}
              location={location}
              count={page.count}
            />
            {page.next_cursor && (
              <p>
                <a href={href(["queue", location], { from: page.next_cursor })}>Further documents</a>
              </p>
            )}
          </>
        )}
      </Awaited>
    </div>
  );
}

interface TriageProps {
  documents: readonly ShownDocument[];
  location: Location;
  count: number;
}

function Triage({ documents, location, count }: TriageProps) {
  const [at, setAt] = useState(0);
  const [tagging, setTagging] = useState<ShownDocument>();
  const triage = useTriage(documents, location);
  const list = useRef<HTMLUListElement>(null);
  const { shown } = triage;
  const current = shown[Math.min(at, shown.length - 1)];
  const writable = offers("update_document");
  const ids = shown.map(({ id }) => id).join(" ");
  useEffect(() => {
    lastQueue.value = { location, ids: ids.split(" ") };
  }, [location, ids]);

  function step(by: number) {
    const next = Math.max(0, Math.min(shown.length - 1, Math.min(at, shown.length - 1) + by));
    setAt(next);
    list.current?.querySelectorAll<HTMLElement>(":scope > li")[next]?.querySelector("a")?.focus();
  }

  // After the dialog has closed: elements behind an open dialog cannot take focus.
  const tagged = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (!tagging && tagged.current)
      list.current?.querySelector<HTMLElement>(`:scope > li[data-id="${CSS.escape(tagged.current)}"] a`)?.focus();
    tagged.current = tagging?.id;
  }, [tagging]);

  const keys = useMemo(
    () => ({
      j: () => step(1),
      k: () => step(-1),
      o: () => current && go(href(["documents", current.id])),
      ...(writable && {
        ...Object.fromEntries(
          moves(location).map(({ key, name }) => [key, () => current && triage.move(current, name)]),
        ),
        t: () => current && setTagging(current),
        u: () => triage.undo(),
      }),
    }),
    [at, shown, location, writable],
  );
  useLayoutEffect(() => onShortcut(keys), [keys]);

  return (
    <>
      <p class="status-line" role="status">
        {plural(Math.max(0, count - (documents.length - shown.length)), "document")}
      </p>
      {shown.length === 0 && <Empty>Nothing is waiting here.</Empty>}
      <ul class="queue" ref={list}>
        {shown.map((document, index) => (
          <QueueItem
            key={document.id}
            document={document}
            current={document === current}
            moves={writable ? moves(location) : []}
            onFocus={() => setAt(index)}
            onMove={(target) => triage.move(document, target)}
            onTag={() => setTagging(document)}
          />
        ))}
      </ul>
      {writable && (
        <div class="row">
          <button type="button" onClick={() => triage.undo()} disabled={!triage.canUndo}>
            Undo <kbd>u</kbd>
          </button>
        </div>
      )}
      {tagging && (
        <TagDialog
          title={tagging.title ?? "this document"}
          tags={tagNames(tagging)}
          onClose={(tags) => {
            if (tags) void triage.tag(tagging, tags);
            setTagging(undefined);
          }}
        />
      )}
    </>
  );
}

import type { ShownDocument } from "../../../shelves/readwise/schemas.js";
import { href } from "../href.js";
import { day, SmallPrint, Tags, tagNames } from "../reading/small-print.js";
import type { Move } from "./triage.js";
import type { Place } from "./triage-steps.js";

interface QueueItemProps {
  document: ShownDocument;
  current: boolean;
  moves: readonly Move[];
  onFocus(): void;
  onMove(target: Place): void;
  onTag(): void;
}

export function QueueItem({ document, current, moves, onFocus, onMove, onTag }: QueueItemProps) {
  const title = document.title ?? "Untitled";
  const progress = document.reading_progress ?? 0;
  return (
    <li class={current ? "current" : undefined} onFocusCapture={onFocus} data-id={document.id}>
      <h2 dir="auto">
        <a href={href(["documents", document.id])}>{title}</a>
      </h2>
      <SmallPrint
        parts={[
          document.category,
          document.author,
          document.site_name,
          document.reading_time,
          day(document.saved_at),
          progress > 0 && `${Math.round(progress * 100)} % read`,
        ]}
      />
      {document.summary && (
        <p class="summary" dir="auto">
          {document.summary}
        </p>
      )}
      <Tags names={tagNames(document)} />
      {moves.length > 0 && (
        <fieldset class="actions">
          <legend class="sr-only">Triage {title}</legend>
          {moves.map(({ name, label, key }) => (
            <button key={name} type="button" class="quiet" onClick={() => onMove(name)}>
              {label} <kbd>{key}</kbd>
            </button>
          ))}
          <button type="button" class="quiet" onClick={onTag}>
            Tag <kbd>t</kbd>
          </button>
        </fieldset>
      )}
    </li>
  );
}

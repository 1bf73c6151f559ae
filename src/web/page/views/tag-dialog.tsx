import { useEffect, useRef, useState } from "preact/hooks";
import { offers } from "../server/connection.js";
import { useAnswer } from "../server/use-answer.js";

interface TagDialogProps {
  title: string;
  tags: readonly string[];
  /** The new tags, or undefined where nothing is to change. */
  onClose(tags?: string[]): void;
}

export function TagDialog({ title, tags, onClose }: TagDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState(tags.join(", "));
  const known = useAnswer<{ tags: { name: string }[] }>(
    "list_reader_tags",
    offers("list_reader_tags") ? {} : undefined,
  );
  const written = namesIn(text);
  const others = (known.data?.tags ?? []).map(({ name }) => name).filter((name) => !written.includes(name));

  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog ref={dialog} onClose={() => onClose()} aria-labelledby="tag-title">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose(written);
        }}
      >
        <h2 id="tag-title">
          Tags of <bdi>{title}</bdi>
        </h2>
        <label for="tags">Names, with commas between</label>
        <input
          id="tags"
          type="text"
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {others.length > 0 && (
          <fieldset class="chips">
            <legend class="sr-only">Tags you use</legend>
            {others.slice(0, 14).map((name) => (
              <button key={name} type="button" onClick={() => setText([...written, name].join(", "))}>
                + <bdi>{name}</bdi>
              </button>
            ))}
          </fieldset>
        )}
        <div class="row end">
          <button type="button" onClick={() => dialog.current?.close()}>
            Leave as it is
          </button>
          <button type="submit" class="primary">
            Save tags
          </button>
        </div>
      </form>
    </dialog>
  );
}

function namesIn(text: string): string[] {
  return [
    ...new Set(
      text
        .split(",")
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ];
}

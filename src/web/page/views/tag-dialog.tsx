import { useEffect, useRef, useState } from "preact/hooks";
import { offers } from "../server/connection.js";
import { useAnswer } from "../server/use-answer.js";

interface TagDialogProps {
  title: string;
  tags: readonly string[];
  /** The new tags, or undefined to change nothing. */
  onClose(tags?: string[]): void;
}

const SUGGESTIONS = 14;

/** Tags are chips and the input starts empty, so that typed text is never appended to an existing tag. */
export function TagDialog({ title, tags, onClose }: TagDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<readonly string[]>(tags);
  const [text, setText] = useState("");
  const known = useAnswer<{ tags: { name: string }[] }>(
    "list_reader_tags",
    offers("list_reader_tags") ? {} : undefined,
  );
  const others = (known.data?.tags ?? []).map(({ name }) => name).filter((name) => !chosen.includes(name));
  const begun = text.trim().toLowerCase();
  const suggested = begun ? others.filter((name) => name.toLowerCase().includes(begun)) : others;

  useEffect(() => {
    dialog.current?.showModal();
    input.current?.focus();
  }, []);

  function add(...names: string[]) {
    setChosen((before) => withNames(before, names));
    setText("");
    input.current?.focus();
  }
  function remove(name: string) {
    setChosen((before) => before.filter((other) => other !== name));
    input.current?.focus();
  }

  return (
    <dialog ref={dialog} onClose={() => onClose()} aria-labelledby="tag-title">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose([...withNames(chosen, namesIn(text))]);
        }}
      >
        <h2 id="tag-title">
          Tags of <bdi>{title}</bdi>
        </h2>
        {chosen.length > 0 && (
          <fieldset class="chips chosen">
            <legend class="sr-only">Tags it has</legend>
            {chosen.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed="true"
                aria-label={`Remove ${name}`}
                onClick={() => remove(name)}
              >
                <bdi>{name}</bdi> <span aria-hidden="true">×</span>
              </button>
            ))}
          </fieldset>
        )}
        <label for="tags">Add a tag</label>
        <input
          id="tags"
          ref={input}
          type="text"
          autocomplete="off"
          placeholder="Type, then Enter to save; a comma adds another"
          value={text}
          onInput={(event) => {
            const typed = event.currentTarget.value;
            if (typed.includes(",")) add(...namesIn(typed));
            else setText(typed);
          }}
          onKeyDown={(event) => {
            if (event.key === "Backspace" && text === "" && chosen.length > 0) setChosen(chosen.slice(0, -1));
          }}
        />
        {suggested.length > 0 && (
          <fieldset class="chips">
            <legend class="sr-only">Tags you use</legend>
            {suggested.slice(0, SUGGESTIONS).map((name) => (
              <button key={name} type="button" onClick={() => add(name)}>
                + <bdi>{name}</bdi>
              </button>
            ))}
          </fieldset>
        )}
        <div class="row end">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
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
  return text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}

const withNames = (before: readonly string[], names: readonly string[]) => [...new Set([...before, ...names])];

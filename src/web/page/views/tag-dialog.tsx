import { useRef, useState } from "preact/hooks";
import { FormDialog } from "../dialog.js";
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
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<readonly string[]>(tags);
  const [text, setText] = useState("");
  const others = useReaderTags().filter((name) => !chosen.includes(name));
  const begun = text.trim().toLowerCase();
  const suggested = begun ? others.filter((name) => name.toLowerCase().includes(begun)) : others;

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
    <FormDialog
      title={
        <>
          Tags of <bdi>{title}</bdi>
        </>
      }
      action="Save tags"
      onSubmit={() => onClose(withNames(chosen, namesIn(text)))}
      onClose={() => onClose()}
    >
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
        autofocus
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
    </FormDialog>
  );
}

/** The tags in use; none unless they are `wanted`. */
export function useReaderTags(wanted = true): string[] {
  const args = wanted && offers("list_reader_tags") ? {} : undefined;
  const { data } = useAnswer<{ tags: { name: string }[] }>("list_reader_tags", args);
  return (data?.tags ?? []).map(({ name }) => name);
}

function namesIn(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}

const withNames = (before: readonly string[], names: readonly string[]) => [...new Set([...before, ...names])];

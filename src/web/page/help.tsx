import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { setShortcuts, shortcutsOn } from "./shortcuts.js";

const open = signal(false);
export const openHelp = () => {
  open.value = true;
};

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ["Ctrl K", "Search, ask, check, go to or do, from anywhere (⌘ K on a Mac)"],
  ["/", "Search"],
  ["j  k", "Next and previous: a document in the queue, a hit, a finding in a draft"],
  ["o", "Open it"],
  ["e", "Archive"],
  ["l", "Later"],
  ["s", "Shortlist"],
  ["i", "Back to the inbox"],
  ["t", "Tag"],
  ["h", "In a document: highlight the selected words"],
  ["u", "Undo"],
  ["a", "In a checked draft: take the true wording"],
  ["Esc", "Close what is open beside the text"],
  ["?", "This help"],
];

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open.value) dialog.current?.showModal();
  }, [open.value]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="help-title"
      onClose={() => {
        open.value = false;
      }}
    >
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              {key.split("  ").map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p>
        <label class="switch">
          <input
            type="checkbox"
            checked={shortcutsOn.value}
            onChange={(event) => setShortcuts(event.currentTarget.checked)}
          />{" "}
          Single-key shortcuts
        </label>
      </p>
      <div class="row end">
        <button type="button" class="primary" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}

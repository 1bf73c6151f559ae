import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { say } from "../notices.js";
import { plainWords } from "../reading/plain-words.js";
import { callTool, offers, takes } from "../server/connection.js";
import { onShortcut } from "../shortcuts.js";

/** A bar that saves the selected words of the document as a highlight. */
export function Highlighting({ document: id, onChange }: { document: string; onChange(): void }) {
  const [selected, setSelected] = useState("");
  const possible = offers("create_highlight") && takes("create_highlight", "document_id");

  useEffect(() => {
    const look = () => setSelected(selectedWords());
    document.addEventListener("selectionchange", look);
    return () => document.removeEventListener("selectionchange", look);
  }, []);
  useLayoutEffect(() => onShortcut({ h: possible ? () => void highlight() : undefined }), [possible, id]);

  /** Of what is selected now: a change is reported later than it is made, and `selected` follows later still. */
  async function highlight() {
    const text = selectedWords();
    if (!text) return;
    const answer = await callTool<{ id?: number | string; highlight?: { id: number | string } }>("create_highlight", {
      text,
      document_id: id,
    });
    if (!answer.ok) {
      say(plainWords(answer.error), { tone: "bad" });
      return;
    }
    getSelection()?.removeAllRanges();
    onChange();
    const made = answer.data.highlight?.id ?? answer.data.id;
    const undo = async () => {
      const removed = await callTool("delete_highlight", { id: made });
      say(removed.ok ? "The highlight is gone." : plainWords(removed.error), removed.ok ? {} : { tone: "bad" });
      onChange();
    };
    say(
      "Highlighted.",
      made !== undefined && offers("delete_highlight") ? { action: { label: "Undo", run: () => void undo() } } : {},
    );
  }

  if (!possible || !selected) return null;
  return (
    <div class="selection-bar" role="toolbar" aria-label="Selected words">
      {/* A press must not take the selection away before the click is seen. */}
      <button
        type="button"
        class="primary"
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => void highlight()}
      >
        Highlight <kbd>h</kbd>
      </button>
    </div>
  );
}

const LONGEST = 8_191;

/** The selected words of the document; none if the selection extends beyond it. */
function selectedWords(): string {
  const selection = getSelection();
  const prose = document.querySelector("article .prose");
  if (!selection || selection.isCollapsed || !prose) return "";
  if (!prose.contains(selection.anchorNode) || !prose.contains(selection.focusNode)) return "";
  const words = selection.toString().trim();
  return words.length <= LONGEST ? words : "";
}

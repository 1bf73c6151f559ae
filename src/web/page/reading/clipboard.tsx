import { useState } from "preact/hooks";
import { say } from "../notices.js";

/** Copies a text and says so; where the browser refuses, the text is shown to be copied by hand. */
export function CopyButton({ text, label, what }: { text: string | (() => string); label: string; what: string }) {
  const [byHand, setByHand] = useState<string>();
  async function copy() {
    const value = typeof text === "string" ? text : text();
    try {
      await navigator.clipboard.writeText(value);
      say(`Copied ${what}.`);
    } catch {
      setByHand(value);
    }
  }
  return (
    <>
      <button type="button" class="quiet" onClick={() => void copy()}>
        {label}
      </button>
      {byHand !== undefined && (
        <textarea class="by-hand" readOnly rows={3} aria-label={`Copy ${what} by hand`} value={byHand} />
      )}
    </>
  );
}

import { useState } from "preact/hooks";
import { say } from "../notices.js";

interface CopyButtonProps {
  text: string | (() => string);
  /** The same as rich text, for programs that accept it. */
  html?: () => string;
  label: string;
  what: string;
}

const inBothForms = (text: string, html: string) =>
  new ClipboardItem({
    "text/plain": new Blob([text], { type: "text/plain" }),
    "text/html": new Blob([html], { type: "text/html" }),
  });

/** Copies a text and confirms it; if the browser refuses, shows the text so that it can be copied by hand. */
export function CopyButton({ text, html, label, what }: CopyButtonProps) {
  const [byHand, setByHand] = useState<string>();
  async function copy() {
    const value = typeof text === "string" ? text : text();
    try {
      if (html) await navigator.clipboard.write([inBothForms(value, html())]);
      else await navigator.clipboard.writeText(value);
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

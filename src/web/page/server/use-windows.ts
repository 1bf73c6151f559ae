import { useState } from "preact/hooks";
import { type Args, callTool, type Failure } from "./connection.js";

interface TextWindow {
  text: string;
  /** The offset of the next window; null after the last. */
  next: number | null;
}

/**
 * A text that is read window by window. What was read on stays when the first window is loaded again, as after a new
 * highlight, and goes when that has another text. It may have less of the same text: highlights take room in its answer.
 */
export function useWindows<T>(first: T | undefined, windowOf: (answer: T) => TextWindow, tool: string, args: Args) {
  const [read, setRead] = useState<TextWindow>();
  const [error, setError] = useState<Failure>();
  const [loading, setLoading] = useState(false);
  const begun = first === undefined ? { text: "", next: null } : windowOf(first);
  const { text, next } = read && begun.text && read.text.startsWith(begun.text) ? read : begun;

  async function more() {
    setLoading(true);
    const answer = await callTool<T>(tool, { ...args, content_offset: next });
    setLoading(false);
    if (!answer.ok) return setError(answer.error);
    setError(undefined);
    const further = windowOf(answer.data);
    setRead({ text: text + further.text, next: further.next });
  }
  return { text, more: next === null ? undefined : more, loading, error };
}

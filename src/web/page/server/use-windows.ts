import { useState } from "preact/hooks";
import { type Args, callTool, type Failure } from "./connection.js";

interface TextWindow {
  text: string;
  /** The offset of the next window; null after the last. */
  next: number | null;
}

/**
 * A text that is read window by window. What was read on stays when the first window is loaded again, as after a new
 * highlight, and goes when that has another text.
 */
export function useWindows<T>(first: T | undefined, windowOf: (answer: T) => TextWindow, tool: string, args: Args) {
  const [rest, setRest] = useState<TextWindow & { after: string }>();
  const [error, setError] = useState<Failure>();
  const [loading, setLoading] = useState(false);
  const begun = first === undefined ? { text: "", next: null } : windowOf(first);
  const { text, next } = rest?.after === begun.text ? rest : { text: "", next: begun.next };

  async function more() {
    setLoading(true);
    const answer = await callTool<T>(tool, { ...args, content_offset: next });
    setLoading(false);
    if (!answer.ok) return setError(answer.error);
    setError(undefined);
    const read = windowOf(answer.data);
    setRest({ after: begun.text, text: text + read.text, next: read.next });
  }
  return { text: begun.text + text, more: next === null ? undefined : more, loading, error };
}

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { type Args, callTool, type Failure } from "./connection.js";
import { keys } from "./keys.js";

const additions = signal(0);
/** Something was put in: what is on the page is asked for again. */
export const askAgain = (): void => {
  additions.value++;
};

export interface Loaded<T> {
  data: T | undefined;
  error: Failure | undefined;
  loading: boolean;
  reload(): void;
}
interface State<T> {
  /** What was asked for. */
  of: string | undefined;
  data?: T | undefined;
  error?: Failure | undefined;
}

/**
 * A tool's answer, asked for again when the arguments or the keys change; what is no longer wanted is cancelled. The
 * answer to other arguments is never shown as this one's, unless `keep` says that more of the same is on its way.
 */
export function useAnswer<T>(tool: string, args: Args | undefined, { keep = false } = {}): Loaded<T> {
  const [state, setState] = useState<State<T>>({ of: undefined });
  const [round, setRound] = useState(0);
  const wanted = args === undefined ? undefined : JSON.stringify([tool, args]);
  const held = keys.value;
  const added = additions.value;
  useEffect(() => {
    if (wanted === undefined) return;
    const leaving = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    void callTool<T>(tool, args ?? {}, { signal: leaving.signal }).then((result) => {
      if (leaving.signal.aborted) return;
      setState((before) =>
        result.ok
          ? { of: wanted, data: result.data }
          : { of: wanted, data: before.of === wanted ? before.data : undefined, error: result.error },
      );
      // Where a pause is asked for, it is kept and the question asked again by itself.
      if (!result.ok && result.error.retry_after !== undefined)
        again = setTimeout(() => setRound((count) => count + 1), result.error.retry_after * 1_000);
    });
    return () => {
      leaving.abort();
      clearTimeout(again);
    };
  }, [wanted, held, added, round]);
  const mine = state.of === wanted;
  return {
    data: mine || keep ? state.data : undefined,
    error: mine ? state.error : undefined,
    loading: !mine,
    reload: () => setRound((count) => count + 1),
  };
}

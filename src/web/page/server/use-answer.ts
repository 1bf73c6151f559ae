import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { type Args, callTool, type Failure } from "./connection.js";
import { keys } from "./keys.js";

const additions = signal(0);
/** Something was added: the answers on the page are loaded again. */
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
  /** The arguments of the request. */
  of: string | undefined;
  data?: T | undefined;
  error?: Failure | undefined;
}

/**
 * A tool's answer, requested again when the arguments or the keys change; outdated requests are cancelled. The
 * answer to other arguments is never shown, except with `keep`, while more of the same list is loading.
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
      // After the pause the server asks for, the request is repeated automatically.
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

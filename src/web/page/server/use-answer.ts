import { useEffect, useRef, useState } from "preact/hooks";
import { type Args, callTool, type Failure } from "./connection.js";
import { keys } from "./keys.js";

export interface Loaded<T> {
  /** The last good answer; while another one is on its way, still the old one. */
  data: T | undefined;
  error: Failure | undefined;
  loading: boolean;
  reload(): void;
}

/** A tool's answer, asked for again when the arguments or the keys change; what is no longer wanted is cancelled. */
export function useAnswer<T>(tool: string, args: Args | undefined): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({ data: undefined, error: undefined, loading: true });
  const [round, setRound] = useState(0);
  const wanted = args === undefined ? undefined : JSON.stringify([tool, args]);
  const shown = useRef<string | undefined>(undefined);
  const held = keys.value;
  useEffect(() => {
    if (wanted === undefined) return;
    const leaving = new AbortController();
    const fresh = shown.current !== wanted;
    setState((before) => ({ data: fresh ? undefined : before.data, error: undefined, loading: true }));
    void callTool<T>(tool, args ?? {}, { signal: leaving.signal }).then((result) => {
      if (leaving.signal.aborted) return;
      shown.current = wanted;
      setState((before) =>
        result.ok
          ? { data: result.data, error: undefined, loading: false }
          : { data: before.data, error: result.error, loading: false },
      );
    });
    return () => leaving.abort();
  }, [wanted, held, round]);
  return { ...state, reload: () => setRound((count) => count + 1) };
}

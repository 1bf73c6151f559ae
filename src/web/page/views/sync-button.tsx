import { useRef, useState } from "preact/hooks";
import type { SyncSummary } from "../../../ingest/sync/summary.js";
import { plainWords } from "../reading/plain-words.js";
import { plural } from "../reading/small-print.js";
import { Problem } from "../reading/states.js";
import { callTool, type Failure, offers } from "../server/connection.js";

type State = { share?: number; words: string } | undefined;

/** Syncs Readwise highlights and Reader texts into a project, and shows the progress. */
export function SyncButton({ project, onDone }: { project: string; onDone(): void }) {
  const [state, setState] = useState<State>();
  const [done, setDone] = useState<string>();
  const [error, setError] = useState<Failure>();
  const stopping = useRef<AbortController | undefined>(undefined);
  if (!offers("sync_library")) return null;

  async function sync() {
    const own = new AbortController();
    stopping.current = own;
    setError(undefined);
    setDone(undefined);
    let added = 0;
    let changed = 0;
    let removed = 0;
    setState({ words: "Asking Readwise …" });
    for (;;) {
      const answer = await callTool<SyncSummary>(
        "sync_library",
        { project },
        {
          signal: own.signal,
          progress: ({ done: count, total, message }) =>
            setState({
              words: `${count.toLocaleString()}${total ? ` of ${total.toLocaleString()}` : ""} ${message ?? ""}`,
              ...(total ? { share: count / total } : {}),
            }),
        },
      );
      if (own.signal.aborted) return setState(undefined);
      if (!answer.ok) {
        setState(undefined);
        return setError(answer.error);
      }
      for (const counts of [answer.data.highlights, answer.data.documents]) {
        added += counts.added;
        changed += counts.updated;
        removed += counts.removed;
      }
      if (answer.data.complete) break;
      const pause = answer.data.retry_after ?? 1;
      setState({ words: `Readwise asks for a pause of ${plural(pause, "second")} …` });
      await new Promise((resolve) => setTimeout(resolve, pause * 1_000));
      if (own.signal.aborted) return setState(undefined);
    }
    setState(undefined);
    setDone(
      added + changed + removed === 0
        ? "Everything was up to date."
        : `${plural(added, "work")} added, ${changed} changed, ${removed} removed.`,
    );
    onDone();
  }

  return (
    <>
      <button type="button" class="quiet" onClick={() => void sync()} disabled={state !== undefined}>
        Sync Readwise
      </button>
      {state && (
        <span class="row" role="status">
          <progress aria-label="Sync with Readwise" {...(state.share === undefined ? {} : { value: state.share })} />
          <span class="small-print">{state.words}</span>
          <button type="button" class="quiet" onClick={() => stopping.current?.abort()}>
            Stop
          </button>
        </span>
      )}
      {done && (
        <span class="small-print" role="status">
          {done}
        </span>
      )}
      {error &&
        (error.code === "auth_error" ? (
          <Problem error={error} />
        ) : (
          <span class="field-problem">{plainWords(error)}</span>
        ))}
    </>
  );
}

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Failure } from "../server/connection.js";
import type { Loaded } from "../server/use-answer.js";
import { ConnectReadwise } from "./connect-readwise.js";
import { plainWords } from "./plain-words.js";

/** Shows an answer that is loading, failed, or complete. */
export function Awaited<T>({ answer, children }: { answer: Loaded<T>; children: (data: T) => ComponentChildren }) {
  return (
    <>
      {answer.error && <Problem error={answer.error} retry={answer.reload} byItself />}
      {answer.data !== undefined ? children(answer.data) : answer.loading && <Waiting />}
    </>
  );
}

export function Waiting() {
  return (
    <div class="waiting" aria-busy="true">
      <span class="sr-only">Loading</span>
      <i />
      <i />
      <i />
    </div>
  );
}

interface ProblemProps {
  error: Failure;
  retry?: () => void;
  /** Whether the request is repeated automatically after a pause. */
  byItself?: boolean;
}

/** What went wrong, in words for a person; the server's own message can be unfolded. */
export function Problem({ error, retry, byItself = false }: ProblemProps) {
  if (error.code === "auth_error") return <ConnectReadwise message={error.message} />;
  const words = plainWords(error);
  return (
    <div class="problem" role="alert">
      <p>
        <bdi>{words}</bdi>
      </p>
      <p class="row">
        {error.retry_after !== undefined &&
          (byItself ? <Countdown error={error} /> : <span>Try again in {error.retry_after} s.</span>)}
        {retry && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
      </p>
      {words !== error.message && (
        <details>
          <summary>Details</summary>
          <p>
            <code>{error.code}</code> <bdi>{error.message}</bdi>
          </p>
        </details>
      )}
    </div>
  );
}

function Countdown({ error }: { error: Failure }) {
  const [left, setLeft] = useState(error.retry_after ?? 0);
  useEffect(() => {
    setLeft(error.retry_after ?? 0);
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1_000);
    return () => clearInterval(timer);
  }, [error]);
  // Screen readers must not read the timer each second.
  return <span role="timer">{left > 0 ? `It is asked again in ${left} s.` : "Asking again …"}</span>;
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

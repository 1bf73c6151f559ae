import type { ComponentChildren } from "preact";
import type { Failure } from "../server/connection.js";
import { asked } from "../server/keys.js";
import type { Loaded } from "../server/use-answer.js";

/** What a view shows of an answer that is on its way, failed, or there. */
export function Awaited<T>({ answer, children }: { answer: Loaded<T>; children: (data: T) => ComponentChildren }) {
  return (
    <>
      {answer.error && <Problem error={answer.error} retry={answer.reload} />}
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

export function Problem({ error, retry }: { error: Failure; retry?: () => void }) {
  const needsKey = error.code === "auth_error";
  return (
    <div class="problem" role="alert">
      <p>
        <bdi>{error.message}</bdi>
      </p>
      <p class="row">
        <code>{error.code}</code>
        {error.retry_after !== undefined && <span>Try again in {error.retry_after} s.</span>}
        {needsKey && (
          <button
            type="button"
            onClick={() => {
              asked.value = asked.value ? { ...asked.value } : { name: "readwise", message: error.message };
            }}
          >
            Enter a key
          </button>
        )}
        {retry && !needsKey && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

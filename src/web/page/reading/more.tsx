import type { Failure } from "../server/connection.js";
import { Problem } from "./states.js";

interface MoreProps {
  label: string;
  /** The label while it is loading. */
  busy?: string;
  /** Of a list or a text that goes on; undefined at its end. */
  of: { more: (() => Promise<void>) | undefined; loading: boolean; error: Failure | undefined };
}

/** The button at the end of a list or a text that goes on. */
export function More({ label, busy = "Loading …", of: { more, loading, error } }: MoreProps) {
  if (!more) return null;
  return (
    <>
      {error && <Problem error={error} />}
      <p class="pager">
        {/* Not disabled while it loads: it would lose the focus. */}
        <button type="button" onClick={() => loading || void more()} aria-disabled={loading}>
          {loading ? busy : label}
        </button>
      </p>
    </>
  );
}

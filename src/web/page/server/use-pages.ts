import { useState } from "preact/hooks";
import { type Args, callTool, type Failure } from "./connection.js";
import { type Loaded, useAnswer } from "./use-answer.js";

export interface Paged<T> {
  results: T[];
  count: number;
  next_cursor: string | null;
}

interface Pages<T> {
  first: Loaded<Paged<T>>;
  items: T[];
  /** Loads the next page; undefined after the last. */
  more: (() => Promise<void>) | undefined;
  loading: boolean;
  /** Why the next page could not be loaded. */
  error: Failure | undefined;
}

/** A list that grows page by page, each item once. */
export function usePages<T>(tool: string, args: Args): Pages<T> {
  const first = useAnswer<Paged<T>>(tool, args, { keep: true });
  /** The pages after a first page; they belong only to that first page. */
  const [rest, setRest] = useState<{ after: Paged<T>; items: T[]; next: string | null; error?: Failure }>();
  const [loading, setLoading] = useState(false);
  const page = first.data;
  const own = rest && rest.after === page ? rest : undefined;
  const next = own ? own.next : (page?.next_cursor ?? null);

  async function more() {
    if (!page || next === null) return;
    setLoading(true);
    const answer = await callTool<Paged<T>>(tool, { ...args, cursor: next });
    setLoading(false);
    const before = own?.items ?? [];
    setRest(
      answer.ok
        ? { after: page, items: [...before, ...answer.data.results], next: answer.data.next_cursor }
        : { after: page, items: before, next, error: answer.error },
    );
  }
  return {
    first,
    items: [...(page?.results ?? []), ...(own?.items ?? [])],
    more: next === null ? undefined : more,
    loading,
    error: own?.error,
  };
}

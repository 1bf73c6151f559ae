import { plural } from "../kernel/plural.js";
import { hashOfKey } from "../shelves/readwise/cache/cache.js";
import type { MeaningStore } from "../shelves/readwise/meaning/meaning-store.js";
import { type Console, misused } from "./console.js";

interface ForgetDeps extends Console {
  store: Pick<MeaningStore, "forget">;
}

/** Forgets what is kept on disk of one Readwise key, or of all of them. */
export async function forgetCommand(
  { all, key }: { all: boolean; key: string | undefined },
  deps: ForgetDeps,
): Promise<number> {
  if (!all && !key)
    return misused(deps, "Whose? Set READWISE_API_KEY, or forget those of every key with 'bookwheel forget --all'.");
  const count = await deps.store.forget(all ? undefined : hashOfKey(key!));
  deps.print(`Forgotten: the vectors of ${plural(count, "highlight or document", "highlights and documents")}.`);
  return 0;
}

import { plural } from "../kernel/plural.js";
import { hashOfKey } from "../shelves/readwise/cache/cache.js";
import type { MeaningStore } from "../shelves/readwise/meaning/meaning-store.js";

interface ForgetDeps {
  store: Pick<MeaningStore, "forget">;
  print(line: string): void;
  complain(line: string): void;
}

/** Forgets what is kept on disk of one Readwise key, or of all of them. */
export async function forgetCommand(
  { all, key }: { all: boolean; key: string | undefined },
  { store, print, complain }: ForgetDeps,
): Promise<number> {
  if (!all && !key) {
    complain("Whose? Set READWISE_API_KEY, or forget those of every key with 'bookwheel forget --all'.");
    return 2;
  }
  const count = await store.forget(all ? undefined : hashOfKey(key!));
  print(`Forgotten: the vectors of ${plural(count, "highlight or document", "highlights and documents")}.`);
  return 0;
}

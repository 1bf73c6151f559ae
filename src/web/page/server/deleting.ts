import { signal } from "@preact/signals";
import { STAY_MS, say } from "../notices.js";
import { plainWords } from "../reading/plain-words.js";
import type { Result } from "./connection.js";

/** What was deleted on the page and is still there until the time for Undo is over. */
export const leaving = signal<ReadonlySet<string>>(new Set());

const without = (id: string) => new Set([...leaving.value].filter((other) => other !== id));

/**
 * Deletes once the time for Undo is over: the tools know no way back. A page that is closed before keeps everything.
 */
export function deleteLater(id: string, what: string, run: () => Promise<Result<unknown>>, after: () => void): void {
  leaving.value = new Set(leaving.value).add(id);
  const timer = setTimeout(async () => {
    const result = await run();
    if (!result.ok) say(`${what} could not be deleted. ${plainWords(result.error)}`, { tone: "bad" });
    await after();
    leaving.value = without(id);
  }, STAY_MS);
  say(`Deleted ${what}.`, {
    action: {
      label: "Undo",
      run: () => {
        clearTimeout(timer);
        leaving.value = without(id);
        say(`Kept ${what}.`);
      },
    },
  });
}

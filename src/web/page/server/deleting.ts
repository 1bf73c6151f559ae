import { signal } from "@preact/signals";
import { STAY_MS, say } from "../notices.js";
import { plainWords } from "../reading/plain-words.js";
import type { Result } from "./connection.js";

/** What was deleted on the page and is still there until the time for Undo is over. */
export const leaving = signal<ReadonlySet<string>>(new Set());

const CONTENTS = "contents of ";
/** Stands for what is in a notebook or project, where that stays. */
export const contentsOf = (id: string): string => CONTENTS + id;

/** Something of this name was made again. */
export const madeAgain = (id: string): void => {
  leaving.value = without(id);
};

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
    // What is gone stays hidden: a list that was loaded before still names it. What was emptied is shown again, empty.
    if (!result.ok || id.startsWith(CONTENTS)) leaving.value = without(id);
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

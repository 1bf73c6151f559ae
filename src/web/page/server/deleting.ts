import { signal } from "@preact/signals";
import { STAY_MS, say } from "../notices.js";
import { plainWords } from "../reading/plain-words.js";
import type { Result } from "./connection.js";

/** Deleted on the page, but not yet on the server: Undo is still possible. */
export const leaving = signal<ReadonlySet<string>>(new Set());

const CONTENTS = "contents of ";
/** Stands for the contents of a notebook or project that itself stays. */
export const contentsOf = (id: string): string => CONTENTS + id;

/** A notebook or project with this name was created again. */
export const madeAgain = (id: string): void => {
  leaving.value = without(id);
};

const without = (id: string) => new Set([...leaving.value].filter((other) => other !== id));

/**
 * Deletes when the time for Undo is over, because the tools cannot undo. If the page is closed before, nothing is deleted.
 */
export function deleteLater(id: string, what: string, run: () => Promise<Result<unknown>>, after: () => void): void {
  leaving.value = new Set(leaving.value).add(id);
  const timer = setTimeout(async () => {
    const result = await run();
    if (!result.ok) say(`${what} could not be deleted. ${plainWords(result.error)}`, { tone: "bad" });
    await after();
    // Deleted items stay hidden, because a list loaded before still has them. An emptied one is shown again, empty.
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

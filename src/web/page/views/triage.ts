import { useState } from "preact/hooks";
import type { ShownDocument } from "../../../shelves/readwise/schemas.js";
import { dismiss, say } from "../notices.js";
import { tagNames } from "../reading/small-print.js";
import { callTool } from "../server/connection.js";
import { addStep, dropStep, type Fields, type Place, type Step, steps } from "./triage-steps.js";

export type Location = Place | "feed";

export const LOCATIONS: readonly { name: Location; title: string }[] = [
  { name: "new", title: "Inbox" },
  { name: "later", title: "Later" },
  { name: "shortlist", title: "Shortlist" },
  { name: "archive", title: "Archive" },
  { name: "feed", title: "Feed" },
];

export interface Move {
  name: Place;
  label: string;
  key: string;
}
const MOVES: readonly Move[] = [
  { name: "archive", label: "Archive", key: "e" },
  { name: "later", label: "Later", key: "l" },
  { name: "shortlist", label: "Shortlist", key: "s" },
  { name: "new", label: "Inbox", key: "i" },
];
export const moves = (from: Location) => MOVES.filter(({ name }) => name !== from);

const titleOf = (document: ShownDocument) => document.title ?? "Untitled";

/** Whether the server made a change, once it has answered. Undo waits for it: the newest step may still be on its way. */
const pending = new WeakMap<Step, Promise<boolean>>();

/**
 * The list during triage: changed at once, restored if the server refuses, with undo for each step, also after a reload
 * of the page: a document that comes back to a list loaded without it is shown first.
 */
export function useTriage(documents: readonly ShownDocument[], location: Location) {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [changed, setChanged] = useState<ReadonlyMap<string, ShownDocument>>(new Map());

  const hide = (id: string) => setGone((before) => new Set(before).add(id));
  const show = (id: string) => setGone((before) => new Set([...before].filter((other) => other !== id)));
  const keep = (document: ShownDocument) => setChanged((before) => new Map(before).set(document.id, document));

  /** True if Reader stored the change; it may accept one and store something else. */
  async function change(id: string, fields: Fields, restore: () => void): Promise<boolean> {
    const answer = await callTool<ShownDocument & { warnings?: { message: string }[] }>("update_document", {
      id,
      ...fields,
    });
    // Written, but Readwise could not be asked how it stands now: most often its limit of requests.
    if (!answer.ok && answer.error.details?.accepted) return true;
    if (!answer.ok) {
      restore();
      say(answer.error.message, { tone: "bad" });
      return false;
    }
    keep(answer.data);
    for (const { message } of answer.data.warnings ?? []) say(message, { tone: "bad" });
    const kept = !("location" in fields) || answer.data.location === fields.location;
    if (!kept) restore();
    return kept;
  }

  /** The step can be undone from now on, also while the server still works on it. */
  async function make(done: string, step: Step, fields: Fields, restore: () => void): Promise<void> {
    const made = change(step.id, fields, restore);
    pending.set(step, made);
    addStep(step);
    if (!(await made)) dropStep(step);
    else if (steps.value.includes(step))
      step.notice = say(done, step.back ? { action: { label: "Undo", run: () => void takeBack(step) } } : {});
  }

  async function takeBack(step: Step): Promise<void> {
    const { id, title, back } = step;
    dropStep(step);
    if (step.notice !== undefined) dismiss(step.notice);
    if ((await pending.get(step)) === false) return; // nothing was changed
    if (!back) {
      say("Reader has no way to put a document back into the feed.", { tone: "bad" });
      return;
    }
    if ("location" in back) show(id);
    if (await change(id, back, () => "location" in back && hide(id))) say(`Undone: “${title}” is as it was.`);
    else addStep(step); // Readwise may have asked for a pause: it can be tried again
  }

  const listed = new Set(documents.map(({ id }) => id));
  const comeBack = [...changed.values()].filter(
    (document) => document.location === location && !listed.has(document.id),
  );
  return {
    shown: [...comeBack, ...documents]
      .filter(({ id }) => !gone.has(id))
      .map((document) => changed.get(document.id) ?? document),
    canUndo: steps.value.length > 0,
    move(document: ShownDocument, target: Place): Promise<void> {
      hide(document.id);
      const place = LOCATIONS.find(({ name }) => name === target)!.title;
      const title = titleOf(document);
      return make(
        `Moved “${title}” to ${place}.`,
        { id: document.id, title, back: location === "feed" ? undefined : { location } },
        { location: target },
        () => show(document.id),
      );
    },
    tag(document: ShownDocument, tags: string[]): Promise<void> {
      const title = titleOf(document);
      const step = { id: document.id, title, back: { tags: tagNames(document) } };
      return make(`Tagged “${title}”.`, step, { tags }, () => undefined);
    },
    undo(): void {
      const last = steps.value.at(-1);
      if (last) void takeBack(last);
    },
  };
}

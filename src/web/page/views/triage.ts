import { useState } from "preact/hooks";
import type { Document } from "../../../shelves/readwise/schemas.js";
import { dismiss, say } from "../notices.js";
import { callTool } from "../server/connection.js";

/** The locations in Reader; only subscriptions put documents into the feed. */
export type Place = "new" | "later" | "shortlist" | "archive";
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

export const tagNames = (document: Document) => Object.values(document.tags ?? {}).map(({ name }) => name);

type Fields = { location: Place } | { tags: string[] };

interface Step {
  document: Document;
  /** Restores the former state; undefined if Reader cannot. */
  back: Fields | undefined;
  done: string;
  /** The notice shown for it. */
  notice?: number;
}

/** The list during triage: changed at once, restored if the server refuses, with undo for each step. */
export function useTriage(documents: readonly Document[], location: Location) {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [changed, setChanged] = useState<ReadonlyMap<string, Document>>(new Map());
  const [steps, setSteps] = useState<readonly Step[]>([]);

  const hide = (id: string) => setGone((before) => new Set(before).add(id));
  const show = (id: string) => setGone((before) => new Set([...before].filter((other) => other !== id)));
  const keep = (document: Document) => setChanged((before) => new Map(before).set(document.id, document));

  /** True if Reader stored the change; it may accept one and store something else. */
  async function change(document: Document, fields: Fields, restore: () => void): Promise<boolean> {
    const answer = await callTool<Document & { warnings?: { message: string }[] }>("update_document", {
      id: document.id,
      ...fields,
    });
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

  function record(step: Step): void {
    setSteps((before) => [...before, step]);
    step.notice = say(step.done, step.back ? { action: { label: "Undo", run: () => void takeBack(step) } } : {});
  }

  async function takeBack(step: Step): Promise<void> {
    setSteps((before) => before.filter((other) => other !== step));
    if (step.notice !== undefined) dismiss(step.notice);
    if (!step.back) {
      say("Reader has no way to put a document back into the feed.", { tone: "bad" });
      return;
    }
    const { document } = step;
    if ("location" in step.back) show(document.id);
    if (await change(document, step.back, () => "location" in step.back! && hide(document.id)))
      say(`Undone: “${document.title ?? "Untitled"}” is as it was.`);
  }

  return {
    shown: documents.filter(({ id }) => !gone.has(id)).map((document) => changed.get(document.id) ?? document),
    canUndo: steps.length > 0,
    async move(document: Document, target: Place): Promise<void> {
      hide(document.id);
      const title = LOCATIONS.find(({ name }) => name === target)!.title;
      if (await change(document, { location: target }, () => show(document.id)))
        record({
          document,
          back: location === "feed" ? undefined : { location },
          done: `Moved “${document.title ?? "Untitled"}” to ${title}.`,
        });
    },
    async tag(document: Document, tags: string[]): Promise<void> {
      const former = tagNames(document);
      if (await change(document, { tags }, () => undefined))
        record({ document, back: { tags: former }, done: `Tagged “${document.title ?? "Untitled"}”.` });
    },
    undo(): void {
      const last = steps.at(-1);
      if (last) void takeBack(last);
    },
  };
}

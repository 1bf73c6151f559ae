import { signal } from "@preact/signals";
import { jsonOrUndefined } from "../../../kernel/json.js";

/** The locations in Reader; only subscriptions put documents into the feed. */
export type Place = "new" | "later" | "shortlist" | "archive";
export type Fields = { location: Place } | { tags: string[] };

/** A change made to a document. */
export interface Step {
  id: string;
  title: string;
  /** Restores the former state; undefined if Reader cannot. */
  back: Fields | undefined;
  /** The notice shown for it; none after a reload. */
  notice?: number;
}

const STORE = "bookwheel.triage";
const KEPT = 100;

/** The changes that can be undone, newest last. In session storage, so that a reload keeps them. */
export const steps = signal<readonly Step[]>(stored());

export function addStep(step: Step): void {
  keep([...steps.value, step].slice(-KEPT));
}

export function dropStep(step: Step): void {
  keep(steps.value.filter((other) => other !== step));
}

function keep(list: readonly Step[]): void {
  steps.value = list;
  sessionStorage.setItem(STORE, JSON.stringify(list.map(({ id, title, back }) => ({ id, title, back }))));
}

function stored(): Step[] {
  const list = jsonOrUndefined(sessionStorage.getItem(STORE) ?? "");
  return Array.isArray(list) ? list.filter((step): step is Step => typeof step?.id === "string") : [];
}

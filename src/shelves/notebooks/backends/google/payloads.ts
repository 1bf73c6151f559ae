import { type DriveFile, videoId, videoUrl } from "./links.js";
import type { Cohort } from "./rpc.js";

const nulls = (n: number): null[] => Array<null>(n).fill(null);
const FEATURES = [1, ...nulls(9), [1]];
const TEMPLATE = [2, null, null, FEATURES];

export const listParams = (): unknown => [null, 1, null, [2]];

export const getParams =
  (id: string) =>
  (cohort: Cohort): unknown => [id, null, cohort === "C" ? TEMPLATE : [2], null, 0];

export function createParams(title: string, cohort: Cohort): unknown {
  const tail = { A: [[2], [1]], B: [[2], FEATURES], C: [TEMPLATE] }[cohort];
  return [title, null, null, ...tail];
}

export const renameParams = (id: string, title: string): unknown => [id, [[null, null, null, [null, title]]]];
export const deleteParams = (id: string): unknown => [[id], [2]];
export const deleteSourceParams = (sourceId: string): unknown => [[[sourceId]], [2]];
export const textParams = (sourceId: string): unknown => [[sourceId], [2], [2]];

export function addParams(notebookId: string, spec: unknown, cohort: Cohort): unknown {
  const tail = { A: [[2], null, null], B: [[2], FEATURES], C: [TEMPLATE] }[cohort];
  return [[spec], notebookId, ...tail];
}

/** Until January 2026 a spec had 8 slots; since then 11, the last one 1. */
export function urlSpec(url: string, cohort: Cohort): unknown {
  const video = videoId(url);
  const slots = video ? [...nulls(7), [videoUrl(video)]] : [null, null, [url], ...nulls(5)];
  return cohort === "A" ? slots : [...slots, null, null, 1];
}

export function textSpec(title: string, text: string, cohort: Cohort): unknown {
  return cohort === "A" ? [null, [title, text], ...nulls(6)] : [null, [title, text], null, 2, ...nulls(6), 1];
}

interface Asking {
  notebookId: string;
  question: string;
  sourceIds: string[];
  conversationId: string;
  /** Earlier turns, newest first; empty in a new conversation. */
  turns: readonly Turn[];
}

export interface Turn {
  by: "reader" | "service";
  text: string;
}

/** The newest form of a question names the notebook; the older one leaves it to the sources. */
export function askForms({ notebookId, question, sourceIds, conversationId, turns }: Asking): unknown[] {
  const searched = sourceIds.map((id) => [[id]]);
  const history = turns.length ? turns.map(({ by, text }) => [text, null, by === "service" ? 2 : 1]) : null;
  return [
    [searched, question, history, [2, null, [1], [1]], conversationId, null, null, notebookId, 1],
    [searched, question, history, [2, null, [1]], conversationId],
  ];
}

export const turnsParams = (conversationId: string, limit: number): unknown => [[], null, null, conversationId, limit];
export const guideParams = (notebookId: string): unknown => [notebookId, [2]];

/** Drive takes the middle one of the payload tails. */
export function driveParams(notebookId: string, { id, mime }: DriveFile, title: string): unknown {
  return [[[[id, mime, 1, title], ...nulls(9), 1]], notebookId, [2], FEATURES];
}

export function registerParams(notebookId: string, name: string, cohort: Cohort): unknown {
  const tail = { A: [[2]], B: [[2], FEATURES], C: [TEMPLATE] }[cohort];
  return [[[name]], notebookId, ...tail];
}

import { randomUUID } from "node:crypto";
import type { Cohort, Faults } from "./faults.js";
import { blocks, createdRow, notebookRow, renamedRow, sourceRow } from "./rows.js";
import { look, notebook, now, type SandboxNotebook, type SandboxSource, type SandboxState, source } from "./state.js";

/** A call refused with a google.rpc status. */
export class Refused extends Error {
  constructor(readonly status: readonly unknown[]) {
    super(`status ${JSON.stringify(status)}`);
  }
}
const INVALID = [3] as const;
const MISSING = [5] as const;

export interface Call {
  state: SandboxState;
  faults: Faults;
  notebooks: SandboxNotebook[];
  /** `/notebook/{id}` or `/`, from the query. */
  sourcePath: string;
}

type Handler = (params: unknown[], call: Call) => unknown;

export const HANDLERS: Record<string, Handler> = {
  wXbhsf: (_params, { notebooks, state }) => [
    [...notebooks].sort((a, b) => b.viewed - a.viewed).map((each) => notebookRow(each, state, look(each))),
  ],

  rLM1Ne: ([id, , tail], call) => {
    const modern = isTemplate(tail);
    refuseCohort(call, modern ? ["C"] : ["A", "B"]);
    const found = find(call, id);
    found.viewed = now();
    return [notebookRow(found, call.state, look(found))];
  },

  CCqFvf: ([title, , , ...tail], call) => {
    const { state, notebooks } = call;
    refuseCohort(call, [cohortOf(tail)]);
    const created = notebook({ title: String(title) });
    notebooks.push(created);
    return createdRow(created, state);
  },

  s0tc2d: ([id, change], call) => {
    const found = find(call, id);
    const title = at(change, 0, 3, 1);
    if (typeof title === "string") found.title = title;
    return renamedRow(found, call.state);
  },

  WWINqb: ([ids], call) => {
    for (const id of list(ids)) {
      const found = find(call, id);
      call.notebooks.splice(call.notebooks.indexOf(found), 1);
    }
    return [];
  },

  izAoDd: ([specs, id, ...tail], call) => {
    const drive = list(specs).every((spec) => Array.isArray(at(spec, 0)));
    if (!drive) refuseCohort(call, [cohortOf(tail)]); // Drive keeps the older tail
    const found = find(call, id);
    const added = list(specs).map((spec) => fromSpec(spec));
    return [added.map((each) => sourceRow(add(call, found, each)))];
  },

  /** The subscription tier. Its echo of the first argument looks like a source row and is none. */
  ozz5Z: ([groups]) => [
    [[at(groups, 0, 0), [[1601, null, null, 1386, 1386, 1601, "NOTEBOOKLM_TIER_PRO_CONSUMER_USER"]]]],
  ],

  o4cbdc: ([names, id], call) => {
    const found = find(call, id);
    const name = String(at(names, 0, 0));
    const registered = source({ title: name, code: 0, text: "", status: 5 });
    found.sources.push(registered);
    return [[[[registered.id], name, [null, null, null, null, 0]]], null, [[[[registered.id]]]]];
  },

  tGMBJ: ([ids], call) => {
    for (const each of list(ids)) {
      const { owner, found } = findSource(call, at(each, 0));
      owner.sources.splice(owner.sources.indexOf(found), 1);
    }
    return [];
  },

  hizoJc: ([id], call) => {
    const { found } = findSource(call, at(id, 0));
    return [sourceRow(found), null, null, [[blocks(found.text)]]];
  },

  b7Wfje: ([, id, title], call) => {
    const { found } = findSource(call, at(id, 0));
    found.title = String(at(title, 0, 0, 0));
    return sourceRow(found);
  },

  VfAZjd: ([id], call) => {
    const found = find(call, id);
    const questions = found.sources.map((each) => [`What does ${each.title} say?`, "brief"]);
    return [[[`Notes on **${found.title}**.`], [questions], null, null, null, [questions.map(([q]) => [q, 9])]]];
  },

  tr032e: ([ids], call) => {
    const { found } = findSource(call, at(ids, 0, 0, 0));
    return [[[null, [found.text.split("\n")[0]], [["sample"]], []]]];
  },

  hPTbtc: ([, , id], call) => [[[find(call, id).conversation]]],
  khqZz: ([, , , conversation, limit], { notebooks }) => {
    const turns = notebooks.flatMap((each) => each.turns.get(String(conversation)) ?? []).reverse();
    const rows = turns.flatMap(({ question, answer, at: when }) => [
      [randomUUID(), [when, 0], 2, null, [[answer]]],
      [randomUUID(), [when, 0], 1, question],
    ]);
    return [rows.slice(0, Number(limit))];
  },
  ZwVcOc: (_params, { state }) => [[null, state.limits, [true, null, null, true, ["en"]], [[1]], [true, 1, 3, 2]]],
};

function find({ notebooks }: Call, id: unknown): SandboxNotebook {
  const found = notebooks.find((each) => each.id === id);
  if (!found) throw new Refused(MISSING);
  return found;
}

function findSource({ notebooks }: Call, id: unknown): { owner: SandboxNotebook; found: SandboxSource } {
  for (const owner of notebooks) {
    const found = owner.sources.find((each) => each.id === id);
    if (found) return { owner, found };
  }
  throw new Refused(MISSING);
}

function add({ faults }: Call, owner: SandboxNotebook, added: SandboxSource): SandboxSource {
  const plan = faults.sourcePlan ?? (added.url ? [5, 1, 2] : [2]);
  added.status = plan[0] ?? 2;
  added.plan = plan.slice(1);
  added.hidden = faults.hiddenLooks;
  owner.sources.push(added);
  return added;
}

/** Specs have 11 slots with a final 1; until January 2026 they had 8. */
function fromSpec(spec: unknown): SandboxSource {
  const slots = list(spec);
  if (slots.length !== 8 && !(slots.length === 11 && slots[10] === 1)) throw new Refused(INVALID);
  const [file, mime, , name] = list(slots[0]);
  if (typeof file === "string")
    return source({
      title: String(name ?? "A Drive document"),
      code: driveCode(mime),
      drive: file,
      text: "From Drive.",
    });
  const url = at(slots, 2, 0) ?? at(slots, 7, 0);
  if (typeof url === "string") return fromUrl(url, slots[7] != null);
  const [title, content] = list(slots[1]);
  if (typeof title !== "string" || typeof content !== "string" || !content.trim()) throw new Refused([9]);
  return source({ title, text: content, code: 4 });
}

function driveCode(mime: unknown): number {
  if (mime === "application/vnd.google-apps.document") return 1;
  return mime === "application/vnd.google-apps.presentation" ? 2 : 14;
}

function fromUrl(url: string, youtube = false): SandboxSource {
  if (!URL.canParse(url)) throw new Refused(INVALID);
  const { hostname, pathname, searchParams } = new URL(url);
  const code = youtube ? 9 : pathname.endsWith(".pdf") ? 3 : /\.(txt|md|py)$/.test(pathname) ? 4 : 5;
  const title = code === 5 ? `Page at ${hostname}${pathname}` : code === 9 ? "A video" : url;
  const video = searchParams.get("v") ?? pathname.split("/").at(-1);
  return source({
    title,
    // Videos are shown under one address, whatever form was given.
    url: code === 9 ? `https://www.youtube.com/watch?v=${video}` : url,
    code,
    text: `The page at ${hostname} speaks about ${pathname.replace(/\W+/g, " ").trim() || "itself"}.`,
  });
}

function refuseCohort({ faults, state }: Call, possible: Cohort[]): void {
  const refused = (cohort: Cohort) => faults.rejectCohorts.has(cohort) || state.generation.refused.includes(cohort);
  if (possible.every(refused)) throw new Refused(INVALID);
}

function cohortOf(tail: unknown[]): Cohort {
  if (isTemplate(tail[0])) return "C";
  return list(tail[1]).length > 1 ? "B" : "A";
}

const isTemplate = (tail: unknown): boolean => list(tail).length === 4 && list(list(tail)[3]).length === 11;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const at = (value: unknown, ...path: number[]): unknown => path.reduce((inner, i) => list(inner)[i], value);

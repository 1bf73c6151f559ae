import { signal } from "@preact/signals";
import { isObject, jsonOrUndefined } from "../../../kernel/json.js";
import { callTool, type Failure, type Result } from "../server/connection.js";
import type { DraftFinding } from "./edits.js";

const STORE = "bookwheel.draft";

interface Checked {
  text: string;
  summary: string;
  findings: readonly DraftFinding[];
  /** The total; more than `findings` while the rest is loading. */
  total: number;
  works: readonly string[];
  notSearched: readonly string[];
}
interface DraftState {
  /** The name of the file it came from. */
  name: string;
  text: string;
  /** The project it is checked against; everything if empty. */
  project: string;
  checking: boolean;
  checked?: Checked | undefined;
  error?: Failure | undefined;
}

/** The draft and its findings, kept while the tab is open, so that opening another view loses nothing. */
export const draft = signal<DraftState>({ name: "draft.md", text: "", project: "", checking: false, ...stored() });

export function changeDraft(change: Partial<DraftState>): void {
  draft.value = { ...draft.value, ...change };
  try {
    const { name, text, project } = draft.value;
    sessionStorage.setItem(STORE, JSON.stringify({ name, text, project }));
  } catch {
    // The storage is full: the draft is kept only while the page is open.
  }
}

function stored(): Partial<DraftState> {
  const value = jsonOrUndefined(sessionStorage.getItem(STORE) ?? "");
  return isObject(value) ? value : {};
}

interface Answer {
  summary: string;
  findings: DraftFinding[];
  total: number;
  next_from: number | null;
  works: string[];
  not_searched: string[];
}

let running: AbortController | undefined;

export function stopChecking(): void {
  running?.abort();
  changeDraft({ checking: false });
}

/** Checks the text; the worst findings come first and are shown while the rest is loading. */
export async function checkDraft(): Promise<void> {
  running?.abort();
  const own = new AbortController();
  running = own;
  const { text, project } = draft.value;
  changeDraft({ checking: true, checked: undefined, error: undefined });
  const findings: DraftFinding[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const answer: Result<Answer> = await callTool<Answer>(
      "check_draft",
      { text, show: "edits", from, ...(project ? { project } : {}) },
      { signal: own.signal },
    );
    if (own.signal.aborted) return;
    if (!answer.ok) return changeDraft({ checking: false, error: answer.error });
    const page: Answer = answer.data;
    const { summary, total, works, not_searched: notSearched } = page;
    findings.push(...page.findings);
    changeDraft({ checked: { text, summary, total, works, notSearched, findings: [...findings] } });
    from = page.next_from;
  }
  changeDraft({ checking: false });
}

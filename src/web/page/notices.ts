import { signal } from "@preact/signals";

interface Notice {
  id: number;
  text: string;
  tone: "plain" | "bad";
  action?: { label: string; run(): void };
}

export const notices = signal<readonly Notice[]>([]);
export const STAY_MS = 8_000;
let count = 0;

/** A line at the foot of the page, read out by screen readers, gone after a while; two at most. */
export function say(text: string, { tone = "plain", action }: Partial<Pick<Notice, "tone" | "action">> = {}): number {
  const id = ++count;
  notices.value = [...notices.value.slice(-1), { id, text, tone, ...(action ? { action } : {}) }];
  setTimeout(() => dismiss(id), STAY_MS);
  return id;
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

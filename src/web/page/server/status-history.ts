import { signal } from "@preact/signals";
import { readDoor } from "./connection.js";
import { parseMetrics, type Sample } from "./metrics.js";

export interface Snapshot {
  at: number;
  samples: Sample[];
}
export interface Ready {
  ready: boolean;
  checks: Record<string, string>;
}

const KEPT = 90;

/** Snapshots of the server's metrics since the page was opened. */
export const statusHistory = signal<{ snapshots: readonly Snapshot[]; ready?: Ready; problem?: string }>({
  snapshots: [],
});

export async function readStatus(): Promise<void> {
  if (document.hidden) return;
  const { snapshots } = statusHistory.value;
  try {
    const [health, metrics] = await Promise.all([readDoor("ready"), readDoor("metrics")]);
    const ready = JSON.parse(health.text) as Ready;
    if (metrics.status === 200)
      statusHistory.value = {
        snapshots: [...snapshots.slice(1 - KEPT), { at: Date.now(), samples: parseMetrics(metrics.text) }],
        ready,
      };
    else statusHistory.value = { snapshots, ready, problem: "The metrics need the server's token on this address." };
  } catch {
    statusHistory.value = { ...statusHistory.value, problem: "The server does not answer." };
  }
}

/** A first snapshot when the page opens, for later ones to compare with; only if the metrics need no token. */
export function readStatusEarly(): void {
  if (/^(localhost|127\..*|\[::1\])$/.test(location.hostname)) void readStatus();
}

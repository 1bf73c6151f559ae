import { signal } from "@preact/signals";
import { readDoor } from "./connection.js";
import { parseMetrics, type Sample } from "./metrics.js";

export interface Look {
  at: number;
  samples: Sample[];
}
export interface Ready {
  ready: boolean;
  checks: Record<string, string>;
}

const KEPT = 90;

/** What was seen of the server's figures since the page was opened. */
export const looked = signal<{ looks: readonly Look[]; ready?: Ready; problem?: string }>({ looks: [] });

export async function look(): Promise<void> {
  if (document.hidden) return;
  const { looks } = looked.value;
  try {
    const [health, metrics] = await Promise.all([readDoor("ready"), readDoor("metrics")]);
    const ready = JSON.parse(health.text) as Ready;
    if (metrics.status === 200)
      looked.value = {
        looks: [...looks.slice(1 - KEPT), { at: Date.now(), samples: parseMetrics(metrics.text) }],
        ready,
      };
    else looked.value = { looks, ready, problem: "The metrics need the server's token on this address." };
  } catch {
    looked.value = { ...looked.value, problem: "The server does not answer." };
  }
}

/** A first look when the page opens, so that the figures have something to compare with; only where they are open to all. */
export function lookEarly(): void {
  if (/^(localhost|127\..*|\[::1\])$/.test(location.hostname)) void look();
}

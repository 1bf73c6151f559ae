export interface Window {
  seconds: number;
  calls: number;
  p50: number;
  p99: number;
  rssMib: number;
  handles: number;
}
export interface Trend {
  level: number;
  growth: number;
  noise: number;
  flat: boolean;
}
export interface Verdict {
  calls: number;
  rss: Trend;
  handles: Trend;
  p99: { first: number; second: number; stable: boolean };
}
export const HEAPS: Record<"image" | "unit", string>;
export function verdict(windows: readonly Window[]): Verdict;
export function soak(options: {
  minutes: number;
  callers?: number;
  heap?: "image" | "unit";
  hostile?: boolean;
  onWindow?: (window: Window) => void;
}): Promise<Verdict & { windows: Window[]; attacks: number; failures: [what: string, times: number][] }>;

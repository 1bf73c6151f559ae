export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const LABEL = /(?:^|,)(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Parses the part of the Prometheus text format that this server writes. */
export function parseMetrics(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const parts = line.startsWith("#") ? null : LINE.exec(line);
    if (!parts) return [];
    const labels = Object.fromEntries([...(parts[2] ?? "").matchAll(LABEL)].map(([, key, value]) => [key, value]));
    return [{ name: parts[1]!, labels, value: Number(parts[3]) }];
  });
}

export function total(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number {
  return samples
    .filter(
      (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
}

interface Latency {
  label: string;
  count: number;
  /** Calls in each bucket, from fast to slow, with the bucket's upper bound in seconds. */
  buckets: { upTo: number; count: number }[];
  p50: number;
  p95: number;
}

/** One histogram per label value, busiest first; a quantile is the upper bound of its bucket, not an interpolation. */
export function latencies(samples: readonly Sample[], name: string, label: string): Latency[] {
  const byLabel = new Map<string, { upTo: number; cumulative: number }[]>();
  for (const sample of samples) {
    const of = sample.labels[label];
    if (sample.name !== `${name}_bucket` || of === undefined) continue;
    const list = byLabel.get(of) ?? [];
    list.push({
      upTo: sample.labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(sample.labels.le),
      cumulative: sample.value,
    });
    byLabel.set(of, list);
  }
  return [...byLabel]
    .map(([of, list]) => {
      list.sort((a, b) => a.upTo - b.upTo);
      const count = list.at(-1)?.cumulative ?? 0;
      const quantile = (share: number) => list.find(({ cumulative }) => cumulative >= count * share)?.upTo ?? 0;
      return {
        label: of,
        count,
        buckets: list.map(({ upTo, cumulative }, index) => ({
          upTo,
          count: cumulative - (list[index - 1]?.cumulative ?? 0),
        })),
        p50: quantile(0.5),
        p95: quantile(0.95),
      };
    })
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

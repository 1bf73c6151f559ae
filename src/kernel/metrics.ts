import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Numbers in Prometheus form. Labels are tool names, codes and endpoints: never keys, queries or document text. */
export interface Metrics {
  call(event: { tool: string; ms: number; code: string }): void;
  upstream(event: { endpoint: string; status: number; ms: number }): void;
  cache(event: { result: "hit" | "miss" | "shared" }): void;
  /** Read when the page is asked for, so that nothing is kept twice. */
  gauge(name: string, help: string, read: () => number): void;
  text(): Promise<string>;
  readonly contentType: string;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const calls = new Counter({
    name: "bookwheel_tool_calls_total",
    help: "Tool calls.",
    labelNames: ["tool"],
    registers,
  });
  const errors = new Counter({
    name: "bookwheel_tool_errors_total",
    help: "Tool calls that ended in an error, by code.",
    labelNames: ["tool", "code"],
    registers,
  });
  const latency = new Histogram({
    name: "bookwheel_tool_duration_seconds",
    help: "Time of a tool call.",
    labelNames: ["tool"],
    buckets: SECONDS,
    registers,
  });
  const upstreamLatency = new Histogram({
    name: "bookwheel_upstream_duration_seconds",
    help: "Time of a request to an upstream service.",
    labelNames: ["endpoint"],
    buckets: SECONDS,
    registers,
  });
  const upstreamRequests = new Counter({
    name: "bookwheel_upstream_requests_total",
    help: "Requests to an upstream service, by status.",
    labelNames: ["endpoint", "status"],
    registers,
  });
  const throttled = new Counter({
    name: "bookwheel_upstream_throttled_total",
    help: "429 answers of an upstream service.",
    labelNames: ["endpoint"],
    registers,
  });
  const cache = new Counter({
    name: "bookwheel_cache_requests_total",
    help: "Cache look-ups by result.",
    labelNames: ["result"],
    registers,
  });
  return {
    call({ tool, ms, code }) {
      calls.inc({ tool });
      latency.observe({ tool }, ms / 1000);
      if (code !== "ok") errors.inc({ tool, code });
    },
    upstream({ endpoint, status, ms }) {
      upstreamLatency.observe({ endpoint }, ms / 1000);
      upstreamRequests.inc({ endpoint, status: String(status) });
      if (status === 429) throttled.inc({ endpoint });
    },
    cache({ result }) {
      cache.inc({ result });
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

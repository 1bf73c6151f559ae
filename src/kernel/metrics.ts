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
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const seconds = (name: string, help: string, label: string) =>
    new Histogram({ name, help, labelNames: [label], buckets: SECONDS, registers });
  const calls = counter("bookwheel_tool_calls_total", "Tool calls.", "tool");
  const errors = counter("bookwheel_tool_errors_total", "Tool calls that ended in an error, by code.", "tool", "code");
  const latency = seconds("bookwheel_tool_duration_seconds", "Time of a tool call.", "tool");
  const upstreamLatency = seconds(
    "bookwheel_upstream_duration_seconds",
    "Time of a request to an upstream service.",
    "endpoint",
  );
  const upstreamRequests = counter(
    "bookwheel_upstream_requests_total",
    "Requests to an upstream service, by status.",
    "endpoint",
    "status",
  );
  const throttled = counter("bookwheel_upstream_throttled_total", "429 answers of an upstream service.", "endpoint");
  const cache = counter("bookwheel_cache_requests_total", "Cache look-ups by result.", "result");
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

import { expect, it } from "vitest";
import { createMetrics } from "../../../kernel/metrics.js";
import { latencies, parseMetrics, total } from "./metrics.js";

it("the server's metrics are read as it writes them", async () => {
  const metrics = createMetrics();
  for (const ms of [0.5, 3, 3, 40]) metrics.call({ tool: "ask", ms, code: "ok" });
  metrics.call({ tool: "cite", ms: 1, code: "NOT_FOUND" });
  metrics.cache({ result: "hit" });
  metrics.upstream({ endpoint: "v2/books", status: 429, ms: 12 });
  const samples = parseMetrics(await metrics.text());

  expect(total(samples, "bookwheel_tool_calls_total")).toBe(5);
  expect(total(samples, "bookwheel_tool_calls_total", { tool: "ask" })).toBe(4);
  expect(total(samples, "bookwheel_tool_errors_total", { code: "NOT_FOUND" })).toBe(1);
  expect(total(samples, "bookwheel_upstream_throttled_total", { endpoint: "v2/books" })).toBe(1);
  const [ask] = latencies(samples, "bookwheel_tool_duration_seconds", "tool");
  expect(ask).toMatchObject({ label: "ask", count: 4, p50: 0.005, p95: 0.05 });
  expect(ask!.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(4);
});

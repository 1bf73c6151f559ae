import type { Metrics } from "./metrics.js";

/** No-op metrics, for commands that serve none: prom-client is not even loaded. */
export const noMetrics: Metrics = {
  call() {},
  upstream() {},
  cache() {},
  gauge() {},
  text: async () => "",
  contentType: "text/plain",
};

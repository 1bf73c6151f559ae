import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { usualMs } from "../timeouts.js";

export const healthCheck = defineTool({
  name: "health_check",
  title: "Check the notebooks",
  description: "Whether notebooks can be read and asked right now; where not, error says what to do.",
  profiles: ["notebooks"],
  annotations: readOnly,
  timeoutMs: usualMs("health_check"),
  input: z.object({}),
  output: z.object({
    status: z.enum(["healthy", "degraded", "unhealthy"]),
    authenticated: z.boolean(),
    latency_ms: z.int(),
    browser_ok: z.boolean(),
    error: z.string().nullable(),
    backend: z.enum(["local", "google"]),
    details: z.record(z.string(), z.unknown()),
  }),
  run: (_input, { notebooks, signal }) => notebooks.health(signal),
});

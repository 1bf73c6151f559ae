import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { ShownReviewHighlight } from "../schemas.js";

export const getDailyReview = defineTool({
  name: "get_daily_review",
  title: "Get the daily review",
  description: "The highlights Readwise picked for today's review, with the address to do it at.",
  profiles: ["readwise"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({}),
  output: z.object({
    review_id: z.int().nullable(),
    review_url: z.string().nullable(),
    review_completed: z.boolean().nullable(),
    highlights: z.array(ShownReviewHighlight),
  }),
  run: (_input, { readwise, signal }) => readwise.highlights.dailyReview(signal),
});

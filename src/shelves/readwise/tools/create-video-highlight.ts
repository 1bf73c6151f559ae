import { z } from "zod";
import { additive, defineTool, openWorld } from "../../../catalog/define-tool.js";
import { DocumentId, HighlightText, NewHighlightAnswer, Note } from "../schemas.js";

export const createVideoHighlight = defineTool({
  name: "create_video_highlight",
  title: "Highlight a video",
  description:
    "Adds a highlight at a moment of a Reader video: inside it where the text stands in its transcript, else in Readwise (kept_in).",
  profiles: ["video", "reader", "write"],
  annotations: openWorld(additive),
  timeoutMs: 90_000,
  input: z
    .object({
      id: DocumentId,
      text: HighlightText.describe("What is said there"),
      timestamp: z.number().min(0).max(10_000_000).describe("Seconds"),
      end_timestamp: z.number().min(0).max(10_000_000).optional().describe("Seconds"),
      note: Note.describe("Note"),
    })
    .superRefine(({ timestamp, end_timestamp }, ctx) => {
      if (end_timestamp !== undefined && end_timestamp < timestamp)
        ctx.addIssue({ code: "custom", path: ["end_timestamp"], message: "must not be before timestamp" });
    }),
  output: NewHighlightAnswer.extend({
    document_id: z.string(),
    timestamp: z.number(),
    end_timestamp: z.number().nullable(),
    timestamps_kept_in: z.string(),
  }),
  run: (input, { readwise, signal }) => readwise.videos.createVideoHighlight(input, signal),
});

import { z } from "zod";
import { defineTool, idempotent, openWorld } from "../../../catalog/define-tool.js";
import { DocumentId } from "../schemas.js";

export const updateVideoPosition = defineTool({
  name: "update_video_position",
  title: "Set a video's position",
  description: "Sets how far a video was watched, and checks; not_persisted where Reader did not keep it.",
  profiles: ["video", "reader", "write"],
  annotations: openWorld(idempotent),
  timeoutMs: 90_000,
  input: z.object({
    id: DocumentId,
    position: z.number().min(0).describe("Seconds, or a fraction without duration"),
    duration: z.number().min(0).optional().describe("Length in seconds"),
  }),
  output: z.object({ reading_progress: z.number() }),
  run: (input, { readwise, signal }) => readwise.videos.updateVideoPosition(input, signal),
});

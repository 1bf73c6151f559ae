import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { DocumentId } from "../schemas.js";

export const getVideoPosition = defineTool({
  name: "get_video_position",
  title: "Get a video's position",
  description:
    "How far a video was watched, as a fraction from 0 to 1, and when it was last opened. Reader gives no seconds.",
  profiles: ["video", "reader"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({ id: DocumentId }),
  output: z.object({ reading_progress: z.number(), last_opened_at: z.string().nullable() }),
  run: ({ id }, { readwise, signal }) => readwise.videos.videoPosition(id, signal),
});

import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { ContentMaxChars, ContentOffset, DocumentId, ShownDocument } from "../schemas.js";

export const getVideo = defineTool({
  name: "get_video",
  title: "Get a video",
  description:
    "One Reader video with its transcript, lines with times as [m:ss], a window at a time; transcript is null where Reader has none.",
  profiles: ["video", "reader"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({
    id: DocumentId,
    content_offset: ContentOffset,
    content_max_chars: ContentMaxChars,
    from_seconds: z.number().min(0).optional().describe("Only from here"),
    to_seconds: z.number().min(0).optional().describe("Only to here"),
  }),
  output: ShownDocument.extend({
    transcript: z.string().nullable(),
    content_length: z.int(),
    truncated: z.boolean(),
    next_content_offset: z.int().nullable().optional(),
    hint: z.string().optional(),
  }),
  run: (query, { readwise, budget, signal }) => readwise.videos.video(query, budget, signal),
});

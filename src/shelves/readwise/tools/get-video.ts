import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { ContentMaxChars, ContentOffset, DocumentId, ShownDocument } from "../schemas.js";

export const getVideo = defineTool({
  name: "get_video",
  title: "Get a video",
  description:
    "One Reader video with its transcript as text, a window at a time; transcript is null where Reader has none.",
  profiles: ["video", "reader"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({ id: DocumentId, content_offset: ContentOffset, content_max_chars: ContentMaxChars }),
  output: ShownDocument.extend({
    transcript: z.string().nullable(),
    content_length: z.int(),
    truncated: z.boolean(),
    next_content_offset: z.int().nullable().optional(),
    hint: z.string().optional(),
  }),
  run: (query, { readwise, budget, signal }) => readwise.video(query, budget, signal),
});

import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { Cursor, DocumentPage, Location } from "../schemas.js";

export const listVideos = defineTool({
  name: "list_videos",
  title: "List Reader videos",
  description: "Videos in Reader, newest first. next_cursor leads on.",
  profiles: ["video", "reader"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({
    location: Location,
    limit: z.int().min(1).max(100).default(50).describe("Most results"),
    cursor: Cursor,
  }),
  output: DocumentPage,
  run: (query, { readwise, signal }) => readwise.listVideos(query, signal),
});

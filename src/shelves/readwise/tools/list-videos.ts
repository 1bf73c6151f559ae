import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { DocumentPage, Fields, Limit, Location, SameDocumentFilter } from "../schemas.js";

export const listVideos = defineTool({
  name: "list_videos",
  title: "List Reader videos",
  description:
    "Videos in Reader, also those that came with a subscription (category rss). listening_time is the length.",
  profiles: ["video", "reader"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({
    location: Location,
    limit: Limit(25, 100),
    filter: SameDocumentFilter,
    fields: Fields,
  }),
  output: DocumentPage,
  list: "results",
  run: (query, { readwise, cursor, signal }) => readwise.videos.listVideos(query, cursor, signal),
});

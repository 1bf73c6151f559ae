import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { ReaderTag } from "../schemas.js";

export const listReaderTags = defineTool({
  name: "list_reader_tags",
  title: "List Reader tags",
  description: "All tags in Reader, each with its key (for filters) and name.",
  profiles: ["reader"],
  annotations: openWorld(readOnly),
  timeoutMs: 120_000,
  input: z.object({}),
  output: z.object({ tags: z.array(ReaderTag), count: z.int(), truncated: z.boolean() }),
  list: "tags",
  run: (_input, { readwise, signal }) => readwise.documents.readerTags(signal),
});

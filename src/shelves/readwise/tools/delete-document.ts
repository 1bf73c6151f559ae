import { z } from "zod";
import { defineTool, destructive, openWorld } from "../../../catalog/define-tool.js";
import { DocumentId } from "../schemas.js";

export const deleteDocument = defineTool({
  name: "delete_document",
  title: "Delete a Reader document",
  description: "Deletes a Reader document for good, its Reader highlights with it.",
  profiles: ["destructive", "reader"],
  annotations: openWorld(destructive),
  timeoutMs: 60_000,
  input: z.object({ id: DocumentId }),
  output: z.object({ deleted: z.literal(true) }),
  run: ({ id }, { readwise, signal }) => readwise.writing.deleteDocument(id, signal),
});

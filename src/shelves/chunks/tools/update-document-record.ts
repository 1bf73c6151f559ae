import { z } from "zod";
import { defineTool, destructive } from "../../../catalog/define-tool.js";
import { DocumentRecord, ProjectId } from "../schemas.js";

const Words = z.string().trim().min(1).max(2_000).optional();

export const updateDocumentRecord = defineTool({
  name: "update_document_record",
  title: "Correct a document's record",
  description:
    "Correct what is known about a work of a project, for citations; kept when its file is read again. Answers with the record and where each field came from.",
  profiles: ["chunks"],
  annotations: destructive,
  timeoutMs: 30_000,

  input: z
    .object({
      project: ProjectId,
      source: z.string().min(1).max(2_000).describe("Citekey, document id or title"),
      title: Words.describe("Title"),
      author: Words.describe("Names; ; between"),
      translator: Words.describe("Likewise"),
      year: z.int().min(-3000).max(3000).meta({ unsaid: true }).optional().describe("First published"),
      publisher: Words.describe("Publisher"),
      key: Words.describe("New citekey; the old one still works"),
    })
    .refine(({ project: _project, source: _source, ...change }) => Object.keys(change).length > 0, {
      path: ["source"],
      message: "nothing to correct: give title, author, translator, year, publisher or key",
    }),

  output: z.object({ project: z.string(), documents: z.array(DocumentRecord) }),

  run: ({ project, source, ...change }, { records }) => records.update(project, source, change),
});

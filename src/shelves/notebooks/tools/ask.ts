import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { text } from "../../../catalog/fields.js";
import { Answer, NotebookId } from "../schemas.js";
import { usualMs } from "../timeouts.js";

export const ask = defineTool({
  name: "ask",
  title: "Ask a notebook",
  description:
    "Answer a question from one notebook's sources. Marks [n] in the answer name citations with verbatim excerpts; low confidence may mean the sources do not answer it.",
  profiles: ["notebooks"],
  annotations: openWorld(readOnly),
  timeoutMs: usualMs("ask"),
  tooBig: { question: "QUESTION_TOO_LONG" },
  input: z.object({
    notebook_id: NotebookId.describe("From list_notebooks, or a project"),
    question: text({ min: 1, max: 10_000 }).describe("In plain words"),
    include_citations: z.boolean().default(true).describe("With citations"),
    conversation_id: z.string().max(200).optional().describe("From the answer before, for a follow-up question"),
  }),
  output: Answer,
  run: ({ notebook_id, question, include_citations, conversation_id }, { notebooks, signal }) =>
    notebooks.ask(
      notebook_id,
      { question, includeCitations: include_citations, conversationId: conversation_id },
      signal,
    ),
});

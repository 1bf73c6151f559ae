import { z } from "zod";
import { additive, defineTool, openWorld } from "../../../catalog/define-tool.js";
import { AnyCategory, atMost, SaveLocation, Tags, Warnings, WebAddress } from "../schemas.js";

export const saveDocument = defineTool({
  name: "save_document",
  title: "Save a page to Reader",
  description:
    "Saves a web page to Reader. created is false where Reader already had it. warnings name what Reader did not keep as asked.",
  profiles: ["write", "reader"],
  annotations: openWorld(additive),
  timeoutMs: 90_000,
  input: z.object({
    url: WebAddress,
    title: atMost(2000).optional().describe("Title"),
    author: atMost(1024).optional().describe("Author"),
    summary: atMost(20_000).optional().describe("Summary"),
    tags: Tags.describe("Tag names"),
    location: SaveLocation,
    category: AnyCategory,
  }),
  output: z.object({ id: z.string(), url: z.string(), created: z.boolean(), warnings: Warnings }),
  run: (document, { readwise, signal }) => readwise.writing.saveDocument(document, signal),
});

import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { LOCALES, STYLE_NAMES } from "../../../citations/style.js";
import { ProjectId } from "../schemas.js";

export const cite = defineTool({
  name: "cite",
  title: "Cite sources",
  description: "Write the citation of sources, and their bibliography on request. Unknown citekeys are named.",
  profiles: ["chunks"],
  annotations: readOnly,
  timeoutMs: 15_000,

  input: z.object({
    project: ProjectId,
    sources: z.array(z.string().max(2_000)).min(1).max(100).describe("'key' or 'key, pp. 45-46'"),
    style: z
      .enum(["pandoc", "latex", ...STYLE_NAMES])
      .default("pandoc")
      .describe("Syntax or CSL style"),
    format: z.enum(["text", "html"]).default("text").describe("Output"),
    locale: z.enum(LOCALES).default("en-US").describe("Language"),
    bibliography: z.enum(["none", "formatted", "bibtex", "csl-json", "ris"]).default("none").describe("Of these"),
  }),

  output: z.object({
    citation: z.string(),
    bibliography: z.string().nullable(),
    incomplete: z.array(z.object({ citekey: z.string(), missing: z.array(z.string()) })),
  }),

  run: ({ project, ...request }, { citations, signal }) => citations.cite(project, { ...request, signal }),
});

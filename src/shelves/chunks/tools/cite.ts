import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { LOCALES, STYLE_NAMES } from "../../../citations/style.js";
import { SearchedProjects } from "../schemas.js";

export const cite = defineTool({
  name: "cite",
  title: "Cite sources",
  description:
    "Cite sources of projects, notebooks and highlights, with their bibliography on request; or everything cited since a time. Names what is not found or looks wrong.",
  profiles: ["chunks"],
  annotations: openWorld(readOnly),
  timeoutMs: 30_000,

  input: z
    .object({
      project: SearchedProjects,
      sources: z
        .array(z.string().max(2_000))
        .max(100)
        .default([])
        .describe("'key, pp. 45-46', 'key, ch. 3'; or a title or author"),
      since: z
        .string()
        .max(40)
        .refine((value) => !Number.isNaN(Date.parse(value)), "must be an ISO 8601 date or time")
        .optional()
        .describe("ISO 8601; all cited since"),
      style: z
        .enum(["pandoc", "latex", ...STYLE_NAMES])
        .default("pandoc")
        .describe("Syntax or style"),
      each: z.boolean().default(false).describe("One citation per source"),
      format: z.enum(["text", "html"]).default("text").describe("Output"),
      locale: z.enum(LOCALES).default("en-US").describe("Language"),
      bibliography: z
        .enum(["none", "formatted", "bibtex", "csl-json", "ris"])
        .default("none")
        .describe("Of the sources"),
    })
    .refine(({ sources, since }) => sources.length > 0 || since !== undefined, {
      path: ["sources"],
      message: "name at least one source, or give since",
    }),

  output: z.object({
    citation: z.string(),
    citations: z.array(z.object({ source: z.string(), citation: z.string() })).optional(),
    bibliography: z.string().nullable(),
    incomplete: z.array(z.object({ citekey: z.string(), missing: z.array(z.string()) })),
    suspicious: z.array(z.object({ citekey: z.string(), field: z.string(), value: z.string(), why: z.string() })),
    not_found: z.array(z.object({ source: z.string(), near: z.array(z.string()) })),
  }),

  run: ({ project, since, ...request }, { citations, readwise, signal }) =>
    citations.cite(project, {
      ...request,
      since: since === undefined ? undefined : new Date(since),
      readwise: readwise.quoting,
      signal,
    }),
});

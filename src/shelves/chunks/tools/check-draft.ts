import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { text } from "../../../catalog/fields.js";
import { draftAnswer } from "../../../citations/draft/answer.js";
import { Searched, SearchedProjects } from "../schemas.js";

const Finding = z.object({
  line: z.int(),
  kind: z.enum(["quotation", "citation", "list", "claim"]),
  verdict: z.string(),
  severity: z.enum(["error", "warning", "info", "ok"]),
  text: z.string(),
  cited: z.string().optional(),
  work: z
    .object({
      citekey: z.string().optional(),
      author: z.string().optional(),
      title: z.string().optional(),
      url: z.string().optional(),
    })
    .optional(),
  page: z.string().optional(),
  wording: z.string().optional().describe("True wording"),
  marked: z.string().optional(),
  also: z.array(z.string()).optional(),
  cite: z.string().optional(),
  passages: z
    .array(z.object({ text: z.string(), page: z.string().optional(), chunk_id: z.string().optional() }))
    .optional(),
  missing: z.array(z.string()).optional(),
  next: z.string().optional(),
  span: z.tuple([z.int(), z.int()]).optional(),
  edits: z.array(z.object({ start: z.int(), end: z.int(), text: z.string() })).optional(),
  source: z
    .object({
      project: z.string().optional(),
      doc_id: z.string().optional(),
      chunk_id: z.string().optional(),
      start: z.int().optional(),
      end: z.int().optional(),
      source_id: z.int().optional(),
    })
    .optional(),
});

export const checkDraft = defineTool({
  name: "check_draft",
  title: "Check a draft against its sources",
  description:
    "Check every quotation and citation of a text: altered, misattributed, stitched, absent, wrong page, uncited, unknown, unlisted. Findings have the true wording, work, page and next step; cited claims the nearest passages, as evidence.",
  profiles: ["chunks"],
  annotations: openWorld(readOnly),
  timeoutMs: 300_000,

  input: z.object({
    text: text({ min: 1, max: 500_000 }).describe("Markdown, LaTeX or plain text"),
    project: SearchedProjects,
    show: z.enum(["problems", "all", "edits"]).default("problems").describe("edits: all, with offsets"),
    claims: z.boolean().default(true).describe("Evidence too"),
    from: z.int().min(0).default(0).describe("next_from"),
  }),

  output: z.object({
    summary: z.string(),
    ok: z.boolean(),
    findings: z.array(Finding),
    total: z.int(),
    next_from: z.int().nullable(),
    works: z.array(z.string()).describe("Citekeys cited"),
    searched: Searched,
    not_searched: z.array(z.string()),
  }),

  async run({ text: draft, project, claims, ...shown }, { drafts, readwise, signal, progress }) {
    const report = await drafts.check(draft, {
      projects: project,
      claims,
      again: shown.from > 0,
      readwise: readwise.quoting,
      signal,
      progress: (done, total) => progress(done, total, "quotations checked"),
    });
    return draftAnswer(report, shown);
  },
});

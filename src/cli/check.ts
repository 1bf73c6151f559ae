import { writeFile } from "node:fs/promises";
import { namedBibliographies, worksOfBibliography } from "../citations/draft/bibliography-works.js";
import type { DraftReport } from "../citations/draft/check.js";
import type { Drafts } from "../citations/draft/drafts.js";
import { isWrong } from "../citations/draft/finding.js";
import { asHtml } from "../citations/draft/reports/html-report.js";
import { asSarif } from "../citations/draft/reports/sarif.js";
import { reportLines } from "../citations/draft/reports/text-report.js";
import type { Highlights } from "../citations/quote-session.js";
import { plural } from "../kernel/plural.js";
import { type Console, misused, progressBar } from "./console.js";
import { type DraftFile, existing, fixDraft, readDraft } from "./draft-files.js";

export interface CheckRequest {
  positionals: readonly string[];
  projects?: readonly string[] | undefined;
  /** Bibliography files; those a draft names itself if left out. */
  bibliographies?: readonly string[] | undefined;
  claims?: boolean;
  all?: boolean;
  json?: boolean;
  fix?: boolean;
  yes?: boolean;
  sarif?: string | undefined;
  html?: string | undefined;
}

export interface CheckDeps extends Console {
  drafts: Pick<Drafts, "check">;
  readwise?: Highlights | undefined;
  version: string;
}

interface Checked extends DraftFile {
  report: DraftReport;
}

/** `bookwheel check DRAFT…`: exit code 0 if everything is right, 1 if something is wrong, 2 for wrong usage. */
export async function checkCommand(request: CheckRequest, deps: CheckDeps): Promise<number> {
  const { print } = deps;
  if (request.positionals.length === 0)
    return misused(deps, "Which draft? For example: bookwheel check essay.md --bib refs.bib --sources ~/papers");
  const checked: Checked[] = [];
  for (const file of request.positionals) checked.push(await checkFile(file, request, deps));
  if (request.json)
    print(JSON.stringify({ drafts: checked.map(({ file, report }) => ({ file, ...report })) }, null, 2));
  else
    for (const { file, report } of checked)
      for (const line of reportLines(file, report, request.all === true)) print(line);

  if (request.sarif) await writeFile(request.sarif, asSarif(checked, deps.version));
  if (request.html) await writeFile(request.html, asHtml(checked, new Date()));
  const fixed = request.fix ? await fixAll(checked, request, deps) : new Set<string>();
  const isLeft = ({ file, report }: Checked) =>
    report.findings.some((finding) => isWrong(finding) && !(fixed.has(file) && finding.edits));
  return checked.some(isLeft) ? 1 : 0;
}

/** The bibliographies that drafts name themselves, as far as they are there. */
export async function namedIn(files: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const file of files)
    for (const path of existing(namedBibliographies((await readDraft(file)).text), file)) found.add(path);
  return [...found];
}

async function checkFile(file: string, request: CheckRequest, deps: CheckDeps): Promise<Checked> {
  const draft = await readDraft(file);
  const files = request.bibliographies ?? existing(namedBibliographies(draft.text), file);
  const { works, problems } = await worksOfBibliography(files);
  for (const problem of problems) deps.complain(problem);
  const bar = progressBar(deps.terminal);
  const report = await deps.drafts
    .check(draft.text, {
      projects: request.projects,
      claims: request.claims,
      readwise: deps.readwise,
      bibliography: works,
      format: draft.kind === "docx" ? "markdown" : undefined,
      signal: deps.signal,
      progress: (done, total) => bar.show(done, total, file),
    })
    .finally(bar.clear);
  return { ...draft, report: draft.kind === "docx" ? byParagraph(report) : report };
}

/** A Word document has no lines: what is counted is its paragraphs, two lines of the text each. */
function byParagraph(report: DraftReport): DraftReport {
  const findings = report.findings.map((finding) => ({ ...finding, line: (finding.line + 1) >> 1 }));
  return { ...report, findings };
}

/** The drafts that were changed. */
async function fixAll(checked: readonly Checked[], request: CheckRequest, deps: CheckDeps): Promise<Set<string>> {
  const fixed = new Set<string>();
  for (const draft of checked) {
    const findings = draft.report.findings.filter(({ edits }) => edits);
    const edits = findings.flatMap(({ edits = [] }) => edits);
    if (edits.length === 0) continue;
    if (draft.kind === "docx") {
      deps.complain(`${draft.file}: Word documents are not changed; take the wording from the report.`);
      continue;
    }
    const question = `Take the true wording of ${plural(findings.length, "quotation")} in ${draft.file}? The draft as it is stays beside it. [y/N] `;
    if (!request.yes && !deps.ask) {
      deps.complain(`${draft.file}: nothing was changed, because nobody can be asked here. Add --yes to change it.`);
      continue;
    }
    if (!request.yes && !(await deps.ask?.(question))) continue;
    const { copy } = await fixDraft(draft, edits);
    deps.complain(`${draft.file}: ${findings.length} changed; as it was: ${copy}`);
    fixed.add(draft.file);
  }
  return fixed;
}

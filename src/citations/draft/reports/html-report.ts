import { summaryOf } from "../answer.js";
import type { DraftReport } from "../check.js";
import type { Finding } from "../finding.js";

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 Georgia, serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.draft { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 3px solid #8884; padding-left: 1rem; }
mark { color: inherit; border-radius: 2px; text-decoration: none; }
mark.error { background: #e5484d40; } mark.warning { background: #f5a52455; } mark.info { background: #3e8bff33; } mark.ok { background: #30a46c2e; }
ol { padding-left: 1.5rem; } li { margin: 0 0 1rem; } li p { margin: 0.2rem 0; }
.verdict { font: 600 0.8rem system-ui, sans-serif; text-transform: uppercase; letter-spacing: 0.03em; }
.small { font-size: 0.9rem; opacity: 0.8; } del { color: #c62a2f; } ins { color: #18794e; }
@media print { a { color: inherit; text-decoration: none; } }
`;

const asText = (text: string) =>
  text.replace(/[&<>"']/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[sign]!);

/** A self-contained page without scripts or external files, so that it can be mailed and printed. */
export function asHtml(drafts: readonly { file: string; text: string; report: DraftReport }[], made: Date): string {
  const body = drafts.map(({ file, text, report }) => section(file, text, report)).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Quotations and citations checked</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Quotations and citations checked</h1>
<p class="small">${asText(made.toISOString().slice(0, 10))}. Wording is compared character by character with the sources; whether a passage supports a claim is for the reader to judge.</p>
${body}
</body>
</html>
`;
}

function section(file: string, text: string, report: DraftReport): string {
  const wanted = report.findings.filter(({ severity, kind }) => severity !== "ok" || kind === "quotation");
  const ordered = [...wanted].sort((a, b) => a.span[0] - b.span[0]);
  return `<h2>${asText(file)}</h2>
<p>${asText(summaryOf(report))}</p>
<ol>
${ordered
  .filter(({ severity }) => severity !== "ok")
  .map((finding) => item(finding, ordered.indexOf(finding)))
  .join("\n")}
</ol>
<div class="draft">${marked(text, ordered)}</div>`;
}

function item(finding: Finding, index: number): string {
  const { work, page, marked: differences, wording, passages, missing, next, line } = finding;
  const named = [work?.author, work?.title, page]
    .filter(Boolean)
    .map((part) => asText(String(part)))
    .join(", ");
  return `<li id="f${index}">
<p><span class="verdict">${asText(finding.verdict.replaceAll("_", " "))}</span> <a href="#m${index}">line ${line}</a></p>
<p>${differences ? withMarks(differences) : asText(finding.text)}</p>
${wording && !differences ? `<p>True wording: ${asText(wording)}</p>` : ""}
${named ? `<p class="small">${named}</p>` : ""}
${missing ? `<p class="small">Not in the nearest passages: ${asText(missing.join(", "))}</p>` : ""}
${(passages ?? []).map((passage) => `<p class="small">“${asText(passage.text)}”${passage.page ? ` ${asText(passage.page)}` : ""}</p>`).join("\n")}
${next ? `<p>${asText(next)}</p>` : ""}
</li>`;
}

const withMarks = (marked: string) =>
  asText(marked)
    .replaceAll("[-", "<del>")
    .replaceAll("-]", "</del>")
    .replaceAll("{+", "<ins>")
    .replaceAll("+}", "</ins>");

/** The draft with every finding marked; of nested findings only the outer one. */
function marked(text: string, findings: readonly Finding[]): string {
  let html = "";
  let at = 0;
  findings.forEach(({ span: [start, end], severity, verdict }, index) => {
    if (start < at || end <= start) return;
    html += asText(text.slice(at, start));
    html += `<mark id="m${index}" class="${severity}" title="${asText(verdict.replaceAll("_", " "))}">${asText(text.slice(start, end))}</mark>`;
    at = end;
  });
  return html + asText(text.slice(at));
}

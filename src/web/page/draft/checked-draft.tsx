import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { say } from "../notices.js";
import { CopyButton } from "../reading/clipboard.js";
import { download } from "../reading/download.js";
import { plural } from "../reading/small-print.js";
import { callTool, offers } from "../server/connection.js";
import { onEscape, onShortcut } from "../shortcuts.js";
import { changeDraft, checkDraft, draft } from "./draft-state.js";
import { type DraftFinding, type Piece, piecesOf, withEdits } from "./edits.js";
import { FindingPane } from "./finding-pane.js";
import { toneOf, verdictWords } from "./verdicts.js";

/** The text with its findings marked, and the source beside it. */
export function CheckedDraft() {
  const { checked, checking, project, name } = draft.value;
  const findings = checked?.findings ?? [];
  const [taken, setTaken] = useState<readonly number[]>([]);
  const [at, setAt] = useState<number>();
  const [all, setAll] = useState(false);
  const text = useRef<HTMLDivElement>(null);
  const edited = useMemo(
    () =>
      withEdits(
        checked?.text ?? "",
        taken.flatMap((index) => findings[index]?.edits ?? []),
      ),
    [checked?.text, taken, findings],
  );
  /** In the order of the text; findings without a place in it (a list of works) come last. */
  const shown = useMemo(
    () =>
      findings
        .map((finding, index) => ({ finding, index }))
        .filter(({ finding }) => all || finding.severity !== "ok")
        .sort((a, b) => a.finding.span[0] - b.finding.span[0]),
    [findings, all],
  );
  const open = at === undefined ? undefined : findings[at];

  function step(by: number) {
    if (shown.length === 0) return;
    const now = shown.findIndex(({ index }) => index === at);
    const next = now < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.max(0, Math.min(shown.length - 1, now + by));
    choose(shown[next]!.index);
  }
  function choose(index: number) {
    setAt(index);
    const mark = text.current?.querySelector(`[data-finding="${index}"]`);
    mark?.scrollIntoView({ block: "center" });
  }
  function take(index: number | undefined) {
    const finding = index === undefined ? undefined : findings[index];
    if (index === undefined || !finding?.edits?.length || taken.includes(index)) return;
    setTaken([...taken, index]);
    say("Took the true wording.", { action: { label: "Undo", run: () => undo(index) } });
  }
  const undo = (index: number | undefined) => setTaken((before) => before.filter((other) => other !== index));

  useLayoutEffect(
    () =>
      onShortcut({
        j: () => step(1),
        k: () => step(-1),
        a: () => take(at),
        u: () => undo(taken.at(-1)),
      }),
    [shown, at, taken, findings],
  );
  useEffect(() => (open ? onEscape(() => setAt(undefined)) : undefined), [open]);

  const problems = findings.filter(({ severity }) => severity === "error" || severity === "warning").length;
  const fixable = shown.filter(({ finding, index }) => finding.edits?.length && !taken.includes(index));
  return (
    <>
      <p class="status-line" role="status">
        {checked?.summary} {checking && `${findings.length} of ${checked?.total} findings so far …`}
      </p>
      {(checked?.notSearched ?? []).length > 0 && (
        <p class="remark">Not looked at: {checked?.notSearched.join("; ")}</p>
      )}
      <div class="row draft-bar">
        <button type="button" onClick={() => step(-1)} disabled={shown.length === 0}>
          Previous <kbd>k</kbd>
        </button>
        <button type="button" onClick={() => step(1)} disabled={shown.length === 0}>
          Next <kbd>j</kbd>
        </button>
        {fixable.length > 1 && (
          <button
            type="button"
            onClick={() => {
              const added = fixable.map(({ index }) => index);
              setTaken([...taken, ...added]);
              say(`Took ${plural(added.length, "true wording")}.`, {
                action: { label: "Undo", run: () => setTaken((now) => now.filter((one) => !added.includes(one))) },
              });
            }}
          >
            Take all {fixable.length} true wordings
          </button>
        )}
        <label class="switch">
          <input type="checkbox" checked={all} onChange={({ currentTarget }) => setAll(currentTarget.checked)} /> Show
          what is right too
        </label>
        <span class="spread" />
        <CopyButton text={() => edited.text} label="Copy the text" what="the text" />
        <button type="button" class="quiet" onClick={() => download(checkedName(name), edited.text)}>
          Download
        </button>
        {offers("cite") && (checked?.works.length ?? 0) > 0 && (
          <button type="button" class="quiet" onClick={() => void downloadBib(checked?.works ?? [], project, name)}>
            Download .bib
          </button>
        )}
        <button
          type="button"
          class="quiet"
          onClick={() => {
            changeDraft({ text: edited.text, checked: undefined });
            void checkDraft();
          }}
        >
          Check again
        </button>
        <button type="button" class="quiet" onClick={() => changeDraft({ text: edited.text, checked: undefined })}>
          Another text
        </button>
      </div>
      {problems === 0 && !checking && (
        <p class="verdict good">Nothing is wrong with this draft’s quotations and citations.</p>
      )}
      <div class="with-reader draft">
        <DraftText
          element={text}
          text={edited.text}
          spans={shown.map(({ finding: { span }, index }) => [edited.at(span[0]), edited.at(span[1]), index] as const)}
          findings={findings}
          taken={taken}
          at={at}
          onOpen={setAt}
        />
        {open ? (
          <FindingPane
            key={at}
            finding={open}
            taken={at !== undefined && taken.includes(at)}
            onTake={() => take(at)}
            onUndo={() => undo(at)}
            onClose={() => setAt(undefined)}
          />
        ) : (
          <FindingList shown={shown} taken={taken} onOpen={choose} />
        )}
      </div>
    </>
  );
}

interface DraftTextProps {
  element: { current: HTMLDivElement | null };
  text: string;
  spans: readonly (readonly [number, number, number])[];
  findings: readonly DraftFinding[];
  taken: readonly number[];
  at: number | undefined;
  onOpen(index: number): void;
}

function DraftText({ element, text, spans, findings, taken, at, onOpen }: DraftTextProps) {
  const paragraphs = useMemo(
    () => piecesOf(unwrapped(text), spans),
    [text, spans.map((span) => span.join()).join(" ")],
  );
  const shown = (piece: Piece, index: number) => {
    const own = piece.finding;
    const finding = own === undefined ? undefined : findings[own];
    if (own === undefined || !finding) return piece.text;
    return (
      // biome-ignore lint/a11y/useSemanticElements: a button breaks no lines; this is a stretch of running text
      <span
        key={index}
        role="button"
        class={`finding ${taken.includes(own) ? "good" : toneOf(finding)} ${own === at ? "open" : ""}`}
        data-finding={own}
        tabIndex={piece.first ? 0 : -1}
        aria-pressed={own === at}
        aria-label={`${verdictWords(finding)}: ${piece.text}`}
        onClick={() => onOpen(own)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          onOpen(own);
        }}
      >
        {piece.text}
      </span>
    );
  };
  return (
    <div class="draft-text" ref={element} dir="auto">
      {paragraphs.map((pieces, index) => (
        <div key={index}>{pieces.map(shown)}</div>
      ))}
    </div>
  );
}

/** Joins the lines of a paragraph, as typesetting does; lists, headings and the like keep their lines. */
const unwrapped = (text: string) => text.replace(/(?<!\n)\n(?![\n#>|*+\d\\-])/g, " ");

interface FindingListProps {
  shown: readonly { finding: DraftFinding; index: number }[];
  taken: readonly number[];
  onOpen(index: number): void;
}

/** Shown before a finding is opened: all of them, in the order of the text. */
function FindingList({ shown, taken, onOpen }: FindingListProps) {
  return (
    <aside class="reader findings" aria-label="Findings">
      <header class="row">
        <h2>{plural(shown.length, "finding")}</h2>
      </header>
      <ol>
        {shown.map(({ finding, index }) => (
          <li key={index}>
            <button
              type="button"
              class={`quiet ${taken.includes(index) ? "good" : toneOf(finding)}`}
              onClick={() => onOpen(index)}
            >
              <strong>{taken.includes(index) ? "Took the true wording" : verdictWords(finding)}</strong>
              <span class="small-print">
                Line {finding.line}: <bdi>{finding.text}</bdi>
              </span>
            </button>
          </li>
        ))}
      </ol>
    </aside>
  );
}

const checkedName = (name: string) =>
  name.replace(/(?:\.docx)?$/i, "").replace(/(\.\w+)?$/, (ending) => `-checked${ending || ".md"}`);

async function downloadBib(works: readonly string[], project: string, name: string): Promise<void> {
  const answer = await callTool<{ bibliography: string | null; not_found: { source: string }[] }>("cite", {
    sources: works,
    bibliography: "bibtex",
    ...(project ? { project } : {}),
  });
  if (!answer.ok) {
    say(answer.error.message, { tone: "bad" });
    return;
  }
  download(name.replace(/(\.\w+)?$/, ".bib"), answer.data.bibliography ?? "");
  const missing = answer.data.not_found.length;
  if (missing)
    say(`${plural(missing, "work")} not in the file: ${answer.data.not_found.map(({ source }) => source).join(", ")}`);
}

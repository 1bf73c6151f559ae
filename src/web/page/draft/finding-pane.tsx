import { useEffect, useRef } from "preact/hooks";
import type { Passage } from "../../../citations/passages.js";
import { href } from "../href.js";
import { CopyButton } from "../reading/clipboard.js";
import { Differences } from "../reading/differences.js";
import { MarkedText } from "../reading/marked-text.js";
import { findPassage } from "../reading/marks.js";
import { plainSentences } from "../reading/plain-words.js";
import { SmallPrint } from "../reading/small-print.js";
import { Awaited } from "../reading/states.js";
import { offers } from "../server/connection.js";
import { useAnswer } from "../server/use-answer.js";
import type { DraftFinding } from "./edits.js";
import { toneOf, verdictWords } from "./verdicts.js";

interface FindingPaneProps {
  finding: DraftFinding;
  taken: boolean;
  onTake(): void;
  onUndo(): void;
  onClose(): void;
}

/** One finding: what is wrong, the true wording, and the source around it. */
export function FindingPane({ finding, taken, onTake, onUndo, onClose }: FindingPaneProps) {
  const pane = useRef<HTMLElement>(null);
  const { work, page, marked, wording, cite, also = [], next, missing = [], passages = [] } = finding;
  const todo = next === undefined ? "" : plainSentences(next);
  useEffect(() => {
    if (pane.current) pane.current.scrollTop = 0;
  }, [finding]);
  return (
    <aside class="reader finding-pane" ref={pane} aria-label="What was found">
      <header class="row">
        <h2 class={`tone-${taken ? "good" : toneOf(finding)}`}>
          {taken ? "Took the true wording" : verdictWords(finding)}
        </h2>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </header>
      {marked ? (
        <Differences marked={marked} />
      ) : wording ? (
        <blockquote dir="auto">{wording}</blockquote>
      ) : (
        <blockquote class="remark" dir="auto">
          {finding.text}
        </blockquote>
      )}
      <SmallPrint parts={[work?.author, work?.title, page, work?.citekey && `@${work.citekey}`]} />
      {also.length > 0 && (
        <ul class="bullets">
          {also.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {missing.length > 0 && (
        <p class="verdict fair">
          Not in the passages below: {missing.map((name) => `“${name}”`).join(", ")}. Look before you trust it.
        </p>
      )}
      {todo && !taken && <p class="small-print">{todo}</p>}
      <div class="row foot">
        {finding.edits?.length ? (
          taken ? (
            <button type="button" onClick={onUndo}>
              Put my words back
            </button>
          ) : (
            <button type="button" class="primary" onClick={onTake}>
              Take the true wording <kbd>a</kbd>
            </button>
          )
        ) : null}
        {(wording || cite) && (
          <CopyButton
            text={[wording && `“${wording}”`, cite].filter(Boolean).join(" ")}
            label={wording ? "Copy with its citation" : "Copy the citation"}
            what={wording ? "the true wording with its citation" : "the citation"}
          />
        )}
      </div>
      {passages.map((passage) => (
        <blockquote key={passage.text} class="evidence" dir="auto">
          {passage.text}
          <SmallPrint parts={[passage.page]} />
        </blockquote>
      ))}
      <SourceAround finding={finding} />
    </aside>
  );
}

const AROUND = 450;

/** The passage of the source that has the words, with them marked. */
function SourceAround({ finding: { source, wording, text } }: { finding: DraftFinding }) {
  const { project, doc_id: document, chunk_id: chunk, start } = source ?? {};
  const args = !project
    ? undefined
    : document !== undefined && start !== undefined
      ? { project, source: document, start: Math.max(0, start - AROUND), max_chars: 2 * AROUND + text.length }
      : chunk !== undefined
        ? { project, chunk_id: chunk, neighbours: 1 }
        : undefined;
  const answer = useAnswer<Passage>("read_passage", offers("read_passage") ? args : undefined);
  if (source?.source_id !== undefined)
    return <a href={href(["sources", source.source_id])}>Its highlights in your library</a>;
  if (!args || !project) return null;
  return (
    <Awaited answer={answer}>
      {(passage) => {
        const shown = (passage.chars_before ?? 0) > 0 ? passage.text.replace(/^\S*\s+/, "") : passage.text;
        const place = findPassage(shown, wording ?? text.replace(/^[“"„«‘']|[”"“»’']$/g, ""));
        return (
          <section aria-label="In the source">
            <h3>
              In the source{" "}
              <a
                href={href(["projects", project, "documents", passage.doc_id ?? document ?? ""], {
                  from: String(passage.start),
                  quote: wording,
                })}
              >
                Read it there
              </a>
            </h3>
            <p class="prose around" dir="auto">
              {(passage.chars_before ?? 0) > 0 && "… "}
              <MarkedText text={shown} spans={place ? [place] : []} />
              {(passage.chars_after ?? 0) > 0 && " …"}
            </p>
          </section>
        );
      }}
    </Awaited>
  );
}

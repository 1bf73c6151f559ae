import { useState } from "preact/hooks";
import type { Passage } from "../../../citations/passages.js";
import { href } from "../href.js";
import { findPassage, type Span, spansOf } from "../reading/marks.js";
import { Paragraph, type Part, paragraphsIn } from "../reading/paragraphs.js";
import { pagesOf } from "../reading/places.js";
import { SmallPrint } from "../reading/small-print.js";
import { Awaited } from "../reading/states.js";
import { route } from "../routes.js";
import { offers } from "../server/connection.js";
import { projectName } from "../server/places.js";
import { useAnswer } from "../server/use-answer.js";
import { Cite } from "./cite.js";
import { useArrival } from "./use-arrival.js";

const WINDOW = 6000;

export function PassageView({ project, chunk }: { project: string; chunk: string }) {
  const [around, setAround] = useState(1);
  const answer = useAnswer<Passage>("read_passage", { project, chunk_id: chunk, neighbours: around }, { keep: true });
  const found = useAnswer<Passage>("read_passage", { project, chunk_id: chunk, neighbours: 0 });
  return (
    <Reader project={project} answer={answer} found={found.data}>
      <div class="row">
        <button type="button" onClick={() => setAround(around + 2)} disabled={around >= 9}>
          More around it
        </button>
      </div>
    </Reader>
  );
}

/** A document of a project, one window of text at a time. */
export function ProjectDocumentView({ project, source }: { project: string; source: string }) {
  const from = Number(route.value.query.get("from") ?? 0);
  const answer = useAnswer<Passage>("read_passage", { project, source, start: from, max_chars: WINDOW });
  const at = (start: number) => href(["projects", project, "documents", source], { from: String(start) });
  return (
    <Reader project={project} answer={answer}>
      <nav class="pager" aria-label="Through the text">
        {from > 0 && <a href={at(Math.max(0, from - WINDOW))}>Earlier</a>}
        {answer.data && answer.data.chars_after > 0 && <a href={at(answer.data.end)}>Further</a>}
      </nav>
    </Reader>
  );
}

interface ReaderProps {
  project: string;
  answer: ReturnType<typeof useAnswer<Passage>>;
  /** The passage that was opened; its neighbours are shown in a softer colour. */
  found?: Passage | undefined;
  children: preact.ComponentChildren;
}

function Reader({ project, answer, found, children }: ReaderProps) {
  const quote = route.value.query.get("quote");
  const query = route.value.query.get("q");
  useArrival(quote ? "quoted" : found ? "found" : undefined, answer.data !== undefined);
  return (
    <article class="view narrow">
      <Awaited answer={answer}>
        {(passage) => {
          const place = quote ? findPassage(passage.text, quote) : undefined;
          const spans: Span[] = place ? [place] : query ? spansOf(query, passage.text) : [];
          return (
            <>
              <header class="title-page">
                <h1 dir="auto">{passage.title ?? passage.citekey ?? "Passage"}</h1>
                <SmallPrint
                  parts={[
                    passage.citekey && `@${passage.citekey}`,
                    pagesOf(passage.page_span),
                    passage.section_path.filter((name) => name !== passage.title).join(" › "),
                    <a href={href(["projects", project])}>{projectName(project)}</a>,
                  ]}
                />
                {offers("cite") && passage.citekey && (
                  <Cite place={project} source={passage.citekey} pages={pagesOf(passage.page_span)} />
                )}
              </header>
              {passage.chars_before > 0 && <p class="ellipsis">…</p>}
              <div class="prose passage" dir="auto">
                <Paragraphs
                  text={passage.text}
                  title={passage.title}
                  spans={spans}
                  marked={place !== undefined}
                  found={found && [found.start - passage.start, found.end - passage.start]}
                />
              </div>
              {passage.chars_after > 0 && <p class="ellipsis">…</p>}
            </>
          );
        }}
      </Awaited>
      {children}
    </article>
  );
}

interface ParagraphsProps {
  text: string;
  /** Shown above already: a text that begins with it does not repeat it. */
  title: string | null | undefined;
  spans: readonly Span[];
  marked: boolean;
  /** Where the opened passage is in `text`. */
  found: Span | undefined;
}

function Paragraphs({ text, title, spans, marked, found }: ParagraphsProps) {
  const parts = paragraphsIn(text).filter(({ part, start }) => !(start === 0 && part.trim() === title));
  const begin = parts[0]?.start ?? 0;
  const shownSpans = spans.map(([from, to]): Span => [Math.max(begin, from), to]);
  const isFound = ({ part, start }: Part) =>
    found !== undefined && start < found[1] && start + part.trimEnd().length > found[0];
  const shown = (list: readonly Part[]) =>
    list.map((part) => (
      <Paragraph
        key={part.start}
        {...part}
        spans={shownSpans}
        markedId={marked ? "quoted" : undefined}
        heading={isHeading(part.part)}
      />
    ));
  const inside = parts.filter(isFound);
  if (inside.length === 0 || inside.length === parts.length) return <>{shown(parts)}</>;
  const first = parts.indexOf(inside[0]!);
  return (
    <>
      {shown(parts.slice(0, first))}
      <section id="found" class="found" aria-label="The passage" tabIndex={-1}>
        {shown(inside)}
      </section>
      {shown(parts.slice(first + inside.length))}
    </>
  );
}

/** Stored text has no markup: a short line without punctuation at its end is shown as a heading. */
const isHeading = (paragraph: string) => paragraph.length < 90 && !/[.!?…:;,"”’)\]]$/.test(paragraph.trimEnd());

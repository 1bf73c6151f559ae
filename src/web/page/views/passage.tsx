import { useState } from "preact/hooks";
import type { Passage } from "../../../citations/passages.js";
import { CopyButton } from "../reading/clipboard.js";
import { MarkedText } from "../reading/marked-text.js";
import { findPassage, type Span, spansOf } from "../reading/marks.js";
import { pagesOf } from "../reading/places.js";
import { SmallPrint } from "../reading/small-print.js";
import { Awaited, Problem } from "../reading/states.js";
import { href, route } from "../routes.js";
import { callTool, type Failure, offers } from "../server/connection.js";
import { useAnswer } from "../server/use-answer.js";
import { useArrival } from "./use-arrival.js";

const WINDOW = 6000;

/** A passage with what stands around it. */
export function PassageView({ project, chunk }: { project: string; chunk: string }) {
  const [around, setAround] = useState(1);
  const answer = useAnswer<Passage>("read_passage", { project, chunk_id: chunk, neighbours: around });
  return (
    <Reader project={project} answer={answer}>
      <div class="row">
        <button type="button" onClick={() => setAround(around + 2)} disabled={around >= 9}>
          More around it
        </button>
      </div>
    </Reader>
  );
}

/** A document of a project, a window at a time. */
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
  children: preact.ComponentChildren;
}

function Reader({ project, answer, children }: ReaderProps) {
  const quote = route.value.query.get("quote");
  const query = route.value.query.get("q");
  useArrival(quote ? "quoted" : undefined, answer.data !== undefined);
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
                    passage.section_path?.join(" › "),
                    <a href={href(["projects", project])}>{project}</a>,
                  ]}
                />
                {offers("cite") && passage.citekey && (
                  <Cite project={project} citekey={passage.citekey} pages={pagesOf(passage.page_span)} />
                )}
              </header>
              {passage.chars_before > 0 && <p class="ellipsis">…</p>}
              <div class="prose passage" dir="auto">
                <Paragraphs text={passage.text} spans={spans} marked={place !== undefined} />
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

function Paragraphs({ text, spans, marked }: { text: string; spans: readonly Span[]; marked: boolean }) {
  let at = 0;
  return (
    <>
      {text.split(/(\n{2,})/).map((part) => {
        const start = at;
        at += part.length;
        if (!part.trim()) return null;
        const own = spans
          .map(([from, to]): Span => [Math.max(0, from - start), Math.min(part.length, to - start)])
          .filter(([from, to]) => to > from && from < part.length);
        return (
          <p key={start} dir="auto" id={marked && own.length ? "quoted" : undefined} tabIndex={-1}>
            <MarkedText text={part} spans={own} />
          </p>
        );
      })}
    </>
  );
}

const STYLES = [
  "pandoc",
  "latex",
  "apa",
  "mla",
  "chicago-author-date",
  "chicago-notes",
  "harvard",
  "ieee",
  "vancouver",
  "ama",
  "nature",
];

function Cite({ project, citekey, pages }: { project: string; citekey: string; pages: string | null }) {
  const [style, setStyle] = useState("apa");
  const [cited, setCited] = useState<{ citation: string; bibliography: string | null }>();
  const [error, setError] = useState<Failure>();

  async function cite(wanted: string) {
    setStyle(wanted);
    const answer = await callTool<{ citation: string; bibliography: string | null }>("cite", {
      project,
      sources: [[citekey, pages].filter(Boolean).join(", ")],
      style: wanted,
      bibliography: "formatted",
    });
    setCited(answer.ok ? answer.data : undefined);
    setError(answer.ok ? undefined : answer.error);
  }

  return (
    <details class="drawer" onToggle={(event) => event.currentTarget.open && !cited && void cite(style)}>
      <summary>Cite this</summary>
      <label>
        Style
        <select value={style} onInput={(event) => void cite(event.currentTarget.value)}>
          {STYLES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {error && <Problem error={error} />}
      {cited && (
        <div aria-live="polite">
          <p class="citation" dir="auto">
            {cited.citation}
          </p>
          <CopyButton text={cited.citation} label="Copy the citation" what="the citation" />
          {cited.bibliography && (
            <>
              <p class="citation" dir="auto">
                {cited.bibliography}
              </p>
              <CopyButton text={cited.bibliography} label="Copy the entry" what="the bibliography entry" />
            </>
          )}
        </div>
      )}
    </details>
  );
}

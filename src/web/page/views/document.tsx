import { useEffect, useMemo, useState } from "preact/hooks";
import type { Document, Highlight } from "../../../shelves/readwise/schemas.js";
import { href } from "../href.js";
import { type Block, blocksOf, type Table } from "../reading/html-blocks.js";
import { MarkedText } from "../reading/marked-text.js";
import { findPassage, type Span, spansOf } from "../reading/marks.js";
import { Author, day, Outward, SmallPrint, Tags } from "../reading/small-print.js";
import { Awaited, Empty, Problem } from "../reading/states.js";
import { route } from "../routes.js";
import { callTool, type Failure, offers } from "../server/connection.js";
import { useAnswer } from "../server/use-answer.js";
import { nameView } from "../view-name.js";
import { DocumentActions } from "./document-actions.js";
import { Highlighting } from "./highlighting.js";
import { Transcript } from "./transcript.js";
import { LOCATIONS } from "./triage.js";

interface Reading extends Document {
  content_length?: number;
  next_content_offset?: number | null;
  highlights?: Highlight[];
  highlight_source_id?: number | null;
}

const WINDOW = 36_000;

export function DocumentView({ id }: { id: string }) {
  const answer = useAnswer<Reading>("get_document", {
    id,
    include_content: true,
    html: true,
    include_highlights: true,
    content_max_chars: WINDOW,
  });
  return (
    <article class="view narrow">
      <Awaited answer={answer}>
        {(document) => (
          <>
            <DocumentActions document={document} onChange={answer.reload} />
            <Text key={document.id} document={document} />
            <Highlighting document={document.id} onChange={answer.reload} />
          </>
        )}
      </Awaited>
    </article>
  );
}

function Text({ document: first }: { document: Reading }) {
  const [html, setHtml] = useState(first.content ?? "");
  const [next, setNext] = useState(first.next_content_offset ?? null);
  const [error, setError] = useState<Failure>();
  const [loading, setLoading] = useState(false);
  const query = route.value.query.get("q") ?? "";
  const blocks = useMemo(() => blocksOf(html), [html]);
  const highlights = first.highlights ?? [];

  useEffect(() => nameView(first.title), [first.title]);
  useEffect(() => {
    setHtml(first.content ?? "");
    setNext(first.next_content_offset ?? null);
  }, [first]);

  async function readOn() {
    setLoading(true);
    const answer = await callTool<Reading>("get_document", {
      id: first.id,
      include_content: true,
      html: true,
      content_offset: next,
      content_max_chars: WINDOW,
    });
    setLoading(false);
    setError(answer.ok ? undefined : answer.error);
    if (!answer.ok) return;
    setHtml((before) => before + (answer.data.content ?? ""));
    setNext(answer.data.next_content_offset ?? null);
  }

  return (
    <>
      <header class="title-page">
        <h1 dir="auto">{first.title ?? "Untitled"}</h1>
        <SmallPrint
          parts={[
            first.author && <Author name={first.author} />,
            first.site_name !== first.author && first.site_name,
            day(first.published_date),
            first.reading_time,
            LOCATIONS.find(({ name }) => name === first.location)?.title,
          ]}
        />
        <Tags names={Object.values(first.tags ?? {}).map(({ name }) => name)} link />
        <p class="row">
          <Outward url={first.source_url}>Original</Outward>
          <Outward url={first.url}>In Reader</Outward>
          {first.highlight_source_id && <a href={href(["sources", first.highlight_source_id])}>Its highlights</a>}
        </p>
        {first.summary && (
          <p class="summary" dir="auto">
            {first.summary}
          </p>
        )}
      </header>
      {first.category === "video" && offers("get_video") && (
        <Transcript id={first.id} url={first.source_url} query={query} />
      )}
      {blocks.length === 0 && first.category !== "video" && <Empty>Reader keeps no text of this document.</Empty>}
      <div class="prose">
        {(first.category === "video" && offers("get_video") ? [] : blocks).map((block, index) =>
          block.kind === "table" ? (
            <TableOf key={index} table={block} />
          ) : (
            <BlockOf key={index} block={block} highlights={highlights} query={query} />
          ),
        )}
      </div>
      {error && <Problem error={error} />}
      {next !== null && (
        <button type="button" onClick={() => void readOn()} disabled={loading}>
          {loading ? "Reading on …" : "Read on"}
        </button>
      )}
    </>
  );
}

function BlockOf({ block, highlights, query }: { block: Block; highlights: readonly Highlight[]; query: string }) {
  const own = highlights
    .map(({ text }) => findPassage(block.text, text))
    .filter((span): span is Span => span !== undefined);
  const spans = own.length || !query ? own : spansOf(query, block.text);
  const text = <MarkedText text={block.text} spans={spans} />;
  switch (block.kind) {
    case "h2":
      return <h2 dir="auto">{text}</h2>;
    case "h3":
      return <h3 dir="auto">{text}</h3>;
    case "li":
      return (
        <p class="item" dir="auto">
          {text}
        </p>
      );
    case "quote":
      return <blockquote dir="auto">{text}</blockquote>;
    case "pre":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre class="code" tabIndex={0}>
          <code>{text}</code>
        </pre>
      );
    case "note":
      return (
        <p class="footnote" dir="auto">
          {text}
        </p>
      );
    case "p":
      return <p dir="auto">{text}</p>;
  }
}

function TableOf({ table: { rows } }: { table: Table }) {
  return (
    <div class="table">
      <table>
        {rows.map(({ heading, cells }, index) => (
          <tr key={index}>
            {cells.map((text, column) =>
              heading ? (
                <th key={column} scope="col" dir="auto">
                  {text}
                </th>
              ) : (
                <td key={column} dir="auto">
                  {text}
                </td>
              ),
            )}
          </tr>
        ))}
      </table>
    </div>
  );
}
